// SPDX-License-Identifier: GPL-2.0
/*
 * Restartable sequences (rseq) within functions: threads add to the counter of their CPU without a
 * lock, and the kernel restarts who loses it in between.  A sequence that were not restarted would lose what others
 * added meanwhile.
 *
 * usage: sequences CALLS	of each of four threads
 *
 * Ends with 77 where the C library has registered no sequences.
 */
#include <pthread.h>
#include <sys/rseq.h>

#include "truth.h"

#define THREADS	4
#define CPUS	4096

static struct { volatile long added; char line[56]; } counters[CPUS];
static long calls;

/* False: it was restarted, so nothing was added.  A while passes between its load and its store. */
static inline __attribute__((always_inline)) int add(struct rseq *own, uint32_t cpu, volatile long *to)
{
	long value = 1500;

	__asm__ volatile goto(
		".pushsection __rseq_cs, \"aw\"\n .balign 32\n"
		"3: .long 0, 0\n .quad 1f, 2f - 1f, 4f\n .popsection\n"
		"lea 3b(%%rip), %%rax\n mov %%rax, %[sequence]\n"
		"1: cmp %[cpu], %[runs_on]\n jnz %l[restarted]\n"
		"mov (%[to]), %%rax\n"
		"5: dec %[value]\n jnz 5b\n"
		"inc %%rax\n mov %%rax, (%[to])\n"
		"2:\n"
		".pushsection .text.restarted, \"ax\"\n .byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n"
		"4: jmp %l[restarted]\n .popsection\n"
		: [value] "+r"(value), [sequence] "=m"(own->rseq_cs)
		: [runs_on] "m"(own->cpu_id), [cpu] "r"(cpu), [to] "r"(to)
		: "memory", "cc", "rax" : restarted);
	return 1;
restarted:
	return 0;
}

PROBED long f_add(struct rseq *own)
{
	long restarts = 0;
	uint32_t cpu;

	do {
		cpu = *(volatile uint32_t *)&own->cpu_id_start;
		restarts++;
	} while (!add(own, cpu, &counters[cpu % CPUS].added));
	END();
	return restarts - 1;
}

static void *run(void *restarts)
{
	struct rseq *own = (void *)((char *)__builtin_thread_pointer() + __rseq_offset);

	for (long i = 0; i < calls; i++)
		*(long *)restarts += f_add(own);
	return NULL;
}

int main(int argc, char **argv)
{
	long restarts[THREADS] = { 0 }, sum = 0, all = 0;
	pthread_t threads[THREADS];

	if (!__rseq_size)
		return 77;
	calls = atol(argv[1]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, &restarts[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		all += restarts[i];
	}
	for (int i = 0; i < CPUS; i++)
		sum += counters[i].added;
	printf("added %ld\n", sum);
	tell("restarts", all);
	tell("f_add.returned", THREADS * calls);
	return 0;
}
