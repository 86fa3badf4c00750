// SPDX-License-Identifier: GPL-2.0
/*
 * How long a thread was off its CPU, where switches go unreported, time is stolen and the kernel
 * forgets that: the eBPF programs' own reckoning, on a scheduler that is played here, so that each
 * order of events can be forced and the truth is known.
 */
#include <stdlib.h>

#include "played_scheduler.h"

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
	if (!is_reported)
		others_switch(0);
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
	if (wakes)
		is_woken();
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

/* What it did until it was woken is one cause, and what it waited for a CPU since then another. */
static void departure_is_unreported(void)
{
	start();
	call_begins();
	goes_on(TICK_NS);
	leaves(false, 0);
	goes_on(5 * MS);
	is_woken();
	goes_on(7 * MS);
	seems_to_wait_for = XP_SLEEP;
	returns(true, 0);
	goes_on(MS);
	is_within(call_ends(), 0, "a thread that left unreported, and was woken");
	check(told_ns(XP_SLEEP) == 5 * MS, "slept", told_ns(XP_SLEEP));
	check(told_ns(XP_RUN_QUEUE) == 7 * MS, "and waited for a CPU", told_ns(XP_RUN_QUEUE));
}

/* Awake while it still runs, as where it was woken before it had left: no absence, and no part of the next one. */
static void is_woken_before_it_leaves(bool is_reported)
{
	start();
	call_begins();
	goes_on(MS);
	is_woken();
	goes_on(MS);
	leaves(is_reported, XP_SLEEP);
	goes_on(5 * MS);
	seems_to_wait_for = XP_SLEEP;
	returns(true, 0);
	goes_on(MS);
	is_within(call_ends(), 0, "a thread that is woken before it leaves");
	check(told_ns(XP_SLEEP) == 5 * MS, "slept all the time", told_ns(XP_SLEEP));
}

/* Nobody knows what it waited for before that. */
static void both_are_unreported_but_it_was_woken(u32 to)
{
	start();
	leaves(true, XP_PREEMPTED);
	returns(true, 1);
	leaves(true, XP_PREEMPTED);
	returns(true, 0);
	call_begins();
	goes_on(TICK_NS);
	leaves(false, 0);
	goes_on(5 * MS);
	is_woken();
	goes_on(MS);
	returns(false, to);
	goes_on(2 * MS);
	is_within(call_ends(), 0, "two unreported switches, and a wakeup in between");
	check(told_ns(XP_OTHER) == 6 * MS && !told_ns(XP_PREEMPTED), "are no competition for a CPU", told_ns(XP_PREEMPTED));
	call_begins();
	goes_on(TICK_NS);
	leaves(false, 0);
	goes_on(6 * MS);
	returns(false, to);
	goes_on(2 * MS);
	is_within(call_ends(), 0, "and then two without one");
	check(told_ns(XP_PREEMPTED) == 6 * MS, "are", told_ns(XP_OTHER));
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

static void others_run(unsigned int ms)
{
	for (; ms; ms--) {
		goes_on(MS);
		seen_late_ns = 4000 + random() % (random() % 20 ? 30000 : 300000);
		others_switch(0);
	}
}

/*
 * On a busy machine switches are told some time after the scheduler has looked at its clock, now more and now less: most of
 * all where who takes the place was woken by an interrupt.
 */
static void switches_are_seen_late(void)
{
	u64 truly;
	int i;

	srandom(1);
	start();
	others_run(1000);
	call_begins();
	for (i = 0; i < 1000; i++) {
		goes_on(4 * MS);
		seen_late_ns = 4000 + random() % 30000;
		leaves(true, XP_PREEMPTED);
		others_run(3);
		seen_late_ns = 0;
		returns(true, 0);
	}
	truly = on_cpu_ns;
	is_within(call_ends(), truly / 10000, "1 000 times preempted, which is seen late: on-CPU as the scheduler has it, but for 0.01 %");
	check(!counters.healed_switches, "make up no absence", counters.healed_switches);
}

/* While NTP corrects a clock that was wrong: what is its rate was not late. */
static void clocks_are_slewed(s64 ppm, unsigned int late_ns, unsigned int jitter_ns, u64 run_ns, const char *name)
{
	u64 truly;
	s64 error;
	int i;

	srandom(1);
	start();
	is_disciplined(ppm);
	call_begins();
	for (i = 0; i < 1300; i++) {
		if (i == 300) {
			error = call_ends();
			is_within(error, uncertain_ns + 5000, "until the rate is followed");
			call_begins();
		}
		goes_on(run_ns);
		seen_late_ns = late_ns + (jitter_ns ? random() % jitter_ns : 0);
		leaves(true, XP_PREEMPTED);
		goes_on(3 * MS);
		seen_late_ns = 0;
		returns(true, 0);
	}
	truly = on_cpu_ns;
	error = call_ends();
	is_within(error, truly / 10000, name);
	is_within(error, uncertain_ns + 5000, "within its bound");
	check(uncertain_ns <= truly / 5000, "which is narrow", uncertain_ns);
	check(!counters.healed_switches, "and no absence is made up", counters.healed_switches);
	ahead_ppm = 0;
}

static void clocks_are_slewed_while_preempted(void)
{
	static const s64 ppm[] = { 0, 500, 5000, 10000, 20000, 50000, 83000, -500, -10000, -83000 };
	unsigned int i;

	for (i = 0; i < sizeof(ppm) / sizeof(*ppm); i++) {
		clocks_are_slewed(ppm[i], 0, 0, 4 * MS, "1 000 times preempted, while clocks are slewed");
		clocks_are_slewed(ppm[i], 8000, 0, 4 * MS, "the same, seen late");
		clocks_are_slewed(ppm[i], 4000, 30000, 4 * MS, "the same, seen late now more and now less");
		clocks_are_slewed(ppm[i], 4000, 30000, 8 * MS, "the same, after longer runs");
	}
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
	departure_is_unreported();
	is_woken_before_it_leaves(false);
	is_woken_before_it_leaves(true);
	both_are_unreported_but_it_was_woken(0);
	both_are_unreported_but_it_was_woken(1);
	clocks_are_read_in_between();
	clocks_go_apart();
	switches_are_seen_late();
	clocks_are_slewed_while_preempted();
	anything();
	return failed;
}
