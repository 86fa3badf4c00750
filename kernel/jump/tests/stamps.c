// SPDX-License-Identifier: GPL-2.0
/*
 * Measures its own functions by jumps: that each does what it did before, and that every call is counted exactly once,
 * with threads, exceptions, longjmp, also out of the stamps, signals, coroutines and forks.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "own_process.h"
#include "stamped.h"
#include "stepped.h"

enum {
	LEAF, TAIL, MAYBE_TAIL, SWITCH, DEEP, THROWS, CATCHES, LEAVES, RETURNS_TWICE, WAITS, YIELDS, MIRROR, FUNCTIONS
};

static const char *const names[FUNCTIONS] = {
	"m_leaf", "m_tail", "m_maybe_tail", "m_switch", "m_deep", "m_throws", "m_catches", "m_leaves", "m_returns_twice",
	"m_waits", "m_yields", "m_mirror",
};

#define SHARDS 2
#define SETS 1024

static struct own_process own;
static struct call_counts earlier[FUNCTIONS];
static uint64_t left_within;	/* calls that were lost in a stamp */
static int failed;

static void check(bool good, const char *name, const char *what)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, what);
	failed |= !good;
}

/* Since the last time. */
static struct call_counts since(int function)
{
	struct call_counts now = own_process__counts(&own, function), new = now;

	new.timed -= earlier[function].timed;
	new.abandoned -= earlier[function].abandoned;
	new.lost -= earlier[function].lost;
	new.total -= earlier[function].total;
	new.open -= earlier[function].open;
	earlier[function] = now;
	return new;
}

static void check_counts(const char *name, int function, uint64_t timed, uint64_t left, uint64_t lost)
{
	struct call_counts counts = since(function);
	char what[160];

	snprintf(what, sizeof(what), "%" PRIu64 " timed, %" PRIu64 " left by another way (%" PRIu64 " of them open), %" PRIu64 " lost",
		 counts.timed, counts.abandoned + counts.open, counts.open, counts.lost);
	check(counts.timed == timed && counts.abandoned + counts.open == left && counts.lost == lost, name, what);
}

static long (*const simple[])(long) = {
	m_leaf, m_tail, m_maybe_tail, m_switch, m_throws, m_catches, m_leaves, m_returns_twice,
};

/* All of them that return. */
static uint64_t results(void)
{
	uint64_t sum = 0;

	for (long x = -1000; x < 1000; x++)
		for (size_t i = 0; i < sizeof(simple) / sizeof(*simple); i++)
			if ((simple[i] != m_throws && simple[i] != m_leaves) || x % 3)
				sum = sum * 31 + simple[i](x);
	return sum * 31 + m_deep(20);
}

static void check_simple(uint64_t before)
{
	uint64_t after = results();

	check(before == after, "functions do what they did before", "their results");
	/* 2000 calls each; 667 of the numbers are multiples of 3, 1000 are odd, and 143 have x % 7 == 1. */
	check_counts("a tail call ends its function", TAIL, 2000, 0, 0);
	check_counts("a tail call that depends on flags ends its function", MAYBE_TAIL, 2000, 0, 0);
	check_counts("a switch", SWITCH, 2000, 0, 0);
	check_counts("recursion", DEEP, 21, 0, 0);
	check_counts("calls that throw are left", THROWS, 2 * 1333, 667, 0);
	check_counts("who catches returns", CATCHES, 2000, 0, 0);
	check_counts("calls that jump away are left", LEAVES, 2 * 1333, 667, 0);
	check_counts("who is jumped to returns", RETURNS_TWICE, 2000, 0, 0);
	check_counts("calls of all others", LEAF, 2000 + 2000 + 1000 + 143, 0, 0);
}

#define THREADS 2
#define CALLS 1000000
#define EACH 100

static void *call_often(void *sum)
{
	for (long i = 0; i < CALLS; i++)
		*(long *)sum += m_tail(i) + (i % EACH ? 0 : m_catches(i));
	return NULL;
}

static void check_threads(void)
{
	pthread_t threads[THREADS];
	long sums[THREADS] = { 0 };
	struct call_counts leaf;
	char what[80];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, call_often, &sums[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	leaf = own_process__counts(&own, LEAF);
	snprintf(what, sizeof(what), "%" PRIu64 " ns, the longest %" PRIu64, leaf.total, leaf.longest);
	check(sums[0] == sums[1] && leaf.total >= leaf.timed && leaf.total < leaf.timed * leaf.longest,
	      "two threads have times", what);
	check_counts("two threads' calls", LEAF, THREADS * CALLS, 0, 0);
	check_counts("two threads' tail calls", TAIL, THREADS * CALLS, 0, 0);
	check_counts("two threads' exceptions", THROWS, THREADS * CALLS / EACH - 2 * 3334, 2 * 3334, 0);
}

/* The same in a process where all threads meet in two sets and one shard. */
static void check_crowded(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		own_process__init(&own, names, FUNCTIONS, 1, 2);
		own_process__patch(&own);
		check_threads();
		exit(failed);
	}
	check(waitpid(child, &status, 0) == child && !status, "no call is lost where threads meet", "as above");
}

static volatile sig_atomic_t nr_signals;

static void on_signal(int signal)
{
	nr_signals++;
	m_tail(signal);
	m_catches(signal);
}

/* A timer's signals come in anywhere, also within the stamps, on a stack of their own. */
static void check_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { 0 };
	stack_t stack = { .ss_size = 1 << 16 };
	uint64_t turns = 0;
	time_t end = time(NULL) + 10;

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; nr_signals < 2000 && time(NULL) < end; turns++)
		m_waits(turns % 10);
	setitimer(ITIMER_REAL, &never, NULL);
	check(nr_signals > 0, "signals came", "while calls were measured");
	check_counts("calls that signals interrupt", WAITS, turns, 0, 0);
	check_counts("calls in a signal's handler", TAIL, nr_signals, 0, 0);
	check_counts("those that it calls", LEAF, nr_signals, 0, 0);
	check_counts("exceptions in it", CATCHES, nr_signals + THREADS * CALLS / EACH, 0, 0);
}

static ucontext_t main_context, other_context;

static void to_main(void)
{
	swapcontext(&other_context, &main_context);
}

static void *resume(void *unused)
{
	swapcontext(&main_context, &other_context);
	return NULL;
}

static long yielded;

static void coroutine(void)
{
	yielded = m_yields(1);
	yielded += m_yields(2);
}

/* A call that begins on one thread and ends on another, with calls of the same function meanwhile. */
static void check_coroutines(void)
{
	pthread_t thread;

	yield_now = to_main;
	getcontext(&other_context);
	other_context.uc_stack.ss_size = 1 << 16;
	other_context.uc_stack.ss_sp = malloc(other_context.uc_stack.ss_size);
	other_context.uc_link = &main_context;
	makecontext(&other_context, coroutine, 0);
	swapcontext(&main_context, &other_context);
	m_leaf(1);
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, resume, NULL);
		pthread_join(thread, NULL);
	}
	check(yielded == 21, "a coroutine goes on", "on other threads");
	check_counts("its calls end there", YIELDS, 2, 0, 0);
	check_counts("those of the first thread meanwhile", LEAF, 1, 0, 0);
}

/* More than there are places for: what is not timed is counted. */
static void check_depth(void)
{
	struct call_counts counts;
	char what[80];

	since(DEEP);
	m_deep(49999);
	counts = since(DEEP);
	snprintf(what, sizeof(what), "%" PRIu64 " timed, %" PRIu64 " lost, %" PRIu64 " open", counts.timed, counts.lost,
		 counts.open);
	check(counts.timed + counts.lost == 50000 && counts.timed > SETS && counts.lost && !counts.open,
	      "50000 calls within each other", what);
	m_deep(99);
	check_counts("then it goes on as before", DEEP, 100, 0, 0);
}

static void check_fork(void)
{
	uint64_t before = results(), same = 0;
	pid_t child;
	int status;

	for (int i = 0; i < FUNCTIONS; i++)
		since(i);
	child = fork();
	if (!child)
		_exit(results() != before);
	check(waitpid(child, &status, 0) == child && !status, "a forked child goes on", "with the same results");
	for (int i = 0; i < FUNCTIONS; i++) {
		struct call_counts counts = since(i);

		same += !counts.timed && !counts.lost && !counts.open && !counts.abandoned;
	}
	check(same == FUNCTIONS, "its calls are not the parent's", "no figure changed");
}

/* A handler leaves by longjmp before each of its instructions: no call disappears. */
static void check_left_within(void)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_NODEFER };
	unsigned int wrong = 0, twice = 0, places = 0, lost = 0;
	char what[80];

	stamps = (uint64_t)own.mapping + JUMP_CONTROL_BYTES;
	sigaction(SIGTRAP, &action, NULL);
	call_and_leave(0);
	since(LEAF);
	for (uint64_t at = jump_stamp_end - jump_stamps_start; at < JUMP_STAMPS_BYTES; at++) {
		struct call_counts counts;
		uint64_t all;

		if (!came_by[at])
			continue;
		places += call_and_leave(stamps + at);
		call_and_leave(0);
		counts = since(LEAF);
		all = counts.timed + counts.abandoned + counts.lost + counts.open;
		lost += counts.lost;
		wrong += all != 2 && all != 3;
		twice += all == 3;
	}
	signal(SIGTRAP, SIG_DFL);
	snprintf(what, sizeof(what), "%u places, %u calls lost, at %u one is counted twice", places, lost, twice);
	check(places > 30 && !wrong && lost && twice == 1, "calls that are left within a stamp are counted",
	      what);
	left_within = lost;
}

static uint64_t random_number(void)
{
	static uint64_t seed;
	uint64_t number = seed += 0x9e3779b97f4a7c15;

	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
	number = (number ^ number >> 27) * 0x94d049bb133111eb;
	return number ^ number >> 31;
}

#define FLAGS 0xcd5	/* those of arithmetic, and the direction */

/* With all registers and flags at random: the function sees them as they were, and so does its caller. */
static void check_registers(void)
{
	unsigned int different = 0;

	since(MIRROR);
	for (int turn = 0; turn < 1000; turn++) {
		struct register_state state, before;

		for (size_t i = 0; i < sizeof(state) / 8; i++)
			((uint64_t *)&state)[i] = random_number();
		state.flags = (state.flags & FLAGS) | 0x202;
		before = state;
		call_with(&state, m_mirror);
		different += memcmp(&state, &before, offsetof(struct register_state, below)) ||
			     memcmp(&seen, &before, sizeof(seen));
	}
	check(!different, "registers, flags and what is below the stack stay", "1000 random states");
	check_counts("calls with them", MIRROR, 1000, 0, 0);
}

static void check_unmatched(void)
{
	uint64_t lost = 0;
	char what[80];

	for (int i = 0; i < FUNCTIONS; i++)
		lost += own_process__counts(&own, i).lost;
	snprintf(what, sizeof(what), "%" PRIu64 " unmatched, %" PRIu64 " lost", own.shared->unmatched, lost);
	check(own.shared->unmatched == lost - left_within && !own.shared->far_places,
	      "ends without a beginning are those of lost calls", what);
}

static void check_restored(uint64_t before)
{
	own_process__restore(&own);
	for (int i = 0; i < FUNCTIONS; i++)
		since(i);
	check(results() == before, "after all was restored", "the same results");
	check_counts("nothing is counted any more", LEAF, 0, 0, 0);
}

int main(void)
{
	uint64_t before = results();
	struct error error = { 0 };

	check_crowded();
	own_process__init(&own, names, FUNCTIONS, SHARDS, SETS);
	/* What the stamps do more for times on CPUs, they do in all that follows. */
	if (own_process__use_clocks(&own, &error))
		printf("ok times on CPUs: skipped: %s\n", error.message);
	own_process__patch(&own);
	check_simple(before);
	check_threads();
	check_signals();
	check_coroutines();
	check_registers();
	check_depth();
	check_left_within();
	check_fork();
	check_unmatched();
	check_restored(before);
	return failed;
}
