// SPDX-License-Identifier: GPL-2.0
/*
 * What can't be known of an absence whose switches went unreported is in the stated bound: what
 * interrupts took and the hypervisor stole meanwhile, what another CPU's clocks say nothing of, and
 * clocks that go apart.  And where it can be known, that bound is narrow.
 */
#include <stdlib.h>

#include "played_scheduler.h"

#define US	1000ULL

/* How wrong it is, and how wide the bound at most. */
static void is_bounded(u64 most_ns, const char *name)
{
	s64 error = call_ends();

	is_within(error, uncertain_ns + US, name);
	check(uncertain_ns <= most_ns, "and its bound is", uncertain_ns);
}

/* Seen on both CPUs, and now on the first. */
static void start_on_both(void)
{
	start();
	leaves(true, XP_PREEMPTED);
	returns(true, 1);
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	returns(true, 0);
}

static void is_held_up(void)
{
	is_interrupted(MS);
	goes_on(MS);
	is_stolen(2 * MS, 0);
	goes_on(TICK_NS);
}

/* Before the thread returns another one runs there for a while, whose switch-in was reported. */
static void return_is_unreported(u32 to, bool by_switch, const char *name)
{
	start_on_both();
	call_begins();
	goes_on(MS);
	leaves(true, XP_LOCK);
	others_lose(to, MS / 2, MS / 3);
	goes_on(5 * MS);
	others_switch(to);
	goes_on(MS / 10);
	returns(false, to);
	is_held_up();
	if (by_switch) {
		leaves(true, XP_PREEMPTED);
		goes_on(MS);
		returns(true, to);
		goes_on(MS);
	}
	is_within(call_ends(), 10 * US, name);
	check(uncertain_ns >= 3 * MS && uncertain_ns <= 3 * MS + 10 * US, "and it may have been before that", uncertain_ns);
	check(told_stolen_ns == 2 * MS, "and what was stolen is told as that", told_stolen_ns);
}

/* Nobody was seen to be switched there since the thread left, as long as that is ago. */
static void nobody_was_seen(u32 to, s64 ppm, u64 away_ns, const char *name)
{
	ahead_ppm = ppm;
	start_on_both();
	goes_on(MS);
	call_begins();
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(away_ns);
	others_lose(to, MS, MS);
	goes_on(5 * MS);
	returns(false, to);
	is_held_up();
	is_bounded(6 * MS + away_ns / 500, name);
	ahead_ppm = 0;
}

/* Others were, on a CPU that the thread was not on for long. */
static void clocks_are_looked_at(s64 ppm, const char *name)
{
	ahead_ppm = ppm;
	start_on_both();
	goes_on(1000000 * MS);
	call_begins();
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(MS);
	others_switch(1);
	goes_on(MS);
	returns(false, 1);
	goes_on(3 * MS);
	is_within(call_ends(), 5 * US, name);
	check(uncertain_ns <= 20 * US, "and that is known", uncertain_ns);
	ahead_ppm = 0;
}

static void both_are_unreported(u32 to, bool by_switch, const char *name)
{
	start_on_both();
	others_switch(1);
	call_begins();
	goes_on(TICK_NS);
	is_held_up();
	leaves(false, 0);
	goes_on(2 * MS);
	others_lose(to, MS, 0);
	goes_on(2 * MS);
	others_switch(to);
	returns(false, to);
	is_held_up();
	if (by_switch) {
		leaves(true, XP_PREEMPTED);
		goes_on(MS);
		returns(true, to);
		goes_on(MS);
	}
	is_bounded(8 * MS, name);
}

static void departure_is_unreported(u32 to, const char *name)
{
	start_on_both();
	call_begins();
	goes_on(MS);
	is_held_up();
	leaves(false, 0);
	goes_on(5 * MS);
	returns(true, to);
	goes_on(MS);
	is_bounded(4 * MS, name);
}

/* The thread left, and then ran for a while, of which neither switch was reported. */
static void run_is_unreported(void)
{
	start_on_both();
	call_begins();
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(MS);
	returns(false, 1);
	is_held_up();
	leaves(false, 0);
	goes_on(MS);
	returns(true, 0);
	goes_on(MS);
	is_bounded(5 * MS, "a run of which neither switch was reported");
}

/* Clocks that go apart while a thread is alone on its CPU don't say when it left that. */
static void is_preempted_late(s64 ppm, const char *name)
{
	ahead_ppm = ppm;
	start();
	goes_on(4000 * MS);
	call_begins();
	goes_on(MS);
	leaves(true, XP_PREEMPTED);
	goes_on(3 * MS);
	returns(true, 0);
	goes_on(MS);
	is_within(call_ends(), 10 * US, name);
	ahead_ppm = 0;
}

static void meets_a_probe(void)
{
	u64 off_ns[OFFS];
	struct moment m;

	meets_probe(&m, off_ns);
}

/* What happened before a call began is no doubt of that call. */
static void call_begins_after(u32 to, const char *name)
{
	start_on_both();
	others_switch(1);
	meets_a_probe();
	goes_on(TICK_NS);
	is_held_up();
	leaves(false, 0);
	goes_on(5 * MS);
	returns(false, to);
	is_held_up();
	call_begins();
	goes_on(US);
	is_within(call_ends(), 0, name);
	check(counters.healed_switches > 0 && !uncertain_ns, "and it is certain", uncertain_ns);
}

/* Threads that are not traced, on both CPUs. */
static void others_go_on(u64 ns, u64 each_ns)
{
	for (; ns >= each_ns; ns -= each_ns) {
		goes_on(each_ns);
		others_switch(0);
		others_switch(1);
	}
}

/* NTP corrects a clock faster than it usually does: since so long, and CPUs are looked at so often. */
static void clocks_are_slewed(s64 ppm, u64 since_ns, u64 each_ns, u32 to, u64 most_ns, const char *name)
{
	start_on_both();
	others_go_on(10 * MS, MS);
	is_disciplined(ppm);
	others_go_on(since_ns, each_ns);
	call_begins();
	goes_on(MS);
	leaves(true, XP_LOCK);
	others_go_on(5 * MS, MS);
	goes_on(MS / 10);
	returns(false, to);
	goes_on(3 * MS);
	is_bounded(most_ns, name);
	is_disciplined(0);
}

/* Then nothing at all is seen for a while. */
static void clocks_were_slewed(s64 ppm, const char *name)
{
	start_on_both();
	is_disciplined(ppm);
	others_go_on(1000 * MS, MS);
	call_begins();
	goes_on(MS);
	leaves(true, XP_LOCK);
	goes_on(50 * MS);
	returns(false, 0);
	goes_on(3 * MS);
	is_bounded(55 * MS, name);
	is_disciplined(0);
	others_go_on(1000 * MS, MS);
	call_begins();
	goes_on(MS);
	leaves(true, XP_LOCK);
	goes_on(50 * MS);
	returns(false, 0);
	goes_on(3 * MS);
	is_bounded(MS, "and when that has ended");
}

/* One that follows at once is not looked at, also where clocks go apart. */
static void others_switch_at_once(void)
{
	u64 seen_ns;

	start_on_both();
	is_disciplined(5000);
	others_go_on(3 * MS, MS);
	seen_ns = cpu_clocks[0].seen_ns;
	goes_on(US);
	others_switch(0);
	check(seen_ns == cpu_clocks[0].seen_ns, "others' switches at once are not looked at", cpu_clocks[0].seen_ns - seen_ns);
	is_disciplined(0);
}

/* As it comes; but not one after the other, between probes, on other CPUs, of which nothing is known. */
static void anything(bool is_slewed, s64 most_ns, const char *name)
{
	s64 worst = 0, beyond, error;
	unsigned int seed, step, worst_seed = 0;
	bool is_known;
	u32 to;

	for (seed = 1; seed <= 20000; seed++) {
		srandom(seed);
		ahead_ppm = random() % 3 * 100 - 100;
		start_on_both();
		if (is_slewed) {
			is_disciplined(random() % 160000 - 80000);
			others_go_on(20 * MS + random() % (100 * MS), MS / (1 + random() % 8));
			if (random() % 2)
				is_disciplined(random() % 10000 - 5000);
			leaves(true, XP_LOCK);
			others_go_on(20 * MS + random() % (100 * MS), MS);
			returns(true, 0);
		} else {
			goes_on(random() % (2000 * MS));
		}
		call_begins();
		is_known = true;
		for (step = random() % 12; step; step--) {
			goes_on(random() % (3 * MS));
			if (!(random() % 3))
				is_stolen(random() % MS, random() % 2 ? 0 : stolen_ns[cpu] % 7);
			if (!(random() % 3))
				is_interrupted(random() % (MS / 4));
			if (random() % 2)
				continue;
			leaves(random() % 4 || !is_known, random() % 2 ? XP_PREEMPTED : XP_LOCK);
			to = random() % CPUS;
			others_lose(to, random() % (MS / 4), random() % (MS / 4));
			goes_on(MS + random() % (9 * MS));
			if (random() % 2)
				others_switch(random() % CPUS);
			is_known = random() % 2;
			returns(is_known, to);
			if (random() % 2)
				continue;
			goes_on(random() % MS);
			meets_a_probe();
			is_known = true;
		}
		goes_on(random() % MS);
		error = call_ends();
		beyond = (error < 0 ? -error : error) - uncertain_ns;
		if (beyond > worst) {
			worst = beyond;
			worst_seed = seed;
		}
	}
	if (worst >= most_ns)
		printf("seed %u is the worst\n", worst_seed);
	check(worst < most_ns, name, worst);
	ahead_ppm = 0;
}

int main(void)
{
	return_is_unreported(0, false, "an unreported switch-in, then interrupts and stolen time");
	return_is_unreported(0, true, "the same, seen as the thread leaves");
	return_is_unreported(1, false, "the same on another CPU");
	nobody_was_seen(0, 0, MS, "an unreported switch-in where nobody was seen since");
	nobody_was_seen(1, 0, MS, "the same on another CPU");
	nobody_was_seen(0, 400, 100000 * MS, "the same, long after, while clocks go apart");
	nobody_was_seen(1, -400, 100000 * MS, "the same on another CPU, where clocks go the other way");
	clocks_are_looked_at(100, "clocks that went apart, and others' switches");
	clocks_are_looked_at(-100, "and if they go the other way");
	both_are_unreported(0, false, "two unreported switches, with interrupts and stolen time");
	both_are_unreported(0, true, "the same, seen as the thread leaves");
	both_are_unreported(1, false, "an unreported move to another CPU, with interrupts and stolen time");
	both_are_unreported(1, true, "the same, seen as the thread leaves");
	departure_is_unreported(0, "an unreported switch-out, after interrupts and stolen time");
	departure_is_unreported(1, "the same, and a return on another CPU");
	run_is_unreported();
	is_preempted_late(100, "a thread that was alone for long, preempted");
	is_preempted_late(-100, "and if clocks go the other way");
	call_begins_after(0, "a call that begins after two unreported switches");
	call_begins_after(1, "a call that begins after an unreported move to another CPU");
	clocks_are_slewed(5000, 10000 * MS, MS, 0, 100 * US, "clocks that NTP has corrected by 5 000 ppm for 10 s");
	clocks_are_slewed(5000, 10000 * MS, MS / 16, 0, 100 * US, "the same, with many switches");
	clocks_are_slewed(-5000, 10000 * MS, MS, 0, 100 * US, "and if clocks go the other way");
	clocks_are_slewed(83333, 10000 * MS, MS, 1, 2 * MS, "the same by 83 333 ppm, and a return on another CPU");
	clocks_are_slewed(83333, 3 * MS, MS, 0, 2 * MS, "and since 3 ms");
	clocks_are_slewed(5000, 3 * MS, MS, 0, 100 * US, "and by 5 000 ppm");
	clocks_are_slewed(-83333, 1000 * MS, MS, 0, 2 * MS, "and by 83 333 ppm the other way");
	clocks_were_slewed(83333, "clocks that NTP corrects, and 50 ms without a switch");
	clocks_were_slewed(-83333, "and if clocks go the other way");
	others_switch_at_once();
	/* Clocks that go apart by 100 ppm, until they may have by LATE_NS. */
	anything(false, 6 * US, "whatever comes, what is beyond the bound");
	anything(true, 12 * 48 * US, "the same while NTP corrects clocks");
	return failed;
}
