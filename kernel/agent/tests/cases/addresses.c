// SPDX-License-Identifier: GPL-2.0
/*
 * Plain C for which it matters what lies where a call returns to; what it does is said when it is
 * built:
 *
 *	OWN	asks for its own return address
 *	CALLERS	goes through the frames of its callers
 *	NAMES	has the C library tell which function an address belongs to
 *	CONTEXT	a signal handler goes back to another stack, as some coroutines do
 *	COPIES	copies its stack away and back, as interpreters have continuations
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include "truth.h"

extern const char __executable_start[], etext[];

static const char *place_of(const void *address)
{
	return (const char *)address >= __executable_start && (const char *)address < etext ?
	       "within the program" : "elsewhere";
}

#ifdef CONTEXT
static const int kept[] = { REG_RSP, REG_RIP, REG_RBP, REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15 };
static greg_t other_rsp, other_rip, other_rbp, others[8];

/* Swaps what runs with what waits. */
static void swap(int signal, siginfo_t *info, void *context)
{
	greg_t *now = ((ucontext_t *)context)->uc_mcontext.gregs, was;

#define SWAP(reg, place)	was = now[reg]; now[reg] = place; place = was
	SWAP(REG_RSP, other_rsp);
	SWAP(REG_RIP, other_rip);
	SWAP(REG_RBP, other_rbp);
	for (int i = 3; i < 8; i++) {
		SWAP(kept[i], others[i]);
	}
}

static long sums[2];

PROBED void f_step(int who, int i)
{
	sums[who] += i;
	raise(SIGUSR1);
	END();
}

static void other(void)
{
	for (int i = 0;; i++)
		f_step(1, 1000 * i);
}

static void run(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct sigaction action = { .sa_sigaction = swap, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGUSR1, &action, NULL);
	other_rsp = (greg_t)(stack + sizeof(stack) - 8);
	other_rip = (greg_t)other;
	for (int i = 0; i < 1000; i++)
		f_step(0, i);
	printf("a %ld b %ld, the other one runs\n", sums[0], sums[1]);
	tell("f_step.returned", 1000 + 999);
	tell("f_step.running", 1);
}
#elif defined(COPIES)
static struct {
	jmp_buf at;
	char *from, *copy;
	size_t bytes;
} kept;
static char *bottom;
static jmp_buf top;

/* 0 as it keeps the stack; 1 each time that is gone on with. */
static __attribute__((noinline)) int keep_stack(void)
{
	char here, *volatile sp = &here;

	kept.from = (char *)((uintptr_t)sp & ~15ul) - 512;
	kept.bytes = bottom - kept.from;
	kept.copy = malloc(kept.bytes);
	if (setjmp(kept.at))
		return 1;
	memcpy(kept.copy, kept.from, kept.bytes);
	return 0;
}

static __attribute__((noinline)) void go_on(void)
{
	char here, *volatile below = alloca(&here - kept.from + 8192);

	below[0] = 0;
	memcpy(kept.from, kept.copy, kept.bytes);
	longjmp(kept.at, 1);
}

PROBED int f_waits(int x)
{
	volatile int kept_x = x;

	if (!keep_stack())
		longjmp(top, 1);
	return 2 * kept_x;
}

PROBED int f_between(int x)
{
	volatile int values[64];

	for (int i = 0; i < 64; i++)
		values[i] = x;
	return values[x & 63];
}

static __attribute__((noinline)) void run(void)
{
	static volatile int i, sum;
	char here;

	bottom = (char *)((uintptr_t)&here | 15) + 257;
	for (i = 0; i < 100; i++) {
		if (!setjmp(top)) {
			sum += f_waits(i);
		} else {
			sum += f_between(0);
			go_on();
		}
		free(kept.copy);
	}
	printf("sum %d\n", sum);
	tell("f_between.returned", 100);
	tell("f_waits.returned", 0);
	tell("f_waits.left", 100);
}
#else

PROBED void f_asks(void)
{
#ifdef OWN
	printf("called from %s\n", place_of(__builtin_return_address(0)));
#endif
#ifdef CALLERS
	const void *const *frame = __builtin_frame_address(1);

	printf("called from %s\n", place_of(frame[1]));
#endif
#ifdef NAMES
	void *volatile *at = __builtin_frame_address(0);
	Dl_info info;

	for (int i = 0; i < 64; i++)
		if (at[i] > (void *)__executable_start && at[i] < (void *)etext) {
			printf("called from %s\n", dladdr(at[i], &info) ? place_of(at[i]) : "nobody");
			break;
		}
#endif
	END();
}

PROBED void f_calls(void)
{
	f_asks();
	END();
}

static void run(void)
{
	for (int i = 0; i < 10; i++)
		f_calls();
	tell("f_asks.returned", 10);
	tell("f_calls.returned", 10);
}
#endif

int main(void)
{
	place_of(NULL);
	run();
	return 4;
}
