// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are dear to probe, each beside a twin that is not probed and does the same.
 * The two are called in turn, and the twins' time is told: whatever else the machine does,
 * does it to both.
 */
#include "common.h"

static volatile long sink;
static char *memory;
static size_t memory_bytes;

/* What a call of a probed function goes on in after a jump has probes at its ends: twins go on in another one. */
PROBED long leaf(long x) { END(); return x + 1; }
PROBED long twin_leaf(long x) { END(); return x + 1; }

/* Each ends by a return, which is stepped, or by a jump, which is emulated, into what ends by a return, as x says. */
long f_push(long x);
long f_step(long x);
long twin_push(long x);
long twin_step(long x);
#define ENDS(leaf) "test $1, %dil\n je 1f\n jmp " leaf "\n 1: mov %rdi, %rax\n ret\n"
__asm__(".text\n.globl f_push, f_step, twin_push, twin_step\n"
	".type f_push,@function\n.type f_step,@function\n"
	"f_push: push %rbx\n mov %rdi, %rbx\n pop %rbx\n " ENDS("leaf") " .size f_push, .-f_push\n"
	"twin_push: push %rbx\n mov %rdi, %rbx\n pop %rbx\n " ENDS("twin_leaf")
	"f_step: mov (%rsp), %rax\n " ENDS("leaf") " .size f_step, .-f_step\n"
	"twin_step: mov (%rsp), %rax\n " ENDS("twin_leaf"));

/* A conditional jump that leaves the function would: a thousand times a call it stays. */
long f_loop(long x);
long twin_loop(long x);
#define LOOP(leaf) "mov $1000, %ecx\n 1: test %rdi, %rdi\n js " leaf "\n dec %ecx\n jnz 1b\n mov %rdi, %rax\n ret\n"
__asm__(".text\n.globl f_loop, twin_loop\n.type f_loop,@function\n"
	"f_loop: push %rbx\n pop %rbx\n " LOOP("leaf") " .size f_loop, .-f_loop\n"
	"twin_loop: push %rbx\n pop %rbx\n " LOOP("twin_leaf"));

PROBED long f_inner(long x) { sink += x; END(); return sink; }
PROBED long twin_inner(long x) { sink += x; END(); return sink; }

static void disturb(void)
{
	for (size_t at = 0; at < memory_bytes; at += 64)
		memory[at]++;
}

/* Inlined into a probed function and its twin. */
static inline __attribute__((always_inline)) long outer(long (*inner)(long), long calls, long x)
{
	spin(200000);
	for (long i = 0; i < calls; i++) {
		sink += inner(x);
		disturb();
	}
	END();
	return sink;
}
PROBED long f_outer_push(long n, long x) { return outer(f_push, n, x); }
PROBED long twin_outer_push(long n, long x) { return outer(twin_push, n, x); }
PROBED long f_outer_step(long n, long x) { return outer(f_step, n, x); }
PROBED long twin_outer_step(long n, long x) { return outer(twin_step, n, x); }
PROBED long f_outer_loop(long n, long x) { return outer(f_loop, n, x); }
PROBED long twin_outer_loop(long n, long x) { return outer(twin_loop, n, x); }
PROBED long f_outer(long n, long x) { return outer(f_inner, n, x); }
PROBED long twin_outer(long n, long x) { return outer(twin_inner, n, x); }

static const struct {
	const char *name;
	long (*probed)(long n, long x), (*twin)(long n, long x);
} pairs[] = {
	{ "push", f_outer_push, twin_outer_push },
	{ "step", f_outer_step, twin_outer_step },
	{ "page", f_outer_step, twin_outer_step },
	{ "loop", f_outer_loop, twin_outer_loop },
	{ "cold", f_outer, twin_outer },
};

/* usage: costs PAIR ROUNDS CALLS-IN-EACH ARGUMENT [BYTES-BETWEEN-CALLS] */
int main(int argc, char **argv)
{
	long rounds, calls, x;

	if (argc < 5)
		return 2;
	rounds = atol(argv[2]);
	calls = atol(argv[3]);
	x = atol(argv[4]);
	memory_bytes = argc > 5 ? atol(argv[5]) : 0;
	memory = calloc(1, memory_bytes + 1);
	for (size_t i = 0; memory && i < sizeof(pairs) / sizeof(*pairs); i++) {
		uint64_t twin_ns = 0;

		if (strcmp(pairs[i].name, argv[1]))
			continue;
		/* So that neither is the first to call a library's function. */
		pairs[i].twin(1, x);
		/* Its return has a probe, as f_step's calls end there: the process gets its page for steps outside of all calls. */
		if (!strcmp(argv[1], "page"))
			sink += leaf(x);
		for (long round = 0; round < rounds; round++) {
			uint64_t begin_ns;

			pairs[i].probed(calls, x);
			begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
			pairs[i].twin(calls, x);
			twin_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		}
		tell("twin.cpu", twin_ns);
	}
	return 0;
}
