// SPDX-License-Identifier: GPL-2.0
/*
 * step BINARY LIMIT PROGRAM ARGUMENT...: what probes would see, without any: runs PROGRAM
 * one instruction at a time, and applies to each what function lookup said of BINARY's
 * functions.  Prints a JSON object: calls by probes and by truth (the first instruction
 * reached by a call or a tail call), ends that met no entry, entries that met no end.
 * LIMIT instructions at most.
 */
#include <elf.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/lookup/functions.h"

#define MAX_DEPTH 65536

struct frame {
	const struct fn_function *function;
	uint64_t sp;
	uint64_t return_address;	/* where a uretprobe would notice the end */
};

/* What stands at one address of the file. */
struct place {
	uint64_t address;
	const struct fn_function *entry, *start, *end;
	const struct fn_site *site;
};

static struct place *places;
static size_t nr_places;
static struct frame frames[MAX_DEPTH];
static size_t depth;
static const struct fn_function *functions;
static uint32_t *started, *entered;	/* of each function */
static uint64_t by_probes, by_truth, lost_ends, lost_entries, instructions;
static const char *first_lost = "", *first_unequal = "";

static int compare_places(const void *a, const void *b)
{
	uint64_t x = ((const struct place *)a)->address, y = ((const struct place *)b)->address;

	return x < y ? -1 : x > y;
}

static void collect_places(const struct fn_list *list)
{
	size_t room = 0, unique = 0;

	for (size_t i = 0; i < list->nr; i++)
		room += list->functions[i].nr_sites + 2;
	places = calloc(room + 1, sizeof(*places));
	for (size_t i = 0; i < list->nr; i++) {
		const struct fn_function *f = &list->functions[i];

		if (!f->probeable)
			continue;
		places[nr_places++] = (struct place){ .address = f->address, .start = f };
		places[nr_places++] = (struct place){ .address = f->address + f->entry_offset -
						      f->file_offset, .entry = f };
		for (size_t k = 0; k < f->nr_sites; k++)
			places[nr_places++] = (struct place){ .address = f->sites[k].address,
							      .end = f, .site = &f->sites[k] };
	}
	qsort(places, nr_places, sizeof(*places), compare_places);
	for (size_t i = 0; i < nr_places; i++) {
		struct place *to = unique ? &places[unique - 1] : NULL;

		if (!to || to->address != places[i].address) {
			places[unique++] = places[i];
			continue;
		}
		if (places[i].entry)
			to->entry = places[i].entry;
		if (places[i].start)
			to->start = places[i].start;
		if (places[i].end) {
			to->end = places[i].end;
			to->site = places[i].site;
		}
	}
	nr_places = unique;
}

static uint64_t register_value(const struct user_regs_struct *regs, uint8_t reg)
{
	const unsigned long long all[] = {
		regs->rax, regs->rcx, regs->rdx, regs->rbx, regs->rsp, regs->rbp, regs->rsi,
		regs->rdi, regs->r8, regs->r9, regs->r10, regs->r11, regs->r12, regs->r13,
		regs->r14, regs->r15
	};

	return all[reg & 15];
}

static bool condition_holds(uint64_t flags, uint8_t condition)
{
	bool c = flags & 1, p = flags >> 2 & 1, z = flags >> 6 & 1, s = flags >> 7 & 1,
	     o = flags >> 11 & 1;
	const bool all[] = { o, c, z, c || z, s, p, s != o, z || s != o };

	return all[condition >> 1 & 7] != (condition & 1);
}

static bool ends_call(const struct place *place, const struct user_regs_struct *regs, uint64_t bias)
{
	if (place->site->kind == FN_SITE_JUMP_COND)
		return condition_holds(regs->eflags, place->site->condition);
	if (place->site->kind == FN_SITE_JUMP_REG) {
		uint64_t to = register_value(regs, place->site->reg) - bias;

		for (size_t i = 0; i < place->end->nr_ranges; i++)
			if (to >= place->end->ranges[i].start && to < place->end->ranges[i].end)
				return false;
	}
	return true;
}

static void end_call(const struct fn_function *function, uint64_t sp)
{
	while (depth && frames[depth - 1].sp < sp) {	/* left by longjmp, or never left */
		lost_entries++;
		if (!*first_lost)
			first_lost = frames[depth - 1].function->symbol;
		depth--;
	}
	if (depth && frames[depth - 1].sp == sp && frames[depth - 1].function == function) {
		depth--;
		return;
	}
	lost_ends++;
	if (!*first_lost)
		first_lost = function->symbol;
}

static void look(pid_t pid, const struct place *place, const struct user_regs_struct *regs,
		 uint64_t bias)
{
	if (place->start) {
		by_truth++;
		started[place->start - functions]++;
	}
	if (place->entry && depth < MAX_DEPTH) {
		entered[place->entry - functions]++;
		by_probes++;
		while (depth && frames[depth - 1].sp < regs->rsp) {
			lost_entries++;
			if (!*first_lost)
				first_lost = frames[depth - 1].function->symbol;
			depth--;
		}
		frames[depth++] = (struct frame){ place->entry, regs->rsp,
			ptrace(PTRACE_PEEKDATA, pid, (void *)regs->rsp, NULL) };
	}
	if (place->end && ends_call(place, regs, bias))
		end_call(place->end, regs->rsp);
}

/* Where address 0 of the file is, 0 if it is not mapped yet. */
static uint64_t find_bias(pid_t pid, const char *path, const struct fn_function *any)
{
	char name[64], line[4096];
	uint64_t bias = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		uint64_t start, end, offset;
		char flags[8], file[4000] = "";

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %3999s", &start,
			   &end, flags, &offset, file) == 5 && strchr(flags, 'x') &&
		    !strcmp(file, path) && any->file_offset >= offset &&
		    any->file_offset - offset < end - start)
			bias = start + (any->file_offset - offset) - any->address + 1;
	}
	if (maps)
		fclose(maps);
	return bias;
}

/* Where the program begins, behind what loads its libraries; 0 if it is not told. */
static uint64_t start_of(pid_t pid)
{
	uint64_t pair[2] = { AT_NULL, 0 }, start = 0;
	char name[64];
	FILE *auxv;

	snprintf(name, sizeof(name), "/proc/%d/auxv", pid);
	auxv = fopen(name, "re");
	while (auxv && fread(pair, sizeof(pair), 1, auxv) == 1)
		if (pair[0] == AT_ENTRY)
			start = pair[1];
	if (auxv)
		fclose(auxv);
	return start;
}

/* Where BINARY is the program: lets it run to main, or to its start, for libraries take long to load. */
static uint64_t run_to_main(pid_t pid, const struct fn_list *list, int *status)
{
	uint64_t bias = find_bias(pid, list->binary, &list->functions[0]);
	struct user_regs_struct regs;
	uint64_t start;
	void *at;
	long code;

	if (!bias)
		return 0;
	start = start_of(pid);
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->functions[i].symbol, "main"))
			start = list->functions[i].address + bias - 1;
	at = (void *)start;
	if (!at)
		return bias;
	code = ptrace(PTRACE_PEEKTEXT, pid, at, NULL);
	ptrace(PTRACE_POKETEXT, pid, at, (code & ~0xffl) | 0xcc);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, status, 0);
	ptrace(PTRACE_POKETEXT, pid, at, code);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	regs.rip = start;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
	return bias;
}

int main(int argc, char **argv)
{
	struct fn_query query = { .binary = argv[1], .pattern = "*", .limit = SIZE_MAX };
	struct user_regs_struct regs;
	struct error error;
	uint64_t bias = 0, limit;
	struct fn_list list;
	int status;
	pid_t pid;

	if (argc < 4)
		return 2;
	limit = strtoull(argv[2], NULL, 10);
	if (fn_list__find(&list, &query, &error)) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	functions = list.functions;
	started = calloc(list.nr, sizeof(*started));
	entered = calloc(list.nr, sizeof(*entered));
	if (!started || !entered)
		return 1;
	collect_places(&list);
	pid = fork();
	if (!pid) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		freopen("/dev/null", "w", stdout);
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (WIFSTOPPED(status))
		bias = run_to_main(pid, &list, &status);
	while (WIFSTOPPED(status) && instructions++ < limit) {
		int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);

		/* Libraries come with the first system calls. */
		if (!bias && instructions % 256 == 1)
			bias = find_bias(pid, list.binary, &list.functions[0]);
		if (bias && !ptrace(PTRACE_GETREGS, pid, NULL, &regs)) {
			struct place key = { .address = regs.rip - (bias - 1) };
			struct place *place = bsearch(&key, places, nr_places, sizeof(key),
						      compare_places);

			while (depth && frames[depth - 1].function->exit_kind == FN_EXIT_URETPROBE &&
			       regs.rip == frames[depth - 1].return_address &&
			       regs.rsp == frames[depth - 1].sp + 8)
				depth--;
			if (place)
				look(pid, place, &regs, bias - 1);
		}
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, signal) || waitpid(pid, &status, 0) < 0)
			break;
	}
	if (WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	for (size_t i = 0; i < list.nr && !*first_unequal; i++)
		if (started[i] != entered[i])
			first_unequal = functions[i].symbol;
	printf("{\"by_probes\":%" PRIu64 ",\"by_truth\":%" PRIu64 ",\"lost_ends\":%" PRIu64
	       ",\"lost_entries\":%" PRIu64 ",\"open\":%zu,\"instructions\":%" PRIu64
	       ",\"first_lost\":\"%s\",\"first_unequal\":\"%s\"}\n", by_probes, by_truth, lost_ends, lost_entries, depth,
	       instructions, first_lost, first_unequal);
	free(started);
	free(entered);
	free(places);
	fn_list__free(&list);
	return 0;
}
