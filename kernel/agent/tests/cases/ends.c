// SPDX-License-Identifier: GPL-2.0
/*
 * How calls end, and what that costs: returns and jumps in one function, jumps that leave from
 * within a loop, calls that go on in another function.  The truth is computing time by pieces of
 * work that hold no call of a probed function.
 *
 * usage: ends mixed-push|mixed-step|conditional|tail|qsort|nested N INNER
 */
#include "truth.h"

static volatile long sink;
static uint64_t worked_ns;	/* in pieces of work, so far */
static uint64_t jumped_ns;	/* of that, see compute() */

static void work(uint64_t ns)
{
	uint64_t begin = cpu_ns();

	jumped_ns += compute(ns);
	worked_ns += cpu_ns() - begin;
}

PROBED long f_leaf(long x) { END(); return x + 1; }
PROBED long f_refused(long x) { (void)x; return -1; }

/* An even argument returns, an odd one goes on to f_leaf; the first pushes, the second doesn't. */
long f_push(long), f_step(long), f_loop(long);
__asm__(".text\n"
	".globl f_push, f_step, f_loop\n"
	".type f_push,@function\n.type f_step,@function\n.type f_loop,@function\n"
	"f_push: push %rbx\n mov %rdi,%rbx\n pop %rbx\n test $1,%dil\n je 1f\n jmp f_leaf\n"
	"1: mov %rdi,%rax\n ret\n.size f_push,.-f_push\n"
	"f_step: mov (%rsp),%rax\n test $1,%dil\n je 1f\n jmp f_leaf\n"
	"1: mov %rdi,%rax\n ret\n.size f_step,.-f_step\n"
	/* A thousand times past a jump that would leave, and never does. */
	"f_loop: push %rbx\n pop %rbx\n mov $1000,%ecx\n"
	"1: test %rdi,%rdi\n js f_refused\n dec %ecx\n jnz 1b\n mov %rdi,%rax\n ret\n"
	".size f_loop,.-f_loop\n");

PROBED long f_outer(long (*inner)(long), int calls, long argument)
{
	work(400000);
	for (int i = 0; i < calls; i++)
		sink += inner(argument);
	END();
	return sink;
}

PROBED long f_process(long ns)
{
	work(ns);
	END();
	return sink;
}

/* What people write, and compilers make a jump of. */
PROBED long f_handle(long ns)
{
	sink++;
	return f_process(ns);
}

/* Reads and writes a cache's worth of memory after each call. */
static char memory[1 << 20];
PROBED long f_cold_inner(long x) { sink += x; END(); return sink; }
PROBED long f_cold_outer(int calls, size_t bytes)
{
	for (int i = 0; i < calls; i++) {
		uint64_t begin, end, again;

		f_cold_inner(i);
		begin = cpu_ns();
		for (size_t j = 0; j < bytes; j += 64)
			memory[j]++;
		end = cpu_ns();
		again = cpu_ns();
		/* With what reading the clock takes on the way to the next piece. */
		worked_ns += again - begin + (again - end);
	}
	END();
	return sink;
}

static uint64_t compare_ns;
static int compare(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(int argc, char **argv)
{
	const char *what = argv[1];
	int n = atoi(argv[2]), inner = atoi(argv[3]);

	if (!strcmp(what, "mixed-push") || !strcmp(what, "mixed-step") || !strcmp(what, "conditional")) {
		long (*f)(long) = what[6] == 'p' ? f_push : what[6] == 's' ? f_step : f_loop;

		for (int i = 0; i < n; i++) {
			for (int odd = 0; odd < 2; odd++)
				f_outer(f, inner, odd);
		}
		tell("f_outer.returned", 2 * n);
		tell("f_outer.cpu", worked_ns);
		tell("f_outer.jumped", jumped_ns);
		tell(what[0] == 'c' ? "f_loop.returned" : what[6] == 'p' ? "f_push.returned" : "f_step.returned",
		     2L * n * inner);
	} else if (!strcmp(what, "tail")) {
		for (int i = 0; i < n; i++)
			f_handle(inner * 1000L);
		tell("f_handle.returned", n);
		tell("f_process.returned", n);
		tell("f_handle.cpu", worked_ns);
		tell("f_process.cpu", worked_ns);
		tell("f_handle.jumped", jumped_ns);
		tell("f_process.jumped", jumped_ns);
	} else if (!strcmp(what, "qsort")) {
		int *values = malloc(inner * sizeof(int));
		uint64_t begin;

		srandom(1);
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < inner; j++)
				values[j] = random();
			begin = cpu_ns();
			qsort(values, inner, sizeof(int), compare);
			compare_ns += cpu_ns() - begin;
			sink += values[inner / 2];
		}
		tell("qsort.returned", n);
		tell("qsort.cpu", compare_ns);
	} else if (!strcmp(what, "nested")) {
		for (int i = 0; i < n; i++)
			f_cold_outer(inner, sizeof(memory));
		tell("f_cold_outer.returned", n);
		tell("f_cold_inner.returned", (long)n * inner);
		tell("f_cold_outer.cpu", worked_ns);
	}
	printf("sum %ld\n", sink);
	return 0;
}
