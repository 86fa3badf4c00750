// SPDX-License-Identifier: GPL-2.0
/*
 * Measures its own functions by jumps whose stamps tell of single calls, in rings that are soon full: each entry and each end is told once,
 * in the order of time, or is counted as dropped; also while a reader and two threads are at it, and where a handler leaves a stamp by
 * longjmp that has taken a slot, or forks there.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include "own_process.h"
#include "place/axis.h"
#include "place/call_rings.h"
#include "place/clock.h"
#include "stamped.h"
#include "stepped.h"

enum { LEAF, TAIL, DEEP, FUNCTIONS };

static const char *const names[FUNCTIONS] = { "m_leaf", "m_tail", "m_deep" };

#define RINGS 2
#define SLOTS 1024	/* more than are given up here */
#define CALLS 300000

static struct own_process own;
static struct call_rings rings;
static struct told_call told[4 * SLOTS];
static size_t nr_told;
static int failed;

static void check(bool good, const char *name, const char *what)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, what);
	failed |= !good;
}

static uint64_t dropped(void)
{
	return call_rings__dropped(&rings, 0) + call_rings__dropped(&rings, 1);
}

static uint64_t hurry = 1;	/* by so much the clock goes faster by which slots are given up */

/* What is told by now, and in order.  False: it was written over, or out of order. */
static bool read_some(bool is_over)
{
	static uint64_t last;
	bool good = !call_rings__look(&rings, clock__now().ticks, clock__now().ns * hurry, is_over);
	struct told_call call;
	uint64_t ticks;

	while (call_rings__oldest(&rings, &ticks)) {
		if (!call_rings__take(&rings, &call))
			continue;
		good &= call.ticks >= last;
		last = call.ticks;
		told[nr_told++ % (4 * SLOTS)] = call;
	}
	call_rings__release(&rings);
	return good;
}

static bool is_call(const struct told_call *call, int function, const struct told_call *entry)
{
	return (int)call->function == function && call->is_end == (entry != NULL) &&
	       (!entry || (call->began == entry->ticks && call->place == entry->place && call->ticks - call->began >= call->wall_ns / 4));
}

static void check_order(void)
{
	char what[80];
	bool good;

	m_tail(1);
	m_deep(1);
	good = read_some(true);
	snprintf(what, sizeof(what), "%zu", nr_told);
	check(good && nr_told == 8 && is_call(&told[0], TAIL, NULL) && is_call(&told[1], TAIL, &told[0]) && is_call(&told[2], LEAF, NULL) &&
	      is_call(&told[3], LEAF, &told[2]) && told[2].place == told[0].place && is_call(&told[4], DEEP, NULL) &&
	      is_call(&told[5], DEEP, NULL) && is_call(&told[6], DEEP, &told[5]) && is_call(&told[7], DEEP, &told[4]),
	      "entries and ends are told, in the order of time", what);
	good = told[0].base == told[7].base && told[0].base;
	for (int i = 0; i < 8; i++)
		good &= !own.shared->clocks || told[i].thread == (uint32_t)getpid();
	check(good, "and of which thread", "");
}

/* Slots that causes took, of what was told from the first one on: two for each call that was off its CPU. */
static uint64_t slots_of_causes(uint64_t first)
{
	uint64_t slots = 0;

	for (uint64_t i = first; i < nr_told; i++) {
		const struct told_call *call = &told[i % (4 * SLOTS)];
		bool has_any = false;

		for (int k = 0; k < JUMP_CAUSES; k++)
			has_any |= call->cause_ns[k];
		slots += has_any ? 2 : 0;
	}
	return slots;
}

/* Nobody reads: what there is room for is told, and it is what came first. */
static void check_full(void)
{
	uint64_t before = dropped(), first = nr_told;
	char what[80];
	bool good;

	for (int i = 0; i < CALLS; i++)
		m_leaf(i);
	good = read_some(true);
	snprintf(what, sizeof(what), "%" PRIu64 " told, %" PRIu64 " dropped", nr_told - first, dropped() - before);
	/* An end for whose causes there is no more room has taken two slots at most for nothing. */
	check(good && nr_told - first <= RINGS * SLOTS && nr_told - first + slots_of_causes(first) + 2 >= SLOTS &&
	      nr_told - first + dropped() - before == 2 * CALLS,
	      "what has no room is counted, and nothing else", what);
	first = nr_told;
	before = dropped();
	m_leaf(1);
	good = read_some(true);
	check(good && nr_told - first == 2 && dropped() == before && !told[first % (4 * SLOTS)].is_end, "there is room again behind that", "");
}

static int running;

static void *call_often(void *unused)
{
	for (long i = 0; i < CALLS; i++)
		m_tail(i);
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void check_threads(const char *name)
{
	uint64_t before = dropped(), first = nr_told, calls;
	pthread_t threads[2];
	char what[80];
	bool good = true;

	running = 2;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, call_often, NULL);
	while (__atomic_load_n(&running, __ATOMIC_ACQUIRE))
		good &= read_some(false);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	good &= read_some(true);
	calls = 2 * CALLS * 2 * 2;
	snprintf(what, sizeof(what), "%" PRIu64 " told, %" PRIu64 " dropped", nr_told - first, dropped() - before);
	check(good && nr_told - first + dropped() - before == calls, name, what);
}

/* Of a thread that stood for a second, as it seems, the slot is given up: what it then still tells is counted once all the same. */
static void check_given_up(void)
{
	hurry = 1000000;
	for (int i = 0; i < 5; i++)
		check_threads("what is given up too early is counted once");
	hurry = 1;
}

/* Whatever instruction a stamp is left at, what comes behind it is told, and what is not told is counted. */
static void check_left_within(void)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_NODEFER };
	unsigned int places = 0, wrong = 0, given_up = 0;
	char what[80];

	stamps = (uint64_t)own.mapping + JUMP_CONTROL_BYTES;
	sigaction(SIGTRAP, &action, NULL);
	call_and_leave(0);
	read_some(true);
	for (uint64_t at = 0; at < JUMP_STAMPS_BYTES; at++) {
		uint64_t before = dropped(), first;

		if (!came_by[at])
			continue;
		places += call_and_leave(stamps + at);
		wrong += !read_some(true);
		given_up += dropped() - before;
		/* One at most: the entry, or the end. */
		wrong += dropped() - before > 1;
		before = dropped();
		first = nr_told;
		call_and_leave(0);
		wrong += !read_some(true) || nr_told - first != 2 || dropped() != before;
	}
	signal(SIGTRAP, SIG_DFL);
	snprintf(what, sizeof(what), "%u places, at %u a slot was given up", places, given_up);
	check(places > 60 && given_up > 20 && !wrong, "stamps that are left with a slot do not stop what comes behind", what);
}

/* Times that go back from slot to slot: to sort them would keep a reader from all else. */
static void check_disorder(void)
{
	static struct jump_shared *shared;
	const struct shared_layout layout = { .functions = 1, .shards = 1, .sets = 64, .rings = 1, .slots = 16384 };
	struct call_rings others = { 0 };
	struct jump_ring *ring;
	uint64_t now = clock__now().ticks;
	bool little, much;

	shared = calloc(1, shared__bytes(&layout));
	if (!shared || call_rings__add(&others, shared, &layout, 0))
		exit(1);
	ring = shared__ring(shared, &layout, 0);
	for (uint64_t i = 0; i < 8000; i++)
		ring->slots[i] = (struct jump_ring_slot){ .ready = i + 1, .key = 1, .ticks = now - i };
	ring->head = 1000;
	little = !call_rings__look(&others, now, 1, true);
	ring->head = 8000;
	much = !call_rings__look(&others, now, 2, true);
	check(little && !much, "times that go back by a thousand slots are sorted, by thousands are no stamps'", "");
	call_rings__free(&others);
	free(shared);
}

/* Written by the test itself: at each step in the function its thread was away for longer. */
static struct jump_clock clocks[JUMP_MAX_CLOCKS] __attribute__((aligned(256)));
static volatile bool is_child;
static volatile int child_ended;
static int processors;

static void be_away(void)
{
	for (int i = 0; i < processors; i++) {
		clocks[i].away_ns += 2;
		clocks[i].cause_ns[1]++;
		clocks[i].cause_ns[2]++;
	}
}

static void on_step_fork(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t ip = registers[REG_RIP];
	pid_t child;

	if (ip - stamps >= JUMP_PAGE)
		be_away();
	else
		came_by[ip - stamps] = true;
	if (ip != leave_at)
		return;
	/* No more steps, in none of them. */
	registers[REG_EFL] &= ~0x100;
	child = fork();
	is_child = !child;
	if (child)
		waitpid(child, (int *)&child_ended, 0);
	else
		memset(clocks, 0, sizeof(clocks));
}

static bool fork_within(uint64_t address)
{
	child_ended = 0;
	call_and_leave(address);
	if (is_child)
		_exit(0);
	return !child_ended;
}

/* Of what is counted between two instructions of a child's: one can still be the child's. */
#define MOST_HARMED 24

/* Whatever instruction a handler forks at that came into a stamp: both go on, and the call is counted and told once, by the parent. */
static void check_forked_within(void)
{
	struct sigaction action = { .sa_sigaction = on_step_fork, .sa_flags = SA_SIGINFO };
	const uint64_t were = own.shared->clocks, nr = own.shared->nr_clocks;
	unsigned int places = 0, ended = 0, harmed = 0, causes = 0;
	char what[120];
	uint64_t self;

	asm volatile("rdfsbase %0" : "=r"(self));
	processors = sysconf(_SC_NPROCESSORS_CONF) < JUMP_MAX_CLOCKS ? sysconf(_SC_NPROCESSORS_CONF) : JUMP_MAX_CLOCKS;
	for (int i = 0; i < processors; i++)
		clocks[i] = (struct jump_clock){ .thread = self, .number = (uint64_t)getpid() << 32 | 1 };
	shared__use_clocks(own.shared, (uint64_t)clocks, processors);
	memset(came_by, 0, sizeof(came_by));
	sigaction(SIGTRAP, &action, NULL);
	fork_within(0);
	for (uint64_t at = 0; at < JUMP_STAMPS_BYTES; at++) {
		struct call_counts before = own_process__counts(&own, LEAF), after;
		uint64_t first = nr_told, lost = dropped();

		if (!came_by[at])
			continue;
		places++;
		ended += !fork_within(stamps + at);
		if (!read_some(true))
			ended++;
		after = own_process__counts(&own, LEAF);
		harmed += after.timed != before.timed + 1 || after.open != before.open || after.lost != before.lost ||
			  after.unknown != before.unknown || nr_told - first != 2 || dropped() != lost;
		causes += told[(nr_told - 1) % (4 * SLOTS)].cause_ns[1] != 0;
	}
	signal(SIGTRAP, SIG_DFL);
	shared__use_clocks(own.shared, were, nr);
	snprintf(what, sizeof(what), "%u places, %u with causes; at %u either ended, at %u its call was counted or told wrong", places, causes, ended,
		 harmed);
	check(places > 300 && causes > 100 && !ended && harmed <= MOST_HARMED, "a child that is forked within a stamp goes on, and its parent's calls are right", what);
}

/* The process can write all of it. */
static void check_written_over(void)
{
	struct jump_ring *ring = shared__ring(own.shared, &own.layout, 0);
	uint64_t head = ring->head, first = nr_told, dropped_before = ring->dropped;
	struct jump_ring_slot *slot = &ring->slots[head % SLOTS];

	*slot = (struct jump_ring_slot){ .ready = head + 1, .key = ~0ull, .ticks = clock__now().ticks };
	ring->head = head + 1;
	check(read_some(true) && nr_told == first, "a function that there is not is not told", "");
	ring->dropped = 1ull << 40;
	check(!read_some(true), "more that was dropped than can be is none of the stamps'", "");
	ring->dropped = dropped_before;
	check(read_some(true), "and what can be is", "");
	ring->dropped = dropped_before - 1;
	check(!read_some(true), "nor is less than before", "");
	ring->dropped = dropped_before;
	ring->head = head + 1 + 2 * SLOTS;
	check(!read_some(true), "more than there is room for is no ring of the stamps'", "");
	ring->head = head;
	check(!read_some(true), "nor is less than before", "");
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* A moment lies on the axis between two looks at the clock around it, but for what the pairs are wrong by. */
static void check_axis(void)
{
	static struct axis axis;
	int64_t beyond = INT64_MIN;
	char what[80];

	axis__look(&axis, 1);
	for (int i = 0; i < 200; i++) {
		uint64_t before, ticks, after, ns;

		usleep(i % 10 * 300);
		before = now_ns();
		ticks = __rdtsc();
		after = now_ns();
		usleep(i % 7 * 300);
		axis__look(&axis, 1);
		ns = axis__ns(&axis, ticks);
		beyond = (int64_t)(before - ns) > beyond ? (int64_t)(before - ns) : beyond;
		beyond = (int64_t)(ns - after) > beyond ? (int64_t)(ns - after) : beyond;
	}
	snprintf(what, sizeof(what), "beyond them by %" PRId64 " ns at most", beyond);
	check(beyond < 1000, "times on the trace's axis are those of the kernel's clock", what);
}

int main(void)
{
	const struct shared_layout layout = { .functions = FUNCTIONS, .shards = 1, .sets = 64, .rings = RINGS, .slots = SLOTS };
	struct error error = { 0 };

	own_process__lay_out(&own, names, &layout);
	if (own_process__use_clocks(&own, &error))
		printf("ok times on CPUs: skipped: %s\n", error.message);
	if (call_rings__add(&rings, own.shared, &layout, 0))
		return 1;
	/* The kernel tells of a switch to this thread. */
	usleep(1000);
	own_process__patch(&own);
	check_order();
	check_full();
	check_threads("two threads' calls are told in order, or counted, while they are read");
	check_left_within();
	check_forked_within();
	check_given_up();
	check_disorder();
	check_written_over();
	check_axis();
	own_process__restore(&own);
	return failed;
}
