// SPDX-License-Identifier: GPL-2.0
/* What is read of a call's figures while its end's stamp stands before each of its instructions: never more than there is at last. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <x86intrin.h>

#include "on_cpu.h"
#include "own_process.h"

#define AWAY_NS 2000000
#define TICKS 3000000ull	/* that a call takes at least; a tick is an ns here */

static struct own_process own;
static struct jump_clock clocks[JUMP_MAX_CLOCKS] __attribute__((aligned(256)));
static uint64_t stamps;

/* As of now; on_cpu may lack calls. */
struct read {
	int64_t ran, on_cpu[JUMP_BUCKETS];
};
static struct read most;
static unsigned int reads;

static struct read read_now(void)
{
	static struct call_buckets buckets;
	struct call_counts counts = own_process__counts(&own, 0);
	struct read now = { .ran = counts.total };

	for (int i = 0; i < JUMP_CAUSES; i++)
		now.ran -= counts.cause_total[i];
	shared__buckets(own.shared, &own.layout, 0, &buckets);
	for (int i = 0; i < JUMP_BUCKETS; i++)
		now.on_cpu[i] = buckets.on_cpu[i];
	return now;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
	uint64_t ip = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	struct read now;

	if (ip - stamps >= JUMP_STAMPS_BYTES)
		return;
	reads++;
	now = read_now();
	if (now.ran > most.ran)
		most.ran = now.ran;
	for (int i = 0; i < JUMP_BUCKETS; i++)
		if (now.on_cpu[i] > most.on_cpu[i])
			most.on_cpu[i] = now.on_cpu[i];
}

/* From here on up to the end of the call and beyond, one instruction at a time. */
static void be_away(void)
{
	uint64_t begin = __rdtsc();

	while (__rdtsc() - begin < TICKS)
		;
	for (int i = 0; i < JUMP_MAX_CLOCKS; i++) {
		clocks[i].away_ns += AWAY_NS;
		clocks[i].cause_ns[JUMP_CAUSE_OTHER - 1] += AWAY_NS;
	}
	asm volatile("lea -256(%%rsp), %%rsp; pushf; orl $0x100, (%%rsp); popf; lea 256(%%rsp), %%rsp" : : : "cc", "memory");
}

static bool check(const char *name)
{
	bool is_more = false;
	struct read last;
	unsigned int before = reads;

	o_works(be_away);
	asm volatile("lea -256(%%rsp), %%rsp; pushf; andl $~0x100, (%%rsp); popf; lea 256(%%rsp), %%rsp" : : : "cc", "memory");
	last = read_now();
	for (int i = 0; i < JUMP_BUCKETS; i++)
		is_more |= most.on_cpu[i] > last.on_cpu[i];
	is_more |= most.ran > last.ran;
	printf("%s %s: %u reads, of what it ran %lld ns too much\n", !is_more && reads - before > 30 ? "ok" : "not ok", name,
	       reads - before, (long long)(most.ran > last.ran ? most.ran - last.ran : 0));
	return is_more || reads - before <= 30;
}

int main(void)
{
	static const char *const names[] = { "o_works" };
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
	uint64_t self;
	bool failed;

	own_process__init(&own, names, 1, 1, 64);
	own_process__patch(&own);
	if (thread_clocks__check_processor(NULL)) {
		printf("ok within a stamp: skipped, the processor can't\n");
		return 0;
	}
	stamps = (uint64_t)own.mapping + JUMP_CONTROL_BYTES;
	sigaction(SIGTRAP, &action, NULL);
	asm volatile("rdfsbase %0" : "=r"(self));
	for (int i = 0; i < JUMP_MAX_CLOCKS; i++)
		clocks[i] = (struct jump_clock){ .thread = self, .number = 1ull << 32, .away_ns = 12345 };
	own.shared->rate = 1ull << 32;
	shared__use_clocks(own.shared, (uint64_t)clocks, JUMP_MAX_CLOCKS);
	failed = check("a call that was away");
	own.shared->nr_clocks = 0;
	failed |= check("a call of which is not known how long it ran");
	return failed;
}
