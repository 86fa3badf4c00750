// SPDX-License-Identifier: GPL-2.0
/* What a recording takes from a process's memory while a stamp stands between two of its changes. */
#include <stdlib.h>

#include "check.h"
#include "mechanism/jump/state.h"
#include "recording/histograms.h"

#define LONG_WALL	100	/* buckets */
#define SHORT_RUN	50
#define OTHER_CALL	60
#define LOCK		(XP_LOCK - XP_FIRST_CAUSE)

/* The second is left to traps, and is no point. */
static struct wished_function functions[2] = { [1].reason = "left" };
static uint32_t points[2] = { 0, 1u << 20 };
static bool dropped;
static struct jumps jumps;
static struct jump_figures *figures;
static struct point_figures figures_of_point;
static struct histograms *histograms;

static void begin(void)
{
	const struct shared_layout layout = { .functions = 2, .shards = 1, .sets = 64 };
	struct jump_shared *shared = calloc(1, shared__bytes(&layout));

	jumps = (struct jumps){ .base.nr = 1, .nr_files = 1, .dropped = &dropped, .cost.rate = 1ull << 32 };
	jumps.files[0] = (struct jump_file){ .functions = functions, .points = points, .nr = 2 };
	jumps.files[0].remote.layout = layout;
	jumps.files[0].remote.shared = shared;
	if (!shared || jump_counts__init(&jumps))
		exit(1);
	shared__init(shared, &layout, &(struct shared_costs){ .rate = 1ull << 32 });
	figures = (void *)((char *)shared + shared->figures);
	figures_of_point = (struct point_figures){ &jumps.base.figures, 0 };
	histograms = histograms__new(&figures_of_point, 1);
}

static void end(void)
{
	histograms__free(histograms);
	jump_counts__free(&jumps);
	free(jumps.files[0].remote.shared);
}

static void end_call(int bucket, uint64_t ns)
{
	figures->total += ns;
	figures->longest = ns > figures->longest ? ns : figures->longest;
	figures->count[bucket]++;
}

/* Calls that are sent now in this metric's histogram. */
static uint64_t take(int metric)
{
	Kview__Wire__FunctionDelta **deltas;
	uint64_t calls = 0;
	size_t nr;

	jump_counts__refresh(&jumps);
	histograms__take(histograms, 1000, 2000, &deltas, &nr);
	for (size_t i = 0; nr && i < deltas[0]->n_metrics; i++)
		if (deltas[0]->metrics[i]->metric == (Kview__Wire__Metric)metric)
			for (size_t k = 0; k < deltas[0]->metrics[i]->n_bucket_count; k++)
				calls += deltas[0]->metrics[i]->bucket_count[k];
	return calls;
}

/* Its bucket lacks a call for a moment. */
static void check_moved(void)
{
	uint64_t calls;

	begin();
	end_call(OTHER_CALL, 5000);
	calls = take(XP_ON_CPU);
	check(calls == 1, "a call that ended is sent", calls);
	figures->moved[LONG_WALL]--;
	figures->moved[SHORT_RUN]++;
	end_call(OTHER_CALL, 5000);
	calls = take(XP_ON_CPU);
	check(calls == 2, "one that a stamp is about to count has moved, and none is missing", calls);
	end_call(LONG_WALL, 100000);
	take(XP_ON_CPU);
	end_call(LONG_WALL, 100000);
	calls = take(XP_ON_CPU);
	check(calls == 1, "later ones in the bucket that lacked one are sent", calls);
	end();
}

/* The wait is counted, and the call is not yet. */
static void check_ran(void)
{
	struct xp_total *ran;

	begin();
	end_call(OTHER_CALL, 5000);
	take(XP_ON_CPU);
	ran = &jumps.totals[XP_ON_CPU];
	figures->cause_total[LOCK] += 90000;
	figures->cause_count[LOCK][LONG_WALL]++;
	take(XP_ON_CPU);
	check(ran->total_ns == 5000 && !jumps.is_spoiled, "a wait takes nothing off what calls ran before", ran->total_ns);
	end_call(LONG_WALL, 100000);
	take(XP_ON_CPU);
	check(ran->total_ns == 15000, "and is off its own call", ran->total_ns);
	end();
}

/* They are looked for in all of the table; what is no function's there is nobody's. */
static void check_open(void)
{
	begin();
	end_call(OTHER_CALL, 5000);
	jumps.files[0].remote.shared->sets[7].key[2] = 12345;
	jumps.files[0].remote.shared->sets[63].key[0] = 2ull << JUMP_PLACE_BITS | 12345;
	take(XP_WALL);
	check(jumps.calls[0].calls == 2 && !jumps.calls[0].unfinished, "a call that runs is counted", jumps.calls[0].calls);
	jumps.has_ended = true;
	take(XP_WALL);
	check(jumps.calls[0].calls == 2 && jumps.calls[0].unfinished == 1, "and unfinished at the end", jumps.calls[0].unfinished);
	end();
}

static void check_spoiled(uint32_t count, const char *name)
{
	begin();
	end_call(LONG_WALL, 100000);
	figures->cause_total[LOCK] = 90000;
	figures->cause_count[LOCK][LONG_WALL] = 1;
	take(XP_LOCK);
	check(!jumps.is_spoiled, "what stamps count is taken", jumps.totals[XP_LOCK].count);
	figures->cause_count[LOCK][LONG_WALL] = count;
	take(XP_LOCK);
	check(jumps.is_spoiled && jumps.totals[XP_LOCK].count == 1, name, jumps.totals[XP_LOCK].count);
	end();
}

int main(void)
{
	check_moved();
	check_ran();
	check_open();
	check_spoiled(0, "a count of waits that becomes less is no figure");
	check_spoiled(1u << 30, "nor one of more waits than there were calls");
	return failed;
}
