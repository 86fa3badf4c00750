// SPDX-License-Identifier: GPL-2.0
/*
 * Plain C that leaves its stack in ways that no import shows, one way a program; prints when
 * it has and waits for its input.  The first is also built into a library of its own.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(by_hand) || defined(in_library)
void switch_stack(void **from, void **to);
#endif
#if defined(by_hand) || defined(library)
asm(".text\n.globl switch_stack\n.type switch_stack,@function\n"
    "switch_stack: push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    " mov %rsp,(%rdi)\n mov (%rsi),%rsp\n"
    " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
    ".size switch_stack,.-switch_stack\n");
#endif

#ifndef library
#if defined(by_hand) || defined(in_library)
static void *here, *there;

static void other(void)
{
	for (;;)
		switch_stack(&there, &here);
}
#endif

/* Keeps the compiler from seeing what it is. */
static volatile int protection = PROT_READ | PROT_WRITE | PROT_EXEC;

int main(void)
{
	char c;

#if defined(by_hand) || defined(in_library)
	static void *stack[8192];

	there = &stack[8000];
	stack[8006] = (void *)other;
	switch_stack(&here, &there);
	switch_stack(&here, &there);
#endif
#ifdef register_switch	/* as an inline function of a compiler, with no symbol of its own */
	static char stack[65536];
	char *to = stack + sizeof(stack) - 64;

	asm volatile("mov %%rsp,%%rbx\n xchg %0,%%rsp\n call getpid@PLT\n mov %%rbx,%%rsp"
		     : "+r"(to) : : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
		     "r11", "memory", "cc");
#endif
#ifdef popping
	asm volatile("push %%rsp\n pop %%rsp" : : : "memory");
#endif
#ifdef own_system_call	/* sigaltstack(NULL, NULL) */
	long result;

	asm volatile("syscall" : "=a"(result) : "0"(SYS_sigaltstack), "D"(0L), "S"(0L)
		     : "rcx", "r11", "memory");
#endif
#ifdef system_call
	syscall(SYS_sigaltstack, NULL, NULL);
#endif
#ifdef harmless_calls	/* these stay allowed */
	syscall(SYS_gettid);
	prctl(PR_SET_NAME, "harmless");
	mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
#ifdef dispatching	/* system calls become signals; switched off again at once */
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
#endif
#ifdef may_dispatch
	prctl(protection, 0, 0, 0, 0);	/* PR_GET_FPEMU, which this kernel does not have */
#endif
#ifdef may_make_code
	mmap(NULL, 4096, protection & ~PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
#ifdef makes_code	/* as a just-in-time compiler */
	void *code = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, "\xc3", 1);
	((void (*)(void))code)();
#endif
#ifdef alternate_stack
	static char stack[65536];
	stack_t st = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&st, NULL);
#endif
	puts("ready");
	return read(0, &c, 1) < 0 || protection < 0;
}
#endif
