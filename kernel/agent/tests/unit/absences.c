// SPDX-License-Identifier: GPL-2.0
/*
 * How long a thread was off its CPU, where switches go unreported, time is stolen and the kernel
 * forgets that: the eBPF programs' own reckoning, on a scheduler that is played here, so that each
 * order of events can be forced and the truth is known.
 */
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

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

/* How fast CLOCK_MONOTONIC is, by NTP, against the scheduler's clock. */
static __u64 ahead_ppm;

static __u64 read_clock(void)
{
	now_ns += reading_takes_ns;
	return now_ns + now_ns / 1000000 * ahead_ppm;
}

#undef bpf_core_field_exists
#define bpf_core_field_exists(field)		1
#define bpf_ktime_get_ns()			read_clock()
#define bpf_get_smp_processor_id()		(cpu)
#define bpf_get_current_task_btf()		(&the_task)

#include "mechanism/trap/bpf/xprobe.h"
#include "mechanism/bpf/base.bpf.h"
#include "mechanism/trap/bpf/thread.bpf.h"
#include "mechanism/trap/bpf/scheduler.bpf.h"
#include "mechanism/trap/bpf/absences.bpf.h"

#include "check.h"

static struct rq rqs[CPUS];
static struct cfs_rq cfs_rqs[CPUS];
static __u64 stolen_ns[CPUS];		/* by now, as the hypervisor tells it */
static struct thread thread;
static bool is_running;
static __u64 on_cpu_ns;			/* the truth */

/* What the kernel does at a tick, a switch and whenever a task asks for its CPU time. */
static void update_clock(__u32 of, __u64 forgotten_ns)
{
	struct rq *rq = &rqs[of];
	__u64 delta = now_ns - began_ns[of] - rq->clock, steal = stolen_ns[of] - rq->prev_steal_time_rq;

	rq->clock += delta;
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
			on_cpu_ns += step;
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

static void leaves(bool is_reported, __u8 cause)
{
	update_task(0);
	is_running = false;
	if (!is_reported)
		return;
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
	if (is_reported)
		thread__in(&thread, &the_task, bpf_ktime_get_ns());
}

/* An entry or an exit. */
static __u64 figure_ns, uncertain_ns;

static void meets_probe(struct moment *m, u64 *off_ns)
{
	thread__catch_up(&thread);
	moment__take(m, &thread, &the_task, ~0ULL, off_ns);
	thread.probe_ns = m->now_ns;
}

static struct moment begin;
static u64 begin_off_ns[OFFS];

static void call_begins(void)
{
	meets_probe(&begin, begin_off_ns);
	on_cpu_ns = uncertain_ns = 0;
	thread.uncertain_ns = 0;
}

/* How far the figure is from the truth. */
static s64 call_ends(void)
{
	u64 off_ns[OFFS], off = 0;
	struct moment end;
	int i;

	meets_probe(&end, off_ns);
	for (i = 0; i < XP_CAUSES; i++)
		if (i != XP_STEAL - XP_FIRST_CAUSE)
			off += off_ns[i] - begin_off_ns[i];
	off += end.steal_ns - begin.steal_ns;
	figure_ns = end.now_ns - begin.now_ns - off;
	uncertain_ns = thread.uncertain_ns;
	return figure_ns - on_cpu_ns;
}

/* Of a new thread, that has been on the first CPU and off. */
static void start(void)
{
	int i;

	counters.healed_switches = 0;
	now_ns = 1000 * TICK_NS + 1;
	reading_takes_ns = 0;
	__builtin_memset(&the_task, 0, sizeof(the_task));
	__builtin_memset(&thread, 0, sizeof(thread));
	for (i = 0; i < CPUS; i++) {
		rqs[i] = (struct rq){ 0 };
		cfs_rqs[i].rq = &rqs[i];
		stolen_ns[i] = clock_offset_ns[i] = 0;
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

static void is_within(s64 error, s64 bound, const char *name)
{
	check(error <= bound && -error <= bound, name, error < 0 ? -error : error);
}

static void all_is_reported(void)
{
	start();
	call_begins();
	goes_on(MS);
	leaves(true, XP_SLEEP);
	goes_on(7 * MS);
	returns(true, 0);
	goes_on(2 * MS);
	is_stolen(3 * MS, 0);
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(5 * MS);
	returns(true, 1);
	goes_on(6 * MS);
	is_within(call_ends(), 0, "all switches are reported");
	check(!counters.healed_switches, "and none is healed", counters.healed_switches);
}

/* The kernel charges to threads what it forgets was stolen: it is no absence. */
static void steal_is_forgotten(bool while_away, bool is_reported, const char *name)
{
	start();
	call_begins();
	goes_on(MS);
	if (!while_away)
		is_stolen(3 * MS, 3 * MS);
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(5 * MS);
	if (while_away) {
		stolen_ns[0] += 3 * MS;
		update_clock(0, 3 * MS);
	}
	goes_on(5 * MS);
	returns(is_reported, 0);
	goes_on(TICK_NS + MS);
	is_within(call_ends(), 0, name);
	call_begins();
	goes_on(MS);
	is_within(call_ends(), 0, name);
	check(counters.healed_switches == !is_reported, name, counters.healed_switches);
}

static void return_is_unreported(bool to_other, bool wakes, bool healed_by_probe, const char *name)
{
	start();
	if (to_other) {
		leaves(true, XP_PREEMPTED);
		returns(true, 1);
		leaves(true, XP_PREEMPTED);
		returns(true, 0);
	}
	call_begins();
	goes_on(MS);
	leaves(true, wakes ? XP_SLEEP : XP_PREEMPTED);
	goes_on(5 * MS);
	thread.wake_ns = wakes ? now_ns : 0;
	goes_on(4 * MS);
	returns(false, to_other);
	goes_on(TICK_NS + MS / 3);
	if (!healed_by_probe) {
		leaves(true, XP_PREEMPTED);
		goes_on(MS);
		returns(true, 0);
		goes_on(MS);
	}
	is_within(call_ends(), 0, name);
}

/* Nobody was seen to be switched on that CPU: what can't be known is in the bound. */
static void cpu_is_new(bool has_ticked, const char *name)
{
	s64 error;

	start();
	call_begins();
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(9 * MS);
	returns(false, 1);
	goes_on(has_ticked ? TICK_NS + MS / 3 : TICK_NS - now_ns % TICK_NS - 1);
	error = call_ends();
	check(error <= 0 && -error <= (s64)uncertain_ns && -error < (s64)TICK_NS, name, -error);
}

static void both_are_unreported(__u32 to, bool found_by_probe, const char *name)
{
	start();
	leaves(true, XP_PREEMPTED);
	returns(true, 1);
	leaves(true, XP_PREEMPTED);
	returns(true, 0);
	stolen_ns[1] += 90000 * MS;
	call_begins();
	goes_on(TICK_NS);
	leaves(false, 0);
	goes_on(6 * MS);
	returns(false, to);
	goes_on(2 * MS);
	if (!found_by_probe) {
		leaves(true, XP_PREEMPTED);
		goes_on(MS);
		returns(true, to);
		goes_on(MS);
	}
	is_within(call_ends(), 0, name);
}

/* It is alone on its CPU, and the two clocks are not disciplined alike. */
static void clocks_go_apart(void)
{
	ahead_ppm = 100;
	start();
	goes_on(20000 * MS);
	call_begins();
	goes_on(100 * MS);
	leaves(true, XP_SLEEP);
	goes_on(MS);
	returns(true, 0);
	goes_on(MS);
	is_within(call_ends(), 102 * MS / 10000 + 1000, "20 s without a switch, while clocks go apart");
	check(!counters.healed_switches, "make up no absence", counters.healed_switches);
	ahead_ppm = 0;
}

/* Another CPU brings the clocks up to date: rq->clock already is, and that of tasks not yet. */
static void clocks_are_read_in_between(void)
{
	s64 error;

	start();
	call_begins();
	leaves(true, XP_PREEMPTED);
	goes_on(6 * MS);
	returns(false, 0);
	goes_on(MS);
	rqs[0].clock += MS;
	thread__catch_up(&thread);
	rqs[0].clock_task += MS;
	goes_on(3 * MS);
	leaves(true, XP_PREEMPTED);
	goes_on(MS);
	returns(true, 0);
	goes_on(MS);
	error = call_ends();
	check(error <= 0 && -error <= (s64)MS, "clocks that another CPU is changing", -error);
}

/* As it comes; what was stolen may lie in the absence that follows. */
static void anything(void)
{
	s64 worst = 0, beyond, error;
	unsigned int seed, step;

	for (seed = 1; seed <= 20000; seed++) {
		srandom(seed);
		start();
		reading_takes_ns = random() % 3 * 20;
		call_begins();
		for (step = random() % 12; step; step--) {
			goes_on(random() % (3 * MS));
			if (!(random() % 4))
				is_stolen(random() % (2 * MS), random() % 2 ? 0 : stolen_ns[cpu] % 7);
			if (random() % 2)
				continue;
			leaves(true, random() % 2 ? XP_PREEMPTED : XP_LOCK);
			goes_on(random() % (9 * MS));
			returns(random() % 2, random() % CPUS);
		}
		goes_on(random() % MS);
		error = call_ends();
		beyond = (error < 0 ? -error : error) - uncertain_ns;
		if (beyond > worst)
			worst = beyond;
	}
	/* Reading the clock takes time here as well. */
	check(worst < 5000, "whatever comes, what is beyond the bound", worst);
}

int main(void)
{
	all_is_reported();
	steal_is_forgotten(false, true, "stolen time that the kernel forgets");
	steal_is_forgotten(true, true, "the same while the thread is away");
	steal_is_forgotten(true, false, "and then an unreported switch-in");
	return_is_unreported(false, false, true, "an unreported switch-in");
	return_is_unreported(true, false, true, "an unreported switch-in on another CPU");
	return_is_unreported(true, true, true, "an unreported switch-in after a wakeup");
	return_is_unreported(false, false, false, "an unreported switch-in, seen as the thread leaves");
	cpu_is_new(true, "an unreported switch-in on a CPU that is new");
	cpu_is_new(false, "an unreported switch-in on a CPU that is new, before a tick");
	both_are_unreported(0, true, "two unreported switches");
	both_are_unreported(0, false, "two unreported switches, seen as the thread leaves");
	both_are_unreported(1, true, "an unreported move to another CPU");
	both_are_unreported(1, false, "an unreported move to another CPU, seen as the thread leaves");
	clocks_are_read_in_between();
	clocks_go_apart();
	anything();
	return failed;
}
