// SPDX-License-Identifier: GPL-2.0
#include "place/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/x86_64/dispatch.h"
#include "arch/x86_64/signal_frame.h"
#include "layout.h"
#include "lookup/thread_policies.h"
#include "place/stack_room.h"

#define PAGE 4096
#define MOST_CODE (256u << 20)
#define USER_CS 0x33
#define NO_SYSTEM_CALL (-1ul)
#define ERESTART_RESTARTBLOCK 516

static const uint8_t call_code[] = { 0x0f, 0x05, 0xc3 };
/* mov $15, %rax, or %eax; syscall */
static const uint8_t resume_long[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
static const uint8_t resume_short[] = { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 };

static void find(uint64_t *found, const uint8_t *in, size_t length, uint64_t address, const uint8_t *code,
		 size_t bytes)
{
	const uint8_t *at = *found ? NULL : memmem(in, length, code, bytes);

	if (at)
		*found = address + (at - in);
}

static void find_in(struct call_code *code, int memory, const struct region *region)
{
	uint64_t bytes = region->end - region->start;
	uint8_t *there = malloc(bytes);
	ssize_t length = there ? pread(memory, there, bytes, region->start) : -1;

	if (length > 0) {
		find(&code->call, there, length, region->start, call_code, sizeof(call_code));
		find(&code->resume, there, length, region->start, resume_long, sizeof(resume_long));
		find(&code->resume, there, length, region->start, resume_short, sizeof(resume_short));
	}
	free(there);
}

int call_code__find(struct call_code *code, pid_t pid, struct error *error)
{
	char path[32];
	struct regions regions;
	int memory;

	*code = (struct call_code){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/mem", thread__living(pid));
	memory = open(path, O_RDONLY | O_CLOEXEC);
	if (!regions__read(&regions, thread__living(pid)) && memory >= 0)
		/* The C library is among the last. */
		for (size_t i = regions.nr; i-- > 0 && !(code->call && code->resume);) {
			const struct region *region = &regions.all[i];

			if (region->inode && region->can_execute && region->can_read && !region->can_write &&
			    region->end - region->start <= MOST_CODE)
				find_in(code, memory, region);
		}
	regions__free(&regions);
	if (memory >= 0)
		close(memory);
	return code->call && code->resume ? 0 :
	       error__set(error, ERR_NOT_PROBEABLE, "Process %d has no code of a C library's to make system calls with.",
			  pid);
}

static bool has_code(int memory, uint64_t address, const uint8_t *bytes, size_t nr)
{
	uint8_t there[sizeof(resume_long)];

	return pread(memory, there, nr, address) == (ssize_t)nr && !memcmp(there, bytes, nr);
}

static bool is_still_there(const struct call_code *code, int memory)
{
	return has_code(memory, code->call, call_code, sizeof(call_code)) &&
	       (has_code(memory, code->resume, resume_long, sizeof(resume_long)) ||
		has_code(memory, code->resume, resume_short, sizeof(resume_short)));
}

/* Within a restartable sequence the kernel would lose track of it. */
static bool is_restartable(const struct injector *injector, pid_t tid, uint64_t ip)
{
	struct __ptrace_rseq_configuration rseq = { 0 };
	struct { uint32_t version, flags; uint64_t start, length, abort; } section;
	uint64_t at;
	int memory = injector->stopped->memory;

	if (ptrace(PTRACE_GET_RSEQ_CONFIGURATION, tid, sizeof(rseq), &rseq) != sizeof(rseq))
		return true;
	if (!rseq.rseq_abi_pointer)
		return false;
	if (pread(memory, &at, sizeof(at), rseq.rseq_abi_pointer + 8) != sizeof(at))
		return true;
	if (!at)
		return false;
	return pread(memory, &section, sizeof(section), at) != sizeof(section) ||
	       ip - section.start < section.length;
}

/* Whether the kernel does what it says without asking others. */
static bool is_free(pid_t pid, pid_t tid)
{
	struct syscall_dispatch dispatch;
	struct thread_policies policies = { 0 };
	char path[64];
	FILE *status;

	if (syscall_dispatch__read(&dispatch, tid) || dispatch.mode)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	status = fopen(path, "re");
	if (!status)
		return false;
	thread_policies__add(&policies, status);
	fclose(status);
	return policies.lives && !policies.filtered && !policies.shadow_stack;
}

static bool can_call(struct injector *injector, const struct regions *regions,
		     const struct stopped_thread *thread)
{
	struct user_regs_struct *own = &injector->own;

	return thread->tid && thread->was_asked && !ptrace(PTRACE_GETREGS, thread->tid, 0, own) &&
	       own->cs == USER_CS &&
	       (injector->room = stack_room__find(injector->stopped, regions, own->rsp, own->fs_base)) &&
	       !ptrace(PTRACE_GETSIGMASK, thread->tid, sizeof(injector->mask), &injector->mask) &&
	       !is_restartable(injector, thread->tid, own->rip) &&
	       is_free(injector->stopped->pid, thread->tid);
}

static bool choose(struct injector *injector, const struct regions *regions)
{
	/* Rather one that waits in no system call that counts time. */
	for (int any = 0; any < 2; any++)
		for (size_t i = 0; i < injector->stopped->nr; i++) {
			struct stopped_thread *thread = &injector->stopped->threads[i];

			if (!can_call(injector, regions, thread) ||
			    (!any && (long)injector->own.rax == -ERESTART_RESTARTBLOCK))
				continue;
			injector->thread = thread;
			return true;
		}
	return false;
}

/* At the end of the room: the frame, with a mark, at the end of a page, and behind it the vector registers. */
static bool write_frame(struct injector *injector)
{
	uint8_t vectors[SIGNAL_FRAME_MAX_VECTORS];
	size_t bytes = signal_frame__take_vectors(injector->thread->tid, vectors);
	uint64_t at = (injector->room + INJECT_ROOM - bytes) & ~(PAGE - 1ull);
	struct { struct signal_frame frame; uint8_t unused[16]; struct stack_room_mark mark; } page = {
		.mark = { .magic = JUMP_MAGIC, .end = injector->room + INJECT_ROOM },
	};

	if (!bytes)
		return false;
	signal_frame__fill(&page.frame, &injector->own, injector->mask);
	page.frame.resume = injector->code.resume;
	page.frame.vectors = at;
	/* As the kernel would place it: a return address stands at 8 modulo 16. */
	injector->stack = at - PAGE + STACK_ROOM_MARK - offsetof(typeof(page), mark);
	return pwrite(injector->stopped->memory, &page, sizeof(page), injector->stack) == sizeof(page) &&
	       pwrite(injector->stopped->memory, vectors, bytes, at) == (ssize_t)bytes;
}

int injector__init(struct injector *injector, struct stopped *stopped, const struct regions *regions,
		   const struct call_code *code, struct error *error)
{
	*injector = (struct injector){ .stopped = stopped, .code = *code };
	if (!choose(injector, regions))
		return error__set(error, ERR_BUSY, "No thread of process %d runs, makes system calls freely, and stands on a stack of its own with room on it.",
				  stopped->pid);
	if (!is_still_there(code, stopped->memory))
		return error__set(error, ERR_FAILED, "Process %d has other code by now.", stopped->pid);
	place__step();
	if (!write_frame(injector))
		return error__set(error, ERR_FAILED, "The stack of thread %d can't be written.", injector->thread->tid);
	return 0;
}

/* Goes on to the next stop at a system call.  What is sent to it meanwhile, it gets. */
static bool to_system_call(struct injector *injector)
{
	struct stopped_thread *thread = injector->thread;
	int signal = 0;

	for (int stops = 0; stops < 100; stops++) {
		int status;

		if (ptrace(PTRACE_SYSCALL, thread->tid, 0, signal))
			return false;
		status = stopped__wait(injector->stopped, thread);
		if (status < 0)
			return false;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			return true;
		signal = thread->signal;
		thread->signal = 0;
	}
	return false;
}

long injector__call(struct injector *injector, long number, const uint64_t arguments[6])
{
	struct user_regs_struct registers = injector->own;
	const uint64_t all = ~0ull;
	pid_t tid = injector->thread->tid;

	registers.orig_rax = NO_SYSTEM_CALL;
	registers.rax = number;
	registers.rdi = arguments[0];
	registers.rsi = arguments[1];
	registers.rdx = arguments[2];
	registers.r10 = arguments[3];
	registers.r8 = arguments[4];
	registers.r9 = arguments[5];
	registers.rip = injector->code.call;
	registers.rsp = injector->stack;
	registers.eflags &= ~0x500ull;	/* no single step, and upwards */
	place__step();
	if (ptrace(PTRACE_SETREGS, tid, 0, &registers))
		return -ESRCH;
	injector->began = true;
	place__step();
	/* No handler runs on what is not the thread's own state; its end, or our death, brings the mask back. */
	ptrace(PTRACE_SETSIGMASK, tid, sizeof(all), &all);
	place__step();
	if (!to_system_call(injector))
		return -ESRCH;
	place__step();
	if (!to_system_call(injector) || ptrace(PTRACE_GETREGS, tid, 0, &registers))
		return -ESRCH;
	place__step();
	return registers.rax;
}

/* It stands at the end of the last call, and was in none of its own before. */
static bool end_own(struct injector *injector)
{
	pid_t tid = injector->thread->tid;

	injector->own.orig_rax = NO_SYSTEM_CALL;
	if (ptrace(PTRACE_SETSIGMASK, tid, sizeof(injector->mask), &injector->mask) ||
	    ptrace(PTRACE_SETREGS, tid, 0, &injector->own))
		return false;
	injector->began = false;
	stack_room__clear(injector->stopped, injector->room);
	return true;
}

bool injector__end(struct injector *injector)
{
	struct stopped_thread *thread = injector->thread;
	int status;

	if (!injector->began)
		return true;
	if (injector->stopped->is_own)
		return end_own(injector);
	/* It stops where the kernel would deliver a signal: there it begins a system call again. */
	ptrace(PTRACE_INTERRUPT, thread->tid, 0, 0);
	if (!thread->tid || ptrace(PTRACE_CONT, thread->tid, 0, thread->signal))
		return false;
	thread->signal = 0;
	status = stopped__wait(injector->stopped, thread);
	if (status < 0)
		return false;
	place__step();
	if (ptrace(PTRACE_SETSIGMASK, thread->tid, sizeof(injector->mask), &injector->mask))
		return false;
	place__step();
	if (ptrace(PTRACE_SETREGS, thread->tid, 0, &injector->own))
		return false;
	place__step();
	injector->began = false;
	stack_room__clear(injector->stopped, injector->room);
	return true;
}

int injector__do(struct injector *injector, const char *what, long number, const uint64_t arguments[6], struct error *error)
{
	long answer = injector__call(injector, number, arguments);

	if (answer >= 0 && (number != SYS_mmap || (uint64_t)answer == arguments[0]))
		return 0;
	return error__set(error, answer == -EEXIST ? ERR_BUSY : ERR_NOT_PROBEABLE, "Process %d can't %s: %s.",
			  injector->stopped->pid, what, strerror(answer < 0 ? -answer : EEXIST));
}
