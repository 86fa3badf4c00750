// SPDX-License-Identifier: GPL-2.0
/*
 * Coroutines whose switch is written by hand, or libc's: f_handle() yields within.  The bodies
 * differ by the place to which f_handle() returns, so a return to the wrong one shows in the sums.
 * BY_HAND leaves libc's out: nothing that is imported then tells that stacks are switched.
 *
 * usage: coroutines hand|libc STACK_BYTES ROUNDS
 */
#include <sys/mman.h>
#ifndef BY_HAND
#include <ucontext.h>
#endif

#include "truth.h"

#define COROUTINES 8

struct context {
	void *sp;
};

void switch_stack(struct context *from, struct context *to);
__asm__(".text\n.globl switch_stack\n.type switch_stack,@function\n"
	"switch_stack:\n"
	" push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
	" mov %rsp,(%rdi)\n mov (%rsi),%rsp\n"
	" pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
	".size switch_stack,.-switch_stack\n");

static struct context scheduler, coroutine[COROUTINES];
static int current;
static volatile long even_rounds, odd_rounds, fast_calls, slow_calls;

#ifdef BY_HAND
static void yield(void) { switch_stack(&coroutine[current], &scheduler); }
static void resume(void) { switch_stack(&scheduler, &coroutine[current]); }
#else
static ucontext_t libc_scheduler, libc_coroutine[COROUTINES];
static int by_libc;

static void yield(void)
{
	if (by_libc)
		swapcontext(&libc_coroutine[current], &libc_scheduler);
	else
		switch_stack(&coroutine[current], &scheduler);
}

static void resume(void)
{
	if (by_libc)
		swapcontext(&libc_scheduler, &libc_coroutine[current]);
	else
		switch_stack(&scheduler, &coroutine[current]);
}
#endif

PROBED long f_handle(int slow)
{
	if (slow) {
		yield();
		slow_calls++;
	} else {
		fast_calls++;
	}
	END();
	return slow_calls;
}

PROBED long f_request(int slow)
{
	long result = f_handle(slow);

	END();
	return result;
}

static void even_body(void)
{
	for (;;) {
		f_handle(0);
		f_request(1);
		even_rounds++;
	}
}

static void odd_body(void)
{
	for (;;) {
		f_request(1);
		odd_rounds += 1000;
	}
}

static void prepare(int i, char *stack, size_t size)
{
	void (*body)(void) = i & 1 ? odd_body : even_body;
	/* Aligned as after a call. */
	uint64_t *top = (uint64_t *)(stack + size) - 3;

#ifndef BY_HAND
	if (by_libc) {
		getcontext(&libc_coroutine[i]);
		libc_coroutine[i].uc_stack.ss_sp = stack;
		libc_coroutine[i].uc_stack.ss_size = size;
		libc_coroutine[i].uc_link = &libc_scheduler;
		makecontext(&libc_coroutine[i], body, 0);
		return;
	}
#endif
	*--top = (uint64_t)body;
	top -= 6;
	memset(top, 0, 48);
	coroutine[i].sp = top;
}

int main(int argc, char **argv)
{
	size_t size = strtoul(argv[2], NULL, 0);
	long rounds = atol(argv[3]);
	char *stacks = mmap(NULL, COROUTINES * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

#ifndef BY_HAND
	by_libc = !strcmp(argv[1], "libc");
#endif
	for (int i = 0; i < COROUTINES; i++)
		prepare(i, stacks + i * size, size);
	for (long r = 0; r < rounds; r++) {
		for (current = 0; current < COROUTINES; current++)
			resume();
	}
	printf("even %ld odd %ld fast %ld slow %ld\n", even_rounds, odd_rounds, fast_calls, slow_calls);
	tell("f_handle.returned", fast_calls + slow_calls);
	tell("f_handle.running", COROUTINES);
	tell("f_request.returned", even_rounds + odd_rounds / 1000);
	tell("f_request.running", COROUTINES);
	return 0;
}
