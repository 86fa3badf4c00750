// SPDX-License-Identifier: GPL-2.0
/* Figures that can't be fetched for want of memory are told, and come with the next delta. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "check.h"
#include "recording/histograms.h"
#include "recording/losses.h"

#define FUNCTIONS	200

static struct point_figures *points__of(const struct figures *counts)
{
	struct point_figures *points = calloc(FUNCTIONS, sizeof(*points));
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		points[i] = (struct point_figures){ counts, i };
	return points;
}

static struct figures counts__new(void)
{
	size_t sets = FUNCTIONS * XP_SETS;

	return (struct figures){
		.calls = calloc(FUNCTIONS, sizeof(struct xp_calls)),
		.totals = calloc(sets, sizeof(struct xp_total)),
		.buckets = calloc(sets, sizeof(struct xp_buckets)),
		.costs = calloc(XP_COST_CLASSES, sizeof(struct xp_cost)),
		.slots = 1, .functions = FUNCTIONS, .metrics = (1U << XP_METRICS) - 1,
	};
}

/* One call of each function, of 5 ns on the CPU. */
static void count_calls(const struct figures *counts)
{
	struct xp_total *totals = (struct xp_total *)counts->totals;
	struct xp_buckets *buckets = (struct xp_buckets *)counts->buckets;
	size_t i, metric;

	for (i = 0; i < FUNCTIONS; i++) {
		((struct xp_calls *)counts->calls)[i].calls++;
		((struct xp_calls *)counts->calls)[i].ended[0]++;
		for (metric = XP_WALL; metric <= XP_ON_CPU; metric++) {
			totals[i * XP_SETS + metric].count++;
			totals[i * XP_SETS + metric].total_ns += 5;
			buckets[i * XP_SETS + metric].count[5]++;
		}
	}
}

/* No more than is left between what is allocated. */
static void take_memory(struct rlimit *before)
{
	struct rlimit none;
	size_t size;
	void *taken;

	getrlimit(RLIMIT_DATA, before);
	none = (struct rlimit){ 4096, before->rlim_max };	/* the kernel takes 0 for no limit */
	setrlimit(RLIMIT_DATA, &none);
	for (size = 1 << 20; size >= 64; size /= 2)
		while ((taken = malloc(size)))
			;
}

static unsigned long long sum(Kview__Wire__FunctionDelta **functions, size_t nr, int metric)
{
	unsigned long long total = 0;
	size_t i, j;

	for (i = 0; i < nr; i++)
		for (j = 0; j < functions[i]->n_metrics; j++)
			if ((int)functions[i]->metrics[j]->metric == metric)
				total += functions[i]->metrics[j]->count;
	return total;
}

/* Two threads, of which one was in the function three times at once, for 2000 ns. */
static void limits(struct histograms *histograms, const struct figures *counts)
{
	struct xp_calls *calls = (struct xp_calls *)counts->calls;
	Kview__Wire__FunctionDelta **functions;
	size_t nr;

	calls[9].inner_ns = 70;
	calls[9].threads = 2;
	calls[9].places = 4;
	histograms__take(histograms, 1000, 3000, &functions, &nr);
	check(nr == 1 && functions[0]->inner_ns == 70, "what lies within is told", functions[0]->inner_ns);
	check(functions[0]->most_wall_ns == 8000, "and what calls can take at most", functions[0]->most_wall_ns);
	check(functions[0]->most_cost_ns == 4000, "and their probes", functions[0]->most_cost_ns);
	calls[9].places = 1ULL << 60;
	histograms__take(histograms, 1000, 3000, &functions, &nr);
	check(!functions[0]->most_wall_ns, "what is beyond a number is not known", functions[0]->most_wall_ns);
	calls[9].places = 4;
	histograms__take(histograms, 1000, 3000, &functions, &nr);
}

int main(void)
{
	struct figures counts = counts__new();
	struct point_figures *points = points__of(&counts);
	struct histograms *histograms = histograms__new(points, FUNCTIONS);
	Kview__Wire__Losses losses = KVIEW__WIRE__LOSSES__INIT;
	Kview__Wire__FunctionDelta **functions;
	size_t nr, missing;
	struct rlimit before;

	setvbuf(stdout, malloc(BUFSIZ), _IOLBF, BUFSIZ);
	count_calls(&counts);
	take_memory(&before);
	missing = histograms__take(histograms, 1000, 3000, &functions, &nr);
	check(missing == 2 * FUNCTIONS, "figures that no memory was left for are told", missing);
	check(nr == FUNCTIONS && functions[0]->calls == 1, "calls are told all the same", nr);
	setrlimit(RLIMIT_DATA, &before);
	missing = histograms__take(histograms, 1000, 3000, &functions, &nr);
	check(!missing && sum(functions, nr, XP_WALL) == FUNCTIONS &&
	      sum(functions, nr, XP_ON_CPU) == FUNCTIONS, "and come later", sum(functions, nr, XP_WALL));
	losses__of_calls(&losses, points, FUNCTIONS, true);
	check(!losses.unaccounted_calls, "all calls are accounted for", losses.unaccounted_calls);
	limits(histograms, &counts);
	((struct xp_calls *)counts.calls)[7].calls += 3;
	((struct xp_calls *)counts.calls)[8].unfinished += 2;
	losses__of_calls(&losses, points, FUNCTIONS, true);
	check(losses.unaccounted_calls == 5, "calls too many and too few don't cancel out",
	      losses.unaccounted_calls);
	return failed;
}
