// SPDX-License-Identifier: GPL-2.0
#include "survey/scale.h"

#include <stdlib.h>

#include "base/partition_point.h"
#include "base/sort.h"

static int compare(const void *a, const void *b)
{
	const struct tree_time *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The times of one thread, which lie in a row. */
static void scale_thread(struct tree_time *times, size_t nr, const struct survey_thread *thread)
{
	uint64_t sums[SURVEY_METRICS] = { 0 };
	size_t i;

	for (i = 0; i < nr; i++)
		sums[times[i].metric] += times[i].ns;
	for (i = 0; i < nr; i++)
		times[i].ns = (double)times[i].ns / sums[times[i].metric] * thread->ns[times[i].metric];
}

static struct tree_time *first_of(const struct tree *tree, size_t nr, uint32_t tid)
{
	return &tree->times[partition_point(nr, i, tree->times[i].tid < tid)];
}

static bool has_metric(const struct tree_time *times, size_t nr, uint8_t metric)
{
	while (nr-- > 0)
		if (times[nr].metric == metric)
			return true;
	return false;
}

void tree__scale(struct tree *tree, const struct sampler *sampler)
{
	struct survey_thread thread;
	size_t nr = tree->nr_times, at, of_thread;
	uint32_t tid = 0;
	uint8_t metric;

	/* Its index is of no use any more; what is added is in no node yet. */
	if (nr)
		sort(tree->times, nr, sizeof(*tree->times), compare);
	while (sampler__next_thread(sampler, &tid, &thread)) {
		at = first_of(tree, nr, tid) - tree->times;
		for (of_thread = 0; at + of_thread < nr && tree->times[at + of_thread].tid == tid; )
			of_thread++;
		scale_thread(tree->times + at, of_thread, &thread);
		for (metric = XP_ON_CPU; metric < XP_METRICS; metric++)
			if (thread.ns[metric] && !has_metric(tree->times + at, of_thread, metric))
				tree__add_bare(tree, tid, metric, thread.ns[metric]);
	}
}
