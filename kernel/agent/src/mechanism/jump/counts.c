// SPDX-License-Identifier: GPL-2.0
/* From what the stamps count in the process's memory to what a recording reads. */
#include <stdlib.h>

#include "mechanism/jump/state.h"

#define LEAST_UNTOLD	1000	/* is told from such a part on of all that calls were off their CPUs */

_Static_assert(JUMP_BUCKETS == XP_BUCKETS && JUMP_CAUSES == XP_CAUSES, "the buckets and the causes are the same");

int jump_counts__init(struct jumps *jumps)
{
	size_t nr = jumps->base.nr, most = 1;

	jumps->calls = calloc(nr, sizeof(*jumps->calls));
	jumps->totals = calloc(nr * XP_SETS, sizeof(*jumps->totals));
	jumps->buckets = calloc(nr * XP_SETS, sizeof(*jumps->buckets));
	/* A file's functions that are left to traps are none of the points, and have their numbers. */
	for (size_t i = 0; i < jumps->nr_files; i++)
		most = jumps->files[i].nr > most ? jumps->files[i].nr : most;
	jumps->open = calloc(most, sizeof(*jumps->open));
	if (!jumps->calls || !jumps->totals || !jumps->buckets || !jumps->open)
		return -1;
	jumps->base.figures = (struct figures){
		.calls = jumps->calls, .totals = jumps->totals, .buckets = jumps->buckets,
		.costs = jumps->costs, .slots = 1, .functions = nr,
		.metrics = (1U << XP_METRICS) - 1,
	};
	return 0;
}

void jump_counts__free(struct jumps *jumps)
{
	free(jumps->calls);
	free(jumps->totals);
	free(jumps->buckets);
	free(jumps->open);
}

static uint64_t ns_of(const struct jumps *jumps, uint64_t ticks)
{
	return ticks * (jumps->cost.rate / 4294967296.0);
}

static void take_calls(struct jumps *jumps, struct xp_calls *to, const struct call_counts *counts)
{
	to->abandoned = counts->abandoned;
	to->lost[XP_LOST_TOO_DEEP] = counts->lost;
	to->ended[0] = counts->timed;
	to->inconsistent = counts->is_short;
	to->missing_ns = ns_of(jumps, counts->missing);
	to->removed_ns = counts->nested * jumps->costs[0].call_ns;
	to->uncertain_ns = counts->unknown_total + counts->beyond + counts->nested * jumps->costs[0].call_spread_ns +
			   ns_of(jumps, counts->unnested);
}

/* Behind all others: what ends meanwhile is missing, and not there twice. */
static void take_open(struct jumps *jumps, const struct jump_file *file)
{
	shared__open(file->remote.shared, &file->remote.layout, jumps->open);
	for (uint32_t k = 0; k < file->nr; k++) {
		struct xp_calls *to;
		uint64_t calls;

		if (!jump_file__measures(file, k))
			continue;
		to = &jumps->calls[file->points[k]];
		calls = to->ended[0] + to->abandoned + to->lost[XP_LOST_TOO_DEEP] + jumps->open[k];
		if (calls > to->calls || jumps->has_ended)
			to->calls = calls;
		*(jumps->dropped[file->points[k]] ? &to->lost[XP_LOST_PROBES_OFF] : &to->unfinished) =
			jumps->has_ended ? jumps->open[k] : 0;
	}
}

static void take_buckets(struct xp_buckets *to, const uint64_t *from)
{
	for (int i = 0; i < XP_BUCKETS; i++)
		to->count[i] = from[i];
}

/* A bucket lacks a call for a moment, while a stamp moves it to another one: that is taken when it is there again. */
static void take_moving(struct xp_buckets *to, const uint64_t *from)
{
	for (int i = 0; i < XP_BUCKETS; i++)
		if ((int32_t)(from[i] - to->count[i]) > 0)
			to->count[i] = from[i];
}

static uint64_t sum_of(const uint64_t *buckets)
{
	uint64_t sum = 0;

	for (int i = 0; i < JUMP_BUCKETS; i++)
		sum += buckets[i];
	return sum;
}

/* Counts modulo 2^32, which grew by less than that since the last time. */
static uint64_t new_in(const struct xp_buckets *before, const uint32_t *now)
{
	uint64_t new = 0;

	for (int i = 0; i < XP_BUCKETS; i++)
		new += (uint32_t)(now[i] - before->count[i]);
	return new;
}

/* Since the last time, of each cause. */
static void count_new(const struct jumps *jumps, uint32_t point, const struct call_buckets *buckets, uint64_t new[JUMP_CAUSES])
{
	const struct xp_buckets *before = &jumps->buckets[(size_t)point * XP_SETS + XP_FIRST_CAUSE];

	for (int i = 0; i < JUMP_CAUSES; i++)
		new[i] = new_in(&before[i], buckets->cause[i]);
}

static void take_causes(struct xp_buckets *to, const uint32_t *from)
{
	for (int i = 0; i < XP_BUCKETS; i++)
		to->count[i] = from[i];
}

/*
 * Of a call that ends meanwhile there may be causes and no time yet, as stamps add to the time last: then this is too little, and
 * right the next time. Only a call that stays in its stamp, as its process was killed there, has causes and never a time.
 */
static uint64_t ran_of(const struct call_counts *counts, uint64_t before)
{
	int64_t ran = counts->total;

	for (int i = 0; i < JUMP_CAUSES; i++)
		ran -= counts->cause_total[i];
	return ran > (int64_t)before ? (uint64_t)ran : before;
}

/* A call whose time on CPUs is not known counts with all of its time under other. */
static void take_times(struct jumps *jumps, uint32_t point, const struct call_counts *counts,
		       struct call_buckets *buckets, const uint64_t new[JUMP_CAUSES])
{
	struct xp_total *totals = &jumps->totals[(size_t)point * XP_SETS];
	struct xp_buckets *to = &jumps->buckets[(size_t)point * XP_SETS];

	buckets->on_cpu[0] += counts->unknown;
	totals[XP_WALL] = (struct xp_total){ counts->timed, counts->total, counts->longest };
	totals[XP_ON_CPU] = (struct xp_total){ counts->timed, ran_of(counts, totals[XP_ON_CPU].total_ns), counts->longest_on_cpu };
	take_buckets(&to[XP_WALL], buckets->wall);
	take_moving(&to[XP_ON_CPU], buckets->on_cpu);
	for (int i = 0; i < JUMP_CAUSES; i++) {
		struct xp_total *total = &totals[XP_FIRST_CAUSE + i];

		take_causes(&to[XP_FIRST_CAUSE + i], buckets->cause[i]);
		*total = (struct xp_total){ total->count + new[i], counts->cause_total[i], counts->cause_longest[i] };
	}
}

/* More than there can be, of calls, ns and ticks. */
#define IMPOSSIBLE	(1ull << 60)
/* So many calls at most were at their end's stamp when counts were read, and their causes were read before: threads that there can be. */
#define ENDING		(1u << 22)

/* What is new was read before counts. */
static bool are_waits_possible(const struct jumps *jumps, uint32_t point, const struct call_counts *counts,
			       const uint64_t new[JUMP_CAUSES])
{
	const struct xp_total *totals = &jumps->totals[(size_t)point * XP_SETS + XP_FIRST_CAUSE];
	uint64_t calls = counts->timed + counts->abandoned + counts->lost + ENDING;

	for (int i = 0; i < JUMP_CAUSES; i++)
		if (totals[i].count + new[i] > calls)
			return false;
	return true;
}

/* The process can write all of it, and what it wrote is no figure: counters only grow.  before: all metrics. */
static bool are_possible(const struct call_counts *counts, const struct xp_total *before)
{
	const uint64_t all[] = {
		counts->timed, counts->total, counts->longest, counts->abandoned, counts->lost, counts->longest_on_cpu, counts->unknown,
		counts->unknown_total, counts->beyond, counts->is_short, counts->missing, counts->nested, counts->unnested, counts->untold,
		counts->untold_total,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i] >= IMPOSSIBLE)
			return false;
	for (int i = 0; i < JUMP_CAUSES; i++)
		if (counts->cause_total[i] >= IMPOSSIBLE || counts->cause_longest[i] >= IMPOSSIBLE ||
		    counts->cause_total[i] < before[XP_FIRST_CAUSE + i].total_ns)
			return false;
	return counts->timed >= before[XP_WALL].count && counts->total >= before[XP_WALL].total_ns;
}

void jump_counts__refresh(struct jumps *jumps)
{
	uint64_t untold = 0, untold_ns = 0;

	for (size_t i = 0; i < jumps->nr_files && !jumps->is_spoiled; i++) {
		const struct jump_file *file = &jumps->files[i];

		for (uint32_t k = 0; k < file->nr && file->remote.shared && !jumps->is_spoiled; k++) {
			struct call_counts counts;
			struct call_buckets buckets;
			uint64_t new[JUMP_CAUSES];

			if (!jump_file__measures(file, k))
				continue;
			shared__buckets(file->remote.shared, &file->remote.layout, k, &buckets);
			shared__count_ended(file->remote.shared, &file->remote.layout, k, &counts);
			count_new(jumps, file->points[k], &buckets, new);
			jumps->is_spoiled = !are_waits_possible(jumps, file->points[k], &counts, new);
			/* As many as the buckets have. */
			counts.timed = sum_of(buckets.wall);
			jumps->is_spoiled |= !are_possible(&counts, &jumps->totals[(size_t)file->points[k] * XP_SETS]);
			if (jumps->is_spoiled)
				break;
			take_calls(jumps, &jumps->calls[file->points[k]], &counts);
			take_times(jumps, file->points[k], &counts, &buckets, new);
			untold += counts.untold;
			untold_ns += counts.untold_total;
		}
		if (file->remote.shared)
			take_open(jumps, file);
	}
	jumps->untold = untold;
	jumps->untold_ns = untold_ns;
}

bool jump_counts__are_untold(const struct jumps *jumps)
{
	uint64_t off_ns = 0;

	for (size_t i = 0; i < jumps->base.nr; i++)
		for (int metric = XP_FIRST_CAUSE; metric < XP_METRICS; metric++)
			off_ns += jumps->totals[i * XP_SETS + metric].total_ns;
	return jumps->untold_ns > off_ns / LEAST_UNTOLD;
}

uint64_t jump_counts__early(const struct jumps *jumps)
{
	uint64_t early = 0;

	for (size_t i = 0; i < jumps->nr_files; i++) {
		const struct jump_file *file = &jumps->files[i];
		uint64_t unmatched = file->remote.shared ? file->remote.shared->unmatched : 0, lost = 0;

		for (uint32_t k = 0; k < file->nr; k++)
			lost += !jump_file__measures(file, k) ? 0 : jumps->calls[file->points[k]].lost[XP_LOST_TOO_DEEP];
		early += unmatched > lost && unmatched < IMPOSSIBLE ? unmatched - lost : 0;
	}
	return early;
}
