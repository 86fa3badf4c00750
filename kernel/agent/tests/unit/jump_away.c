// SPDX-License-Identifier: GPL-2.0
/*
 * Under which cause jumps have the time for which a running thread was not charged: the eBPF programs' arithmetic, with a run
 * queue that is played, as kernels with and without CONFIG_IRQ_TIME_ACCOUNTING and a hypervisor that takes time have it.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#undef bpf_core_field_exists
#define bpf_core_field_exists(field)		1

#include "base.bpf.h"
#include "metrics.h"
#include "layout.h"

/* No thread leaves its CPU here. */
static u8 cause__of_switch(u16 *kept, struct task_struct *task, bool preempt, unsigned int state, long *syscall)
{
	return XP_OTHER;
}
#include "threads/bpf/away.bpf.h"

#include "check.h"

static struct rq rq;
static struct away thread;
static u64 away_ns;

static void begin(void)
{
	rq = (struct rq){ .clock = 9000000000, .clock_task = 7000000000, .prev_steal_time_rq = 500000000, .cpu = 3 };
	thread = (struct away){ .cpu = ~0u, .cause = AWAY_NOT };
	away__look(&thread, &rq, away_ns);
	__builtin_memset(thread.cause_ns, 0, sizeof(thread.cause_ns));
}

/* The thread runs for 4 ms, but for what interrupts, a hypervisor and other threads take. */
static void tick(u64 interrupts_ns, u64 stolen_ns, u64 others_ns)
{
	rq.clock += 4000000 + interrupts_ns + stolen_ns + others_ns;
	rq.clock_task += 4000000 + others_ns;
	rq.prev_steal_time_rq += stolen_ns;
	away_ns += interrupts_ns + stolen_ns + others_ns;
	away__look(&thread, &rq, away_ns);
}

static bool has(u64 steal, u64 other, u64 preempted)
{
	u64 sum = 0;

	for (int i = 0; i < JUMP_CAUSES; i++)
		sum += thread.cause_ns[i];
	return thread.cause_ns[XP_STEAL - XP_FIRST_CAUSE] == steal && thread.cause_ns[XP_OTHER - XP_FIRST_CAUSE] == other &&
	       thread.cause_ns[XP_PREEMPTED - XP_FIRST_CAUSE] == preempted && sum == steal + other + preempted;
}

/* All in ns; others_ns: of threads whose switches nobody told. */
static const struct {
	const char *name;
	u64 interrupts_ns, stolen_ns, others_ns, steal_ns, other_ns, preempted_ns;
	bool is_elsewhere;	/* on another CPU than where the thread was looked at before */
} looks[] = {
	{ "interrupts of 0.7 ms between two looks are other", .interrupts_ns = 700000, .other_ns = 700000 },
	{ "and beside what a hypervisor takes", .interrupts_ns = 700000, .stolen_ns = 300000, .steal_ns = 300000, .other_ns = 700000 },
	{ "switches that nobody told are preempted", .others_ns = 2000000, .preempted_ns = 2000000 },
	{ "but for short ones", .interrupts_ns = 300000, .others_ns = 400000, .other_ns = 700000 },
	{ "each of both is told", .interrupts_ns = 300000, .others_ns = 2000000, .other_ns = 300000, .preempted_ns = 2000000 },
	{ "of another CPU is not known what interrupts took", .interrupts_ns = 700000, .preempted_ns = 700000, .is_elsewhere = true },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		begin();
		rq.cpu += looks[i].is_elsewhere;
		tick(looks[i].interrupts_ns, looks[i].stolen_ns, looks[i].others_ns);
		check(has(looks[i].steal_ns, looks[i].other_ns, looks[i].preempted_ns), looks[i].name,
		      thread.cause_ns[XP_OTHER - XP_FIRST_CAUSE]);
	}
	return failed;
}
