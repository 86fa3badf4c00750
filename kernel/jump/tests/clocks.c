// SPDX-License-Identifier: GPL-2.0
/*
 * Times on CPUs of calls in the own process: what the stamps make of clocks that this test writes itself, to the tick, and
 * then of the scheduler's, beside what the program knows of itself.
 *
 *	clocks [TIMES]		so many times the calls of the second part
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>
#include <asm/prctl.h>

#include "on_cpu.h"
#include "own_process.h"

#define NR_CLOCKS JUMP_MAX_CLOCKS
#define CAUSE 4		/* of all that threads are away; tests/causes.c has the others */
#define RATE (3ull << 31)	/* 1.5 ns a tick */

static struct own_process own;
static struct call_counts earlier;
static double longest_truth;
static struct jump_clock clocks[NR_CLOCKS] __attribute__((aligned(64)));
static uint64_t self, number = 1;
static int failed, times = 1;

static void check(bool good, const char *name, const char *what)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, what);
	failed |= !good;
}

/* Since the last time; the longest ones are those of all. */
static uint32_t function;

static struct call_counts since(void)
{
	struct call_counts now = own_process__counts(&own, function), new = now;

	new.timed -= earlier.timed;
	new.total -= earlier.total;
	new.away_ns -= earlier.away_ns;
	new.unknown -= earlier.unknown;
	new.unknown_total -= earlier.unknown_total;
	new.beyond -= earlier.beyond;
	new.is_short -= earlier.is_short;
	new.nested -= earlier.nested;
	new.unnested -= earlier.unnested;
	earlier = now;
	return new;
}

static const struct call_buckets *buckets(void)
{
	static struct call_buckets all;

	shared__buckets(own.shared, &own.layout, 0, &all);
	return &all;
}

/* All calls of the histogram of times on CPUs. */
static uint64_t in_buckets(void)
{
	const struct call_buckets *all = buckets();
	uint64_t calls = 0;

	for (uint32_t i = 0; i < JUMP_BUCKETS; i++)
		calls += all->on_cpu[i];
	return calls;
}

static uint32_t bucket_of(uint64_t ns)
{
	int shift = 63 - __builtin_clzll(ns | 16) - 4;

	return 16 * shift + (ns >> shift);
}

static uint64_t in_bucket_of(uint64_t ns)
{
	return buckets()->on_cpu[bucket_of(ns)];
}

static void set_clocks(uint64_t thread, uint64_t away_ns)
{
	for (int i = 0; i < NR_CLOCKS; i++) {
		clocks[i].thread = thread;
		clocks[i].number = number;
		clocks[i].away_ns += away_ns;
		clocks[i].cause_ns[CAUSE] += away_ns;
	}
}

/* What happens within a call; HALF: it is away for half of it. */
#define HALF INT64_MAX
static uint64_t meanwhile_thread, meanwhile_ns, meanwhile_ticks, meanwhile_number;
static int meanwhile_calls;
static uint64_t inner_ticks, outer_ticks;	/* what was spent in it, and around it */

static void nothing(void)
{
}

static void meanwhile(void)
{
	uint64_t begin = __rdtsc();

	while (__rdtsc() - begin < meanwhile_ticks)
		;
	for (int i = 0; i < meanwhile_calls; i++)
		o_plain(nothing);
	number += meanwhile_number;
	set_clocks(meanwhile_thread, meanwhile_ns == HALF ? (__rdtsc() - begin) * 3 / 4 : meanwhile_ns);
	inner_ticks = __rdtsc() - begin;
}

static struct call_counts call(uint64_t thread_before, uint64_t thread_after, uint64_t away_ns, uint64_t ticks)
{
	set_clocks(thread_before, 12345);
	meanwhile_thread = thread_after;
	meanwhile_ns = away_ns;
	meanwhile_ticks = ticks;
	since();
	outer_ticks = __rdtsc();
	o_works(meanwhile);
	outer_ticks = __rdtsc() - outer_ticks;
	return since();
}

static void check_call(const char *name, struct call_counts counts, int64_t away_ns, uint64_t unknown, bool beyond)
{
	char what[160];

	snprintf(what, sizeof(what), "%" PRIu64 " ns, away %" PRId64 " ns, %" PRIu64 " unknown, %" PRIu64 " beyond, %" PRIu64 " of %" PRIu64 " in buckets",
		 counts.total, counts.away_ns, counts.unknown, counts.beyond, in_buckets(), earlier.timed - earlier.unknown);
	check(counts.timed == 1 && counts.away_ns == away_ns && counts.unknown == unknown &&
	      counts.unknown_total == (unknown ? counts.total : 0) && !counts.beyond == !beyond &&
	      in_buckets() == earlier.timed - earlier.unknown, name, what);
}

/* Calls of another measured function within a call, whose cost is made up; with RATE three take so many ns. */
#define CALL_TICKS 1000000
#define THREE_NS (3 * CALL_TICKS * 3 / 2)

static void check_nested(void)
{
	struct call_counts counts = call(self, self, 0, 100);

	check(!counts.nested && !counts.unnested, "no measured call within a call", "is none");
	own.shared->call = CALL_TICKS;
	meanwhile_calls = 3;
	counts = call(self, self, 0, 10 * CALL_TICKS);
	check(counts.nested == 3 && !counts.unnested && !counts.is_short, "measured calls within a call", "are three");
	check(counts.total + THREE_NS + 2 >= inner_ticks * 3 / 2 && counts.total + THREE_NS <= outer_ticks * 3 / 2 + 2,
	      "what they cost is taken off", "of its time");
	own.shared->call = 1ull << 40;
	counts = call(self, self, 0, 100);
	check(counts.is_short == 1 && !counts.total, "a call that is shorter than that counts as nothing", "and is told");
	meanwhile_calls = 0;
	own.shared->call = 0;
}

static void check_made_up(void)
{
	const uint64_t rate = own.shared->rate;
	struct call_counts counts;
	uint64_t ran, before;

	asm volatile("rdfsbase %0" : "=r"(self));
	own.shared->rate = RATE;
	shared__use_clocks(own.shared, (uint64_t)clocks, NR_CLOCKS);
	counts = call(self, self, 0, 100);
	check_call("a call that nobody interrupts", counts, 0, 0, false);
	check(counts.longest_on_cpu == counts.total && counts.longest == counts.total && !counts.cause_longest[CAUSE],
	      "it runs for all of its time", "to the tick");
	/* Longer than any so far, whatever else the machine did. */
	counts = call(self, self, HALF, 3 * own_process__counts(&own, 0).longest);
	check_call("a call whose thread is away", counts, counts.away_ns, 0, false);
	ran = counts.total - counts.away_ns;
	check(counts.longest_on_cpu == ran && counts.away_ns > 0, "it runs for the rest", "to the ns");
	check(in_bucket_of(ran) == 1 && (!in_bucket_of(counts.total) || bucket_of(ran) == bucket_of(counts.total)), "it is in the bucket of what it ran",
	      "and not in that of what it took");
	check(counts.cause_longest[CAUSE] == (uint64_t)counts.away_ns && buckets()->cause[CAUSE][bucket_of(counts.away_ns)] == 1 &&
	      buckets()->wall[bucket_of(counts.total)] >= 1, "and in those of what it took and was away for", "once each");
	counts = call(self, self, 1000000000000, 100);
	check_call("a thread that was away for longer than the call took", counts, 1000000000000, 0, true);
	check(counts.beyond == 1000000000000 - counts.total, "that is told", "to the ns");
	counts = call(self, self, -1000, 100);
	check_call("a thread that ran for longer than the call took", counts, -1000, 0, true);
	check(counts.beyond == 1000, "that is told too", "to the ns");
	own.shared->inner = 40;
	counts = call(self, self, 0, 1000000);
	own.shared->inner = 1ull << 40;
	before = in_bucket_of(0);
	ran = call(self, self, 0, 100).is_short;
	own.shared->inner = 0;
	check(!counts.is_short && ran == 1 && in_bucket_of(0) == before + 1, "a call that is shorter than the stamps counts as nothing", "and is told");
	check_nested();
	meanwhile_number = 1;
	check_call("a call that ends on another thread with the same FS base", call(self, self, 0, 100), 0, 1, false);
	meanwhile_number = 0;
	check_call("a call that ends on another thread", call(self, self + 64, 0, 100), 0, 1, false);
	check_call("a thread that is not known at its entry", call(JUMP_NO_THREAD, self, 0, 100), 0, 1, false);
	check_call("a thread that is not known at its end", call(self, JUMP_NO_THREAD, 0, 100), 0, 1, false);
	check_call("another thread's clock at both", call(self + 64, self + 64, 0, 100), 0, 1, false);
	shared__use_clocks(own.shared, (uint64_t)clocks, 0);
	check_call("a processor that has no clock", call(self, self, 0, 100), 0, 1, false);
	shared__use_clocks(own.shared, 0, 0);
	check_call("the wall's clock alone", call(self, self, 0, 100), 0, 0, false);
	own.shared->rate = rate;
}

static uint64_t wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* What the kernel's programs write of a thread that stays on its processor and sleeps. */
static bool is_accounted(const struct jump_clock *clock)
{
	uint64_t outer = wall_ns(), ran = on_cpu__now_ns(), away = clock->away_ns, inner = wall_ns();

	usleep(2000);
	inner = wall_ns() - inner;
	ran = on_cpu__now_ns() - ran;
	away = clock->away_ns - away;
	outer = wall_ns() - outer;
	/* The wall's clock may be slowed down or sped up, by 1/2000. */
	return clock->thread == self && clock->number >> 32 == (uint64_t)gettid() && away <= outer + outer / 2000 &&
	       away + ran >= inner - inner / 2000;
}

static void check_written(void)
{
	struct thread_clocks written;
	struct error error = { 0 };
	const struct jump_clock *there;
	int good = 0, users;

	if (syscall(SYS_arch_prctl, ARCH_GET_FS, &self) || thread_clocks__open(&written, 0, &error) ||
	    thread_clocks__watch(&written, getpid(), &users, &error)) {
		printf("ok times on CPUs: skipped: %s\n", error.message);
		thread_clocks__close(&written);
		return;
	}
	there = mmap(NULL, written.bytes, PROT_READ, MAP_SHARED, written.file, 0);
	on_cpu__begin_rivals();
	usleep(1000);
	for (int i = 0; i < 100; i++)
		good += is_accounted(&there[sched_getcpu()]);
	on_cpu__end_rivals();
	check(good > 90, "the kernel writes what a thread has run", good == 100 ? "100 of 100" : "not at each switch");
	thread_clocks__close(&written);
}

/* The scheduler's clocks: what a call ran for lies between what the program knows, but for 2 us or 1 %. */
static void check_true(const char *name, void (*work)(void), int calls)
{
	double low = 0, high = 0, all_ns = 0;
	uint64_t unknown = 0, wrong = 0, beyond = 0;
	char what[200];

	calls *= times;
	for (int i = 0; i < calls; i++) {
		struct on_cpu_truth truth;
		struct call_counts counts;
		double ran, slack, off;

		since();
		truth = on_cpu__call(work);
		counts = since();
		ran = (double)counts.total - counts.away_ns;
		slack = truth.outer_ns / 100.0 > 2000 ? truth.outer_ns / 100.0 : 2000;
		unknown += counts.unknown;
		beyond += counts.beyond;
		if (counts.unknown)
			continue;
		off = on_cpu__error_ns(&truth, ran);
		low = off < low ? off : low;
		high = off > high ? off : high;
		all_ns += ran;
		wrong += off < -slack || off > slack;
	}
	snprintf(what, sizeof(what), "%d calls of %.1f us, from %.0f to +%.0f ns, %" PRIu64 " unknown, %" PRIu64 " wrong, %" PRIu64 " ns beyond",
		 calls, all_ns / calls / 1000, low, high, unknown, wrong, beyond);
	check(!wrong && unknown * 10 <= (uint64_t)calls, name, what);
}

/*
 * The same of many calls, while nobody asks for the thread's time: that would bring its account up to date, and repair at each call what
 * interrupts, other guests of the host and switches that are not reported change.  What calls ran is no more than the thread
 * has, and no less, but for 10 % and calls that it is not known of; the loop and half of each stamp are not theirs.
 */
static void check_batch(const char *name, void (*work)(void), int calls)
{
	struct call_counts counts;
	double truth, ran, unknown;
	char what[200];

	calls *= times;
	function = 1;
	since();
	truth = on_cpu__call_often(work, calls);
	counts = since();
	function = 0;
	longest_truth = truth > longest_truth ? truth : longest_truth;
	unknown = counts.unknown_total;
	ran = (double)counts.total - unknown - counts.away_ns;
	snprintf(what, sizeof(what), "%d calls, %.0f of %.0f us, %" PRIu64 " unknown, %" PRIu64 " ns beyond, the longest of all %.0f us",
		 calls, ran / 1000, truth / 1000, counts.unknown, counts.beyond, (double)counts.longest_on_cpu / 1000);
	check(ran <= truth * 1.1 && ran + unknown >= truth * 0.9 && counts.unknown * 10 <= (uint64_t)calls &&
	      (double)counts.longest_on_cpu <= longest_truth * 1.1, name, what);
}

static void check_batches(void)
{
	check_batch("many calls that compute", on_cpu__compute, 1000);
	check_batch("many calls that sleep", on_cpu__sleep, 1000);
	check_batch("many calls that compute and sleep", on_cpu__mix, 1000);
	check_batch("many short calls", on_cpu__short, 100000);
}

/* Other classes of the scheduler's have their threads charged in other ways. */
static void check_real_time(void)
{
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 })) {
		printf("ok calls of a thread of real time: skipped, that is not allowed here\n");
		return;
	}
	check_true("calls of a thread of real time that compute", on_cpu__compute, 300);
	check_true("calls of a thread of real time that do both", on_cpu__mix, 300);
	check_batch("many calls of a thread of real time", on_cpu__mix, 1000);
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
}

static void check_real(void)
{
	struct error error = { 0 };

	if (own_process__use_clocks(&own, &error)) {
		printf("ok times on CPUs: skipped: %s\n", error.message);
		return;
	}
	check(mmap(NULL, own.clocks.bytes, PROT_WRITE, MAP_SHARED, own.clocks.file, 0) == MAP_FAILED &&
	      mprotect((void *)own.shared->clocks, own.clocks.bytes, PROT_READ | PROT_WRITE),
	      "the clocks can't be written", "neither by who has their file, nor where they are mapped");
	check_true("calls that compute", on_cpu__compute, 300);
	check_true("calls that sleep", on_cpu__sleep, 300);
	check_true("calls that sleep for long", on_cpu__sleep_long, 3);
	check_true("calls that compute and sleep", on_cpu__mix, 300);
	check_true("short calls", on_cpu__short, 3000);
	check_batches();
	check_real_time();
	on_cpu__begin_rivals();
	check_batch("many calls that compute beside others", on_cpu__compute, 1000);
	check_batch("many calls that do both beside others", on_cpu__mix, 300);
	check_true("long calls beside others", on_cpu__long, 30);
	check_true("calls that compute and sleep beside others", on_cpu__mix, 300);
	on_cpu__end_rivals();
	thread_clocks__close(&own.clocks);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "o_works", "o_plain" };

	if (argc > 1)
		times = atoi(argv[1]);
	check_written();
	own_process__init(&own, names, 2, 2, 64);
	own_process__patch(&own);
	if (thread_clocks__check_processor(NULL))
		printf("ok times on CPUs: skipped, the processor can't\n");
	else
		check_made_up();
	check_real();
	return failed;
}
