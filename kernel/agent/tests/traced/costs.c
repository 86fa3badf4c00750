// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are dear to probe, each beside a twin that is not probed and does the same.
 * The two are called in turn, and the twins' time is told: whatever else the machine does,
 * does it to both.
 */
#include "common.h"

static volatile long sink;
static char memory[65536];

/* What a call of a probed function goes on in after a jump has probes at its ends: twins go on in another one. */
PROBED long leaf(long x) { END(); return x + 1; }
PROBED long twin_leaf(long x) { END(); return x + 1; }

/* Each ends by a return, which is stepped, or by a jump, which is emulated, into what ends by a return, as x says. */
long f_push(long x), f_push_jumps(long x), twin_push(long x);
long f_step(long x), f_step_jumps(long x), twin_step(long x);
#define ENDS(leaf) "test $1, %dil\n je 1f\n jmp " leaf "\n 1: mov %rdi, %rax\n ret\n"
#define PUSH(name, leaf) ".globl " name "\n.type " name ",@function\n" \
	name ": push %rbx\n mov %rdi, %rbx\n pop %rbx\n " ENDS(leaf) " .size " name ", .-" name "\n"
#define STEP(name, leaf) ".globl " name "\n.type " name ",@function\n" \
	name ": mov (%rsp), %rax\n " ENDS(leaf) " .size " name ", .-" name "\n"
__asm__(".text\n" PUSH("f_push", "leaf") PUSH("f_push_jumps", "leaf") PUSH("twin_push", "twin_leaf")
	STEP("f_step", "leaf") STEP("f_step_jumps", "leaf") STEP("twin_step", "twin_leaf"));

/* A conditional jump that leaves the function would: a thousand times a call it stays. */
long f_loop(long x);
long twin_loop(long x);
#define LOOP(leaf) "mov $1000, %ecx\n 1: test %rdi, %rdi\n js " leaf "\n dec %ecx\n jnz 1b\n mov %rdi, %rax\n ret\n"
__asm__(".text\n.globl f_loop, twin_loop\n.type f_loop,@function\n"
	"f_loop: push %rbx\n pop %rbx\n " LOOP("leaf") " .size f_loop, .-f_loop\n"
	"twin_loop: push %rbx\n pop %rbx\n " LOOP("twin_leaf"));

PROBED long f_inner(long x) { sink += x; END(); return sink; }
PROBED long twin_inner(long x) { sink += x; END(); return sink; }

PROBED long f_far(long x) { sink += x; END(); return sink; }
PROBED long twin_far(long x) { sink += x; END(); return sink; }

/* Inlined into a probed function and its twin. */
static inline __attribute__((always_inline)) long outer(long (*inner)(long), long calls, long x, size_t bytes_between)
{
	spin(200000);
	for (long i = 0; i < calls; i++) {
		sink += inner(x);
		for (size_t at = 0; at < bytes_between; at += 64)
			memory[at]++;
	}
	END();
	return sink;
}
#define PAIR(name, inner, twin, bytes) \
	PROBED long f_outer##name(long n, long x) { return outer(inner, n, x, bytes); } \
	PROBED long twin_outer##name(long n, long x) { return outer(twin, n, x, bytes); }
PAIR(_push, f_push, twin_push, 0)
PAIR(_push_jumps, f_push_jumps, twin_push, 0)
PAIR(_step, f_step, twin_step, 0)
PAIR(_step_jumps, f_step_jumps, twin_step, 0)
PAIR(_loop, f_loop, twin_loop, 0)
PAIR(, f_inner, twin_inner, 0)
PAIR(_far, f_far, twin_far, sizeof(memory))

typedef long (*outer_fn)(long n, long x);
static const struct pair {
	const char *name;
	outer_fn probed, twin;
	long rounds, calls, x;	/* of "several" */
} pairs[] = {
	{ "push", f_outer_push, twin_outer_push, 100, 100, 0 },
	{ "push_jumps", f_outer_push_jumps, twin_outer_push_jumps, 100, 100, 1 },
	{ "step", f_outer_step, twin_outer_step, 100, 100, 0 },
	{ "step_jumps", f_outer_step_jumps, twin_outer_step_jumps, 100, 100, 1 },
	{ "page", f_outer_step, twin_outer_step, 0, 0, 0 },
	{ "loop", f_outer_loop, twin_outer_loop, 20, 5, 1 },
	{ "cold", f_outer, twin_outer, 200, 50, 1 },
	{ "far", f_outer_far, twin_outer_far, 200, 50, 1 },
};
#define PAIRS (sizeof(pairs) / sizeof(*pairs))

static void measure(const struct pair *pair, long rounds, long calls, long x, const char *label)
{
	uint64_t twin_ns = 0, waited = 0;

	/* So that neither is the first to call a library's function. */
	pair->twin(1, x);
	/* Its return has a probe, as f_step's calls end there: the process gets its page for steps outside of all calls. */
	if (!strcmp(pair->name, "page"))
		sink += leaf(x);
	for (long round = 0; round < rounds; round++) {
		uint64_t begin_ns;

		begin_ns = waited_ns();
		pair->probed(calls, x);
		waited += waited_ns() - begin_ns;
		begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		pair->twin(calls, x);
		twin_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	}
	tell(label, twin_ns);
	if (!strcmp(label, "twin.cpu"))
		tell("probed.waited", waited);
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * A call after a sleep, by the wall clock, which needs no system call: that would warm the way into the kernel.  cpu_ns grows
 * by what the thread's own clock says, and reading it.
 */
static uint64_t seldom_ns(long (*call)(long x), useconds_t sleep_us, uint64_t *cpu_ns)
{
	uint64_t cpu_begin_ns, begin_ns, ns;

	usleep(sleep_us);
	cpu_begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	begin_ns = now_ns(CLOCK_MONOTONIC);
	sink += call(1);
	ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
	*cpu_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begin_ns;
	return ns;
}

#define SELDOM	1000

/* In turn; of the twin all calls count as the middle one does, as others may have had the CPU in the midst of one. */
static void seldom(size_t calls, useconds_t sleep_us)
{
	static uint64_t twin_ns[SELDOM];
	uint64_t cpu_ns = 0, twin_cpu_ns = 0, begin_ns = now_ns(CLOCK_MONOTONIC), gaps_ns;

	if (calls > SELDOM)
		calls = SELDOM;
	for (size_t i = 0; i < calls; i++) {
		seldom_ns(f_inner, sleep_us, &cpu_ns);
		twin_ns[i] = seldom_ns(twin_inner, sleep_us, &twin_cpu_ns);
	}
	gaps_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
	qsort(twin_ns, calls, sizeof(*twin_ns), by_length);
	tell("twin", calls * twin_ns[calls / 2]);
	tell("gaps", gaps_ns);
	tell("probes.cpu", cpu_ns > twin_cpu_ns ? cpu_ns - twin_cpu_ns : 0);
}

/* usage: costs PAIR ROUNDS CALLS-IN-EACH ARGUMENT, or costs several, or costs seldom CALLS SLEEP-US */
int main(int argc, char **argv)
{
	char label[64];

	for (size_t i = 0; argc == 2 && i < PAIRS; i++) {
		snprintf(label, sizeof(label), "twin_%s.cpu", pairs[i].name);
		if (pairs[i].rounds)
			measure(&pairs[i], pairs[i].rounds, pairs[i].calls, pairs[i].x, label);
	}
	if (argc == 4)
		seldom(atol(argv[2]), atol(argv[3]));
	for (size_t i = 0; argc == 5 && i < PAIRS; i++)
		if (!strcmp(pairs[i].name, argv[1]))
			measure(&pairs[i], atol(argv[2]), atol(argv[3]), atol(argv[4]), "twin.cpu");
	return 0;
}
