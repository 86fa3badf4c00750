/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scheduler that is played, so that each order of events can be forced and the truth is known: CPUs with
 * clocks of their own, interrupts, stolen time, a thread that is switched out and in, and what is reported
 * of that to the eBPF programs, which are included here.
 */
#ifndef KVIEW_TESTS_PLAYED_SCHEDULER_H
#define KVIEW_TESTS_PLAYED_SCHEDULER_H

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include "played_reads.h"

#define CPUS	2
#define TICK_NS	4000000ULL
#define MS	1000000ULL

/* Since boot, as CLOCK_MONOTONIC has it; the clocks of the CPUs began elsewhere. */
static __u64 now_ns;
static const __u64 began_ns[CPUS] = { 40000000000ULL, 7000000 };
static __u32 cpu;
static struct task_struct the_task;

/* What the hypervisor took in the midst of what is looked at. */
static __u64 reading_takes_ns;

/* How fast CLOCK_MONOTONIC is, by NTP, against the scheduler's clock; and how it stood when that began. */
static __s64 ahead_ppm, ahead_ns;
static __u64 ahead_since_ns;

static __u64 monotonic(__u64 at_ns)
{
	return at_ns + ahead_ns + (__s64)(at_ns - ahead_since_ns) / 1000 * ahead_ppm / 1000;
}

static inline void is_disciplined(__s64 ppm)
{
	ahead_ns = monotonic(now_ns) - now_ns;
	ahead_since_ns = now_ns;
	ahead_ppm = ppm;
}

static __u64 read_clock(void)
{
	now_ns += reading_takes_ns;
	return monotonic(now_ns);
}

#undef bpf_core_field_exists
#undef bpf_core_enum_value_exists
#undef bpf_ksym_exists
#undef bpf_core_cast
#define bpf_core_field_exists(field)		1
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_ksym_exists(function)		0
#define bpf_core_cast(pointer, type)		((type *)(pointer))
#define bpf_ktime_get_ns()			read_clock()
#define bpf_get_smp_processor_id()		(cpu)
#define bpf_get_current_task_btf()		(&the_task)

#include "mechanism/trap/bpf/xprobe.h"
#include "bpf/base.bpf.h"
#include "mechanism/bpf/thread.bpf.h"
#include "mechanism/bpf/scheduler.bpf.h"
#include "mechanism/bpf/moments.bpf.h"

#include "check.h"

static struct rq rqs[CPUS];
static struct cfs_rq cfs_rqs[CPUS];
static __u64 stolen_ns[CPUS];		/* by now, as the hypervisor tells it */
static __u64 interrupts_ns[CPUS], told_interrupts_ns[CPUS];
static struct thread thread;
static bool is_running;
static __u64 seen_late_ns;		/* switches, after the scheduler has looked at its clock */
static __u8 seems_to_wait_for;		/* where it left unreported: the cause that its system call tells */
static __u64 on_cpu_ns;			/* the truth, by CLOCK_MONOTONIC */

/* What the kernel does at a tick, a switch and whenever a task asks for its CPU time. */
static void update_clock(__u32 of, __u64 forgotten_ns)
{
	struct rq *rq = &rqs[of];
	__u64 delta = now_ns - began_ns[of] - rq->clock, steal = stolen_ns[of] - rq->prev_steal_time_rq;
	__u64 interrupts = interrupts_ns[of] - told_interrupts_ns[of];

	rq->clock += delta;
	if (interrupts > delta)
		interrupts = delta;
	told_interrupts_ns[of] += interrupts;
	delta -= interrupts;
	rq->prev_steal_time_rq += steal;
	steal -= forgotten_ns;
	rq->clock_task += delta - (steal < delta ? steal : delta);
}

static void update_task(__u64 forgotten_ns)
{
	update_clock(cpu, forgotten_ns);
	the_task.se.sum_exec_runtime += rqs[cpu].clock_task - the_task.se.exec_start;
	the_task.se.exec_start = rqs[cpu].clock_task;
}

/* Ticks come as they do. */
static void goes_on(__u64 ns)
{
	__u64 step;

	for (; ns; ns -= step) {
		step = TICK_NS - now_ns % TICK_NS;
		if (step > ns)
			step = ns;
		now_ns += step;
		if (is_running)
			on_cpu_ns += monotonic(now_ns) - monotonic(now_ns - step);
		if (is_running && !(now_ns % TICK_NS))
			update_task(0);
	}
}

/* While the thread runs. */
static void is_stolen(__u64 ns, __u64 forgotten_ns)
{
	now_ns += ns;
	stolen_ns[cpu] += ns;
	update_task(forgotten_ns);
}

/* Likewise: figures count interrupts as the thread's own time on its CPU. */
static inline void is_interrupted(__u64 ns)
{
	now_ns += ns;
	interrupts_ns[cpu] += ns;
	on_cpu_ns += monotonic(now_ns) - monotonic(now_ns - ns);
	update_task(0);
}

/* While the thread is elsewhere, or off. */
static inline void others_lose(__u32 of, __u64 interrupts, __u64 stolen)
{
	now_ns += interrupts + stolen;
	interrupts_ns[of] += interrupts;
	stolen_ns[of] += stolen;
	update_clock(of, 0);
}

/* From one thread that is not traced to another one. */
static inline void others_switch(__u32 of)
{
	static struct task_struct other;
	__u32 before = cpu;

	cpu = of;
	update_clock(of, 0);
	other.se.cfs_rq = &cfs_rqs[of];
	now_ns += seen_late_ns;
	cpu_clocks__look(&other);
	cpu = before;
}

static void leaves(bool is_reported, __u8 cause)
{
	update_task(0);
	is_running = false;
	if (!is_reported)
		return;
	now_ns += seen_late_ns;
	thread__catch_up(&thread);
	thread__out(&thread, &the_task, cause, bpf_ktime_get_ns());
	thread.out_cause = cause;
	thread.generation++;
}

static void returns(bool is_reported, __u32 to)
{
	cpu = to;
	the_task.se.cfs_rq = &cfs_rqs[cpu];
	update_clock(cpu, 0);
	the_task.se.exec_start = rqs[cpu].clock_task;
	is_running = true;
	if (!is_reported)
		return;
	if (!thread.out_ns)
		thread__heal_out(&thread, &the_task, seems_to_wait_for, bpf_ktime_get_ns());
	else
		thread__heal_run(&thread, &the_task, bpf_ktime_get_ns());
	thread__in(&thread, &the_task, bpf_ktime_get_ns());
}

/* An entry or an exit. */
static __u64 uncertain_ns, told_stolen_ns;

static void meets_probe(struct moment *m, u64 *off_ns)
{
	thread__catch_up(&thread);
	moment__take(m, &thread, &the_task, ~0ULL, off_ns);
	thread.probe_ns = m->now_ns;
}

static struct moment begin;
static u64 begin_off_ns[OFFS], end_off_ns[OFFS];

static void call_begins(void)
{
	meets_probe(&begin, begin_off_ns);
	on_cpu_ns = uncertain_ns = 0;
}

/* How far the figure is from the truth. */
static s64 call_ends(void)
{
	u64 *off_ns = end_off_ns, off = 0;
	struct moment end;
	int i;

	meets_probe(&end, off_ns);
	for (i = 0; i < XP_CAUSES; i++)
		if (i != XP_STEAL - XP_FIRST_CAUSE)
			off += off_ns[i] - begin_off_ns[i];
	told_stolen_ns = end.steal_ns - begin.steal_ns;
	uncertain_ns = off_ns[OFF_UNCERTAIN] - begin_off_ns[OFF_UNCERTAIN];
	return end.now_ns - begin.now_ns - off - told_stolen_ns - on_cpu_ns;
}

/* Of the last call. */
static inline u64 told_ns(__u32 cause)
{
	return end_off_ns[cause - XP_FIRST_CAUSE] - begin_off_ns[cause - XP_FIRST_CAUSE];
}

static inline void is_woken(void)
{
	thread__is_woken(&thread, monotonic(now_ns));
}

static void is_within(s64 error, s64 bound, const char *name)
{
	check(error <= bound && -error <= bound, name, error < 0 ? -error : error);
}

/* Of a new thread, that has been on the first CPU and off. */
static void start(void)
{
	int i;

	counters.healed_switches = 0;
	ahead_ns = ahead_since_ns = 0;
	seems_to_wait_for = XP_PREEMPTED;
	seen_late_ns = 0;
	now_ns = 1000 * TICK_NS + 1;
	reading_takes_ns = 0;
	__builtin_memset(&the_task, 0, sizeof(the_task));
	__builtin_memset(&thread, 0, sizeof(thread));
	for (i = 0; i < CPUS; i++) {
		rqs[i] = (struct rq){ 0 };
		cfs_rqs[i].rq = &rqs[i];
		stolen_ns[i] = interrupts_ns[i] = told_interrupts_ns[i] = 0;
		cpu_clocks[i] = (struct cpu_clocks){ 0 };
	}
	now_ns += began_ns[0];
	cpu = 0;
	the_task.se.cfs_rq = &cfs_rqs[0];
	update_clock(0, 0);
	the_task.se.exec_start = rqs[0].clock_task;
	is_running = true;
	thread__rebase(&thread, &the_task);
	goes_on(MS / 10);
	leaves(true, XP_PREEMPTED);
	goes_on(MS);
	returns(true, 0);
	goes_on(MS / 10);
}

#endif
