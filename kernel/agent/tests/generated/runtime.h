/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What generated programs know of their own calls.
 *
 * Each call pushes itself on a stack that the program keeps for each stack that it runs on; whoever
 * called takes it off, as returned or as left, so that a function can end in whatever way.  Time is
 * a clock a thread has of its own, that goes on in pieces of work alone: no piece holds a call, so
 * the probes' time is not in the truth.
 *
 * What lies between the pieces is the program's as well: how much that is is told by runs without probes,
 * and how much chance adds to it by the pieces, which see how long they are held up.  All memory is
 * touched before, as a fault would be in one run where it is not in another.
 */
#ifndef GENERATED_RUNTIME_H
#define GENERATED_RUNTIME_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef LIBC_COROUTINES
#include <ucontext.h>
#endif

#ifdef __clang__
#define PROBED __attribute__((noinline, used))
#else
#define PROBED __attribute__((noinline, noclone, noipa, used))
#endif
#define INLINE static inline __attribute__((always_inline, unused))
#define MAX_DEPTH 1024
#define STACK_BYTES 131072

typedef long (*function_t)(long x, long n);

struct truth {
	const char *name;
	uint64_t calls, returned, left, cpu_ns, gap_ns, charged_ns, jumped_ns;
};

struct call {
	int id;
	uint64_t began, began_cpu, began_charged, began_jumped;
};

#ifdef JUMPS
struct catcher {
	sigjmp_buf env;
	struct catcher *outer;
};
#endif

struct calls {
	int depth;
#ifdef JUMPS
	struct catcher *catcher;
#endif
	struct call call[MAX_DEPTH];
};

struct self {
	uint64_t worked_ns, charged_ns, jumped_ns;
	struct calls *calls;
	function_t handler;	/* what the next signal's handler calls */
	long handler_x, handled;
};

extern struct truth truths[];
extern const int nr_truths;
static __thread struct self self;
/*
 * Without probes the program is asked how much of a call's time is in no piece of work: unwinding,
 * signals, the first call of a library's function; and reading this clock.
 */
static int with_gaps;
/* What pieces of work took, and were held up for by interrupts and the like: reading the clock took so much longer. */
#define HELD_UP 4
static uint64_t pieces_ns, held_up_ns, held_up_squares;
static volatile long total;	/* what the program computes: the same in each run */

/*
 * The kernel's clock goes on when it has chosen the thread to run, and the thread runs when what the kernel still does for
 * the one before has ended.  So where it is ahead by so much since the last reading, and the thread had lost its CPU in
 * between, that may be time in which the thread did not run.  Where it had not, it was an interrupt's, or was stolen by the hypervisor
 * and the kernel forgot that: since Linux 6.14 what is stolen while it looks at its clocks is charged to the thread.
 */
#define AHEAD_NS 5000

INLINE long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw + usage.ru_nvcsw;
}

INLINE uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Not inline: a function that works is otherwise as it would be. */
static __attribute__((noinline, unused)) void work(long us)
{
	uint64_t begin = cpu_ns(), last = begin, now = begin, reading = ~0ULL, longer, sum = 0, squares = 0;
	long before = switches(), after;

	while (now < begin + us * 1000) {
		last = now;
		now = cpu_ns();
		if (now - last < reading)
			reading = now - last;
		longer = now - last - reading;
		if (longer > HELD_UP * reading) {
			sum += longer;
			squares += longer * longer;
		}
		if (longer > AHEAD_NS) {
			after = switches();
			*(after != before ? &self.charged_ns : &self.jumped_ns) += longer;
			before = after;
		}
	}
	__atomic_fetch_add(&pieces_ns, now - begin, __ATOMIC_RELAXED);
	__atomic_fetch_add(&held_up_ns, sum, __ATOMIC_RELAXED);
	__atomic_fetch_add(&held_up_squares, squares, __ATOMIC_RELAXED);
	/* With what reading the clock takes on the way in and out. */
	self.worked_ns += now - begin + reading;
}

INLINE int depth(void) { return self.calls->depth; }

INLINE void enter(int id)
{
	struct call *c = &self.calls->call[self.calls->depth++];

	c->id = id;
	c->began = self.worked_ns;
	c->began_charged = self.charged_ns;
	c->began_jumped = self.jumped_ns;
	if (with_gaps)
		c->began_cpu = cpu_ns();
	__atomic_fetch_add(&truths[id].calls, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline, unused)) void returned_to(int to)
{
	while (self.calls->depth > to) {
		struct call *c = &self.calls->call[--self.calls->depth];

		__atomic_fetch_add(&truths[c->id].returned, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&truths[c->id].cpu_ns, self.worked_ns - c->began, __ATOMIC_RELAXED);
		__atomic_fetch_add(&truths[c->id].charged_ns, self.charged_ns - c->began_charged, __ATOMIC_RELAXED);
		__atomic_fetch_add(&truths[c->id].jumped_ns, self.jumped_ns - c->began_jumped, __ATOMIC_RELAXED);
		if (with_gaps)
			__atomic_fetch_add(&truths[c->id].gap_ns, cpu_ns() - c->began_cpu -
					   (self.worked_ns - c->began), __ATOMIC_RELAXED);
	}
}

static __attribute__((noinline, unused)) void left_to(int to)
{
	while (self.calls->depth > to) {
		struct call *c = &self.calls->call[--self.calls->depth];

		__atomic_fetch_add(&truths[c->id].left, 1, __ATOMIC_RELAXED);
	}
}

INLINE void add(long value) { __atomic_fetch_add(&total, value, __ATOMIC_RELAXED); }

/* Signals */

static __attribute__((unused)) void handler(int signal)
{
	function_t f = self.handler;
	int to = depth();

	(void)signal;
	self.handled += f(self.handler_x, 0);
	returned_to(to);
}

static __attribute__((unused)) long signal_to(function_t f, long x)
{
	self.handler = f;
	self.handler_x = x;
	self.handled = 0;
	/* libc tells the compiler that raise calls nothing of this file. */
	__asm__ volatile("" ::: "memory");
	raise(SIGUSR1);
	__asm__ volatile("" ::: "memory");
	return self.handled;
}

static __attribute__((unused)) void touch(void *memory, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += 4096)
		((volatile char *)memory)[at] = 0;
}

static __attribute__((noinline, unused)) void touch_stack(void)
{
	char below[65536];

	touch(below, sizeof(below));
}

/* Threads; an alternate stack, if any, is mapped before and so lies above the thread's. */

struct thread {
	void (*drive)(long);
	long number;
	char *alternate;
};

static void *thread_runs(void *argument)
{
	struct thread *thread = (struct thread *)argument;
	struct calls *calls = (struct calls *)calloc(1, sizeof(*calls));
	stack_t stack;

	touch_stack();
	touch(calls, sizeof(*calls));
	memset(&stack, 0, sizeof(stack));
	stack.ss_sp = thread->alternate;
	stack.ss_size = STACK_BYTES;
	if (thread->alternate)
		sigaltstack(&stack, NULL);
	self.calls = calls;
	thread->drive(thread->number);
	return NULL;
}

static __attribute__((unused)) void run_threads(void (*drive)(long), int nr, int alternate)
{
	struct thread thread[8];
	pthread_t id[8];

	for (int i = 0; i < nr; i++) {
		thread[i].drive = drive;
		thread[i].number = i;
		thread[i].alternate = !alternate ? NULL :
			(char *)mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pthread_create(&id[i], NULL, thread_runs, &thread[i]);
	}
	for (int i = 0; i < nr; i++)
		pthread_join(id[i], NULL);
}

/* Coroutines */

#if defined(HAND_COROUTINES) || defined(LIBC_COROUTINES)
#define MAX_COROUTINES 6
struct coroutine {
#ifdef LIBC_COROUTINES
	ucontext_t context;
#else
	void *sp;
#endif
	struct calls *calls;
	long number;
	int done;
};
static __thread struct coroutine scheduler, coroutine[MAX_COROUTINES];
static __thread int current;
static __thread void (*coroutine_body)(long);

#ifdef HAND_COROUTINES
#ifdef __cplusplus
extern "C"
#endif
void switch_stack(void **from, void *to);
__asm__(".text\n.globl switch_stack\n.type switch_stack,@function\n"
	"switch_stack:\n"
	" push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
	" mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
	" pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
	".size switch_stack,.-switch_stack\n");
#endif

static void switch_to(struct coroutine *from, struct coroutine *to)
{
	self.calls = to->calls;
#ifdef LIBC_COROUTINES
	swapcontext(&from->context, &to->context);
#else
	switch_stack(&from->sp, to->sp);
#endif
}

static __attribute__((noinline, unused)) void yield(void)
{
	switch_to(&coroutine[current], &scheduler);
}

static void coroutine_runs(void)
{
	coroutine_body(coroutine[current].number);
	coroutine[current].done = 1;
	for (;;)
		yield();
}

/* Rounds: how often each is resumed; what is not done by then never is. */
static __attribute__((unused)) void run_coroutines(void (*body)(long), int nr, int rounds)
{
	char *stacks = (char *)mmap(NULL, nr * STACK_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touch(stacks, nr * STACK_BYTES);
	scheduler.calls = self.calls;
	coroutine_body = body;
	for (int i = 0; i < nr; i++) {
		struct coroutine *c = &coroutine[i];

		c->calls = (struct calls *)calloc(1, sizeof(*c->calls));
		touch(c->calls, sizeof(*c->calls));
		c->number = i;
		c->done = 0;
#ifdef LIBC_COROUTINES
		getcontext(&c->context);
		c->context.uc_stack.ss_sp = stacks + i * STACK_BYTES;
		c->context.uc_stack.ss_size = STACK_BYTES;
		c->context.uc_link = NULL;
		makecontext(&c->context, coroutine_runs, 0);
#else
		{
			/* Aligned as after a call. */
			uint64_t *top = (uint64_t *)(stacks + (i + 1) * STACK_BYTES) - 3;

			*--top = (uint64_t)coroutine_runs;
			c->sp = top - 6;
		}
#endif
	}
	for (int round = 0; round < rounds; round++) {
		for (current = 0; current < nr; current++) {
			if (!coroutine[current].done)
				switch_to(&scheduler, &coroutine[current]);
		}
	}
}
#endif

static __attribute__((unused)) void tell_all(void)
{
	printf("total %ld\n", total);
	fprintf(stderr, "pieces.ns %llu\npieces.held_up %llu\npieces.squares %llu\n", (unsigned long long)pieces_ns,
		(unsigned long long)held_up_ns, (unsigned long long)held_up_squares);
	for (int i = 0; i < nr_truths; i++) {
		struct truth *t = &truths[i];

		if (with_gaps)
			fprintf(stderr, "%s.gap %llu\n", t->name, (unsigned long long)t->gap_ns);
		fprintf(stderr, "%s.returned %llu\n%s.left %llu\n%s.running %llu\n%s.cpu %llu\n%s.charged %llu\n%s.jumped %llu\n",
			t->name, (unsigned long long)t->returned, t->name, (unsigned long long)t->left,
			t->name, (unsigned long long)(t->calls - t->returned - t->left),
			t->name, (unsigned long long)t->cpu_ns, t->name, (unsigned long long)t->charged_ns,
			t->name, (unsigned long long)t->jumped_ns);
	}
}

static __attribute__((unused)) void prepare(void)
{
	struct sigaction action;

	mlockall(MCL_CURRENT);
	with_gaps = getenv("WITH_GAPS") != NULL;
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	atexit(tell_all);
}

#endif
