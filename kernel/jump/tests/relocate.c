// SPDX-License-Identifier: GPL-2.0
/*
 * relocate [FILE...]: runs instructions of a file's functions where they were and their copies elsewhere, both with the
 * same random registers, flags and memory, and compares what they did: registers, memory, and where they went on or
 * what fault they met.
 *
 * Each run begins by a signal's return and ends by a fault: behind the instructions and wherever they may jump to is
 * a breakpoint, or nothing.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "arch/relocate.h"
#include "arch/x86_64/x86_insn.h"
#include "decide/file_plans.h"

#define REACH (2ull << 30)
#define RESERVED ((uint8_t *)0x100000000000)
#define ORIGINAL (RESERVED + REACH)
#define COPY (ORIGINAL + (1ull << 30))
/* Far from all else: an instruction may write where it likes. */
#define DATA (RESERVED + 2 * REACH + REACH)
#define PAGE 4096
#define DATA_BYTES 8192
#define MAX_TOUCHED 16
#define MAX_RUN 4
#define FLAGS 0xcd5	/* the six of arithmetic, and the direction */

struct state {
	greg_t registers[16];
	struct _libc_xmmreg xmm[16];
	greg_t flags, rip;
	int signal;
	uint64_t address;
};

static struct state start, stop;
static ucontext_t home;
static struct _libc_fpstate home_vectors;
static uint8_t *const data = DATA, before[DATA_BYTES];
static uint8_t *touched[MAX_TOUCHED];
static size_t nr_touched;
static uint64_t seed;

/* SplitMix64: the same numbers each time. */
static uint64_t random_number(void)
{
	uint64_t number = seed += 0x9e3779b97f4a7c15;

	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
	number = (number ^ number >> 27) * 0x94d049bb133111eb;
	return number ^ number >> 31;
}

static void fill_page(uint8_t *page)
{
	for (size_t i = 0; i < PAGE; i++)
		page[i] = ((uintptr_t)page >> 12) * 31 + i * 7;
}

/* The registers' order in a context, up to r15. */
static const int order[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

static void begin(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;

	home = *at;
	home_vectors = *at->uc_mcontext.fpregs;
	for (int i = 0; i < 16; i++)
		at->uc_mcontext.gregs[order[i]] = start.registers[i];
	memcpy(at->uc_mcontext.fpregs->_xmm, start.xmm, sizeof(start.xmm));
	at->uc_mcontext.gregs[REG_EFL] = (at->uc_mcontext.gregs[REG_EFL] & ~FLAGS) | start.flags;
	at->uc_mcontext.gregs[REG_RIP] = start.rip;
}

/* What an instruction reads or writes relative to itself is made there at its first fault. */
static bool make_page(uint8_t *address, const uint8_t *rip)
{
	uint8_t *page = (uint8_t *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));

	if (address < RESERVED || address >= RESERVED + 2 * REACH || address == rip ||
	    page == ORIGINAL || page == COPY || nr_touched == MAX_TOUCHED ||
	    mprotect(page, PAGE, PROT_READ | PROT_WRITE))
		return false;
	fill_page(page);
	touched[nr_touched++] = page;
	return true;
}

static void end(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;

	if (signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
	    make_page(info->si_addr, (uint8_t *)at->uc_mcontext.gregs[REG_RIP]))
		return;
	for (int i = 0; i < 16; i++)
		stop.registers[i] = at->uc_mcontext.gregs[order[i]];
	memcpy(stop.xmm, at->uc_mcontext.fpregs->_xmm, sizeof(stop.xmm));
	stop.flags = at->uc_mcontext.gregs[REG_EFL] & FLAGS;
	stop.rip = at->uc_mcontext.gregs[REG_RIP];
	stop.signal = signal;
	stop.address = signal == SIGSEGV ? (uint64_t)info->si_addr : 0;
	memcpy(at->uc_mcontext.gregs, home.uc_mcontext.gregs, sizeof(home.uc_mcontext.gregs));
	*at->uc_mcontext.fpregs = home_vectors;
}

static void run(uint8_t *code)
{
	memcpy(data, before, DATA_BYTES);
	for (size_t i = 0; i < nr_touched; i++)
		fill_page(touched[i]);
	start.rip = (greg_t)code;
	raise(SIGUSR1);
}

static void prepare(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE };
	struct sigaction action = { .sa_sigaction = begin, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t stack = { .ss_size = 1 << 17 };

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_sigaction = end;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigaction(faults[i], &action, NULL);
	if (mmap(RESERVED, 4 * REACH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		 -1, 0) != RESERVED ||
	    mprotect(ORIGINAL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) ||
	    mprotect(DATA, DATA_BYTES, PROT_READ | PROT_WRITE) ||
	    mprotect(COPY, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC)) {
		printf("not ok relocate: no memory\n");
		exit(1);
	}
}

static void choose_start(void)
{
	for (size_t i = 0; i < sizeof(before); i++)
		before[i] = random_number();
	for (int i = 0; i < 16; i++) {
		uint64_t number = random_number();

		/* Most are addresses, as those of real programs, and some are small numbers. */
		start.registers[i] = number % 8 == 0 ? random_number() :
			number % 8 == 1 ? random_number() % 16 :
			(uint64_t)data + DATA_BYTES / 4 + random_number() % (DATA_BYTES / 2);
	}
	start.registers[4] = (uint64_t)data + DATA_BYTES / 2;
	for (size_t i = 0; i < sizeof(start.xmm); i++)
		((uint8_t *)start.xmm)[i] = random_number();
	start.flags = random_number() & FLAGS;
}

/* Whether it does the same each time, and to nothing but the memory that is compared. */
static bool is_repeatable(const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, operands))
		return false;
	for (int i = 0; i < insn.operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    (operands[i].mem.segment == ZYDIS_REGISTER_FS || operands[i].mem.segment == ZYDIS_REGISTER_GS))
			return false;
	switch (insn.mnemonic) {
	case ZYDIS_MNEMONIC_RDTSC: case ZYDIS_MNEMONIC_RDTSCP: case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_RDRAND: case ZYDIS_MNEMONIC_RDSEED: case ZYDIS_MNEMONIC_WRFSBASE:
	case ZYDIS_MNEMONIC_WRGSBASE: case ZYDIS_MNEMONIC_XRSTOR: case ZYDIS_MNEMONIC_FXRSTOR:
	case ZYDIS_MNEMONIC_WRPKRU:
		return false;
	case ZYDIS_MNEMONIC_MOV:
		return operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		       ZydisRegisterGetClass(operands[0].reg.value) != ZYDIS_REGCLASS_SEGMENT;
	default:
		return true;
	}
}

/* Some instructions in a row, as they stand at ORIGINAL and, copied, at COPY. */
struct moved {
	size_t nr;
	uint64_t was[MAX_RUN + 1], is[MAX_RUN + 1];	/* where each begins, and the end */
	uint8_t bytes[MAX_RUN * 16];
	size_t length;
};

/* An address of the copy as that of the original; all others are the same for both. */
static uint64_t as_original(const struct moved *moved, uint64_t address)
{
	for (size_t i = 0; i <= moved->nr; i++)
		if (moved->is[i] == address)
			return moved->was[i];
	/* Behind the breakpoint. */
	return address == moved->is[moved->nr] + 1 ? moved->was[moved->nr] + 1 : address;
}

static bool same(const struct moved *moved, struct state *original, struct state *copy)
{
	copy->rip = as_original(moved, copy->rip);
	if (copy->signal == SIGSEGV && copy->address >= (uint64_t)COPY)
		copy->address = as_original(moved, copy->address);
	return !memcmp(original, copy, sizeof(*copy));
}

static bool compare(struct moved *moved)
{
	uint8_t after[DATA_BYTES], pages[MAX_TOUCHED][64];
	struct state original;
	bool good;

	choose_start();
	memset(ORIGINAL, 0xcc, PAGE);
	memcpy((uint8_t *)moved->was[0], moved->bytes, moved->length);
	run((uint8_t *)moved->was[0]);
	original = stop;
	memcpy(after, data, sizeof(after));
	for (size_t i = 0; i < nr_touched; i++)
		for (size_t k = 0; k < 64; k++)
			pages[i][k] = touched[i][k * 64];
	/* Where the original was is nothing that the copy may use. */
	memset((uint8_t *)moved->was[0], 0xcc, moved->length);
	run((uint8_t *)moved->is[0]);
	good = same(moved, &original, &stop) && !memcmp(after, data, sizeof(after));
	for (size_t i = 0; i < nr_touched; i++)
		for (size_t k = 0; k < 64; k++)
			good &= pages[i][k] == touched[i][k * 64];
	for (size_t i = 0; i < nr_touched; i++)
		mprotect(touched[i], PAGE, PROT_NONE);
	nr_touched = 0;
	return good;
}

/* Copies instructions from index on, as many as can be; false if they can't be tried. */
static bool move(struct moved *moved, const struct code *code, size_t index)
{
	struct emitter to = { .bytes = COPY + 64, .room = 256, .address = (uint64_t)COPY + 64 };
	uint64_t at = (uint64_t)ORIGINAL + 1024;

	*moved = (struct moved){ 0 };
	memset(COPY, 0xcc, PAGE);
	for (; moved->nr < MAX_RUN && index < code->nr_insns; index++) {
		const struct code_insn *insn = &code->insns[index];
		size_t left;
		const uint8_t *bytes = code__bytes(code, insn->address, &left);
		int64_t jump = insn->target - insn->address;
		bool is_jump = insn->kind == CODE_JUMP || insn->kind == CODE_JUMP_COND;

		if (!bytes || !insn__can_move(insn, bytes, left) || !is_repeatable(bytes, left) ||
		    (is_jump && jump > -64 && jump < 64))
			break;
		moved->was[moved->nr] = at;
		moved->is[moved->nr++] = to.address + to.nr;
		memcpy(moved->bytes + moved->length, bytes, insn->length);
		moved->length += insn->length;
		relocate__insn(&to, bytes, left, at);
		at += insn->length;
		if (insn->kind != CODE_PLAIN && insn->kind != CODE_PADDING && insn->kind != CODE_JUMP_COND)
			break;
	}
	moved->was[moved->nr] = at;
	moved->is[moved->nr] = to.address + to.nr;
	return moved->nr && !to.failed;
}

struct tally {
	unsigned long long tried, faulted, different, jumped;
};

static void try_function(struct file_plans *plans, const struct fn_symbol *function, struct tally *tally)
{
	static struct code code;
	struct moved moved;
	struct plan plan;

	file_plans__make(plans, function, &code, &plan);
	for (size_t i = 0; i < code.nr_insns; i += 1 + random_number() % 8) {
		if (!move(&moved, &code, i))
			continue;
		tally->tried++;
		if (!compare(&moved)) {
			printf("# %s+%" PRIu64 " differs, signal %d\n", function->name,
			       code.insns[i].address - function->address, stop.signal);
			tally->different++;
		}
		tally->faulted += stop.signal != SIGTRAP;
		tally->jumped += stop.signal == SIGTRAP && (uint64_t)stop.rip != moved.was[moved.nr] + 1;
	}
	plan__free(&plan);
	code__free(&code);
}

/* At most limit functions of the file. */
static int try_file(const char *path, size_t limit)
{
	const char *name = strrchr(path, '/');
	struct tally tally = { 0 };
	struct error error = { 0 };
	struct file_plans plans;

	seed = 1;
	if (file_plans__open(&plans, path, &error)) {
		printf("not ok relocate %s: %s\n", path, error.message);
		return 1;
	}
	for (size_t i = 0; i < plans.symbols.nr; i += 1 + plans.symbols.nr / limit)
		try_function(&plans, &plans.symbols.all[i], &tally);
	printf("%s copies of instructions of %s do the same: %llu of %llu, %llu of them to a fault, %llu to a jump's target\n",
	       tally.different || !tally.tried ? "not ok" : "ok", name ? name + 1 : path,
	       tally.tried - tally.different, tally.tried, tally.faulted, tally.jumped);
	file_plans__close(&plans);
	return tally.different || !tally.tried;
}

/* What is too far away is not made at all. */
static int try_distance(void)
{
	static const uint8_t load[] = { 0x48, 0x8b, 0x05, 0xf0, 0xff, 0xff, 0x7f }, jz[] = { 0x74, 0x10 };
	uint8_t room[64], jump[5];
	struct emitter near = { .bytes = room, .room = sizeof(room), .address = 0x10000010 }, far = near,
		       branch = near, full = near;
	bool good;

	relocate__insn(&near, load, sizeof(load), 0x10000010);
	far.address = 0x0fffff00;
	relocate__insn(&far, load, sizeof(load), 0x10000010);
	branch.address = 0x200000000;
	relocate__insn(&branch, jz, sizeof(jz), 0x10000010);
	full.room = 5;
	relocate__insn(&full, jz, sizeof(jz), 0x10000010);
	good = near.failed + 2 * far.failed + 4 * branch.failed + 8 * full.failed == 14 &&
	       jump__encode(jump, 0x1000, 0x80000fff) && !jump__encode(jump, 0x1000, 0x80001005);
	printf("%s what is too far away is refused: %d %d %d %d\n", good ? "ok" : "not ok", near.failed,
	       far.failed, branch.failed, full.failed);
	return !good;
}

/* Those of the tests and of this machine; only some functions of the large ones. */
static int try_known_files(void)
{
	char shapes[4096];
	ssize_t length = readlink("/proc/self/exe", shapes, sizeof(shapes) - 16);
	int failed;

	if (length < 0)
		return 1;
	shapes[length] = 0;
	strcpy(strrchr(shapes, '/'), "/shapes.so");
	failed = try_file(shapes, SIZE_MAX);
	failed |= try_file("/lib/x86_64-linux-gnu/libc.so.6", 600);
	return failed | try_file("/bin/bash", 600);
}

int main(int argc, char **argv)
{
	int failed = try_distance();

	/* Should an instruction never end. */
	alarm(120);
	prepare();
	for (int i = 1; i < argc; i++)
		failed |= try_file(argv[i], SIZE_MAX);
	return argc > 1 ? failed : failed | try_known_files();
}
