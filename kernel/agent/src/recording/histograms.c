// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "recording/histograms.h"

#define MOST_NS		(1ULL << 58)

/* What the reader of one function and metric has seen. */
struct seen {
	uint64_t count;		/* the kernel's, as a sign of change */
	uint64_t total_ns;
	uint32_t *buckets;	/* [XP_BUCKETS], allocated at the first change */
};

struct delta {
	Kview__Wire__FunctionDelta function;
	Kview__Wire__LostCalls lost;
	Kview__Wire__MetricDelta metrics[XP_TOLD_METRICS];
	Kview__Wire__MetricDelta *metric_list[XP_TOLD_METRICS];
	Kview__Wire__FailedCalls *failed;		/* [XP_FAILED_PLACES], allocated at the first one */
	Kview__Wire__FailedCalls **failed_list;
	uint32_t *index;	/* of all metrics, one after the other */
	uint64_t *count;
	size_t nr_buckets, capacity;
};

struct histograms {
	const struct point_figures *points;	/* [function] */
	size_t nr_functions;
	struct seen *seen;		/* [function][metric] */
	struct xp_calls *seen_calls;	/* [function] */
	struct delta *deltas;		/* [function] */
	Kview__Wire__FunctionDelta **list;
};

struct histograms *histograms__new(const struct point_figures *points, size_t nr_functions)
{
	struct histograms *h = calloc(1, sizeof(*h));
	size_t nr = nr_functions ? nr_functions : 1;

	if (!h)
		return NULL;
	h->points = points;
	h->nr_functions = nr_functions;
	h->seen = calloc(nr * XP_TOLD_METRICS, sizeof(*h->seen));
	h->seen_calls = calloc(nr, sizeof(*h->seen_calls));
	h->deltas = calloc(nr, sizeof(*h->deltas));
	h->list = calloc(nr, sizeof(*h->list));
	if (!h->seen || !h->seen_calls || !h->deltas || !h->list) {
		histograms__free(h);
		return NULL;
	}
	return h;
}

static void delta__empty(struct delta *delta)
{
	free(delta->index);
	free(delta->count);
	delta->index = NULL;
	delta->count = NULL;
	delta->nr_buckets = delta->capacity = 0;
}

void histograms__free(struct histograms *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; h->seen && i < h->nr_functions * XP_TOLD_METRICS; i++)
		free(h->seen[i].buckets);
	for (i = 0; h->deltas && i < h->nr_functions; i++) {
		delta__empty(&h->deltas[i]);
		free(h->deltas[i].failed);
		free(h->deltas[i].failed_list);
	}
	free(h->seen);
	free(h->seen_calls);
	free(h->deltas);
	free(h->list);
	free(h);
}

/* Room for one more metric's buckets, so that nothing fails half-way through one. */
static int delta__reserve(struct delta *delta)
{
	size_t capacity = delta->nr_buckets + XP_BUCKETS;
	uint32_t *index;
	uint64_t *count;

	if (capacity <= delta->capacity)
		return 0;
	index = realloc(delta->index, capacity * sizeof(*index));
	if (!index)
		return -1;
	delta->index = index;
	count = realloc(delta->count, capacity * sizeof(*count));
	if (!count)
		return -1;
	delta->count = count;
	delta->capacity = capacity;
	return 0;
}

/*
 * The number of calls is the sum of the buckets that changed, so that a message is
 * consistent in itself while eBPF programs go on counting.
 */
static uint64_t buckets__take(struct histograms *h, struct delta *delta, struct seen *seen,
			      size_t function, int metric)
{
	struct point_figures at = h->points[function];
	uint32_t places = figures__places(at.figures, metric), sums[XP_BUCKETS] = { 0 };
	uint32_t place, bucket, difference;
	uint64_t calls = 0;

	for (place = 0; place < places; place++) {
		size_t index = figures__place(at.figures, at.function, metric, place);
		const volatile uint32_t *buckets = at.figures->buckets[index].count;

		/* A place where nothing was counted: its pages stay untouched. */
		if (!figures__is_used(at.figures, at.function, metric, place))
			continue;
		for (bucket = 0; bucket < XP_BUCKETS; bucket++)
			sums[bucket] += buckets[bucket];
	}
	for (bucket = 0; bucket < XP_BUCKETS; bucket++) {
		difference = sums[bucket] - seen->buckets[bucket];
		if (!difference)
			continue;
		seen->buckets[bucket] = sums[bucket];
		delta->index[delta->nr_buckets] = bucket;
		delta->count[delta->nr_buckets++] = difference;
		calls += difference;
	}
	return calls;
}

static int metric__take(struct histograms *h, size_t function, int metric)
{
	struct delta *delta = &h->deltas[function];
	struct seen *seen = &h->seen[function * XP_TOLD_METRICS + metric];
	Kview__Wire__MetricDelta *message = &delta->metrics[metric];
	struct point_figures at = h->points[function];
	struct xp_total sum = figures__total(at.figures, at.function, metric);
	size_t first = delta->nr_buckets;
	uint64_t calls;

	if (sum.count == seen->count && sum.total_ns == seen->total_ns)
		return 0;
	if (!seen->buckets)
		seen->buckets = calloc(XP_BUCKETS, sizeof(*seen->buckets));
	if (!seen->buckets || delta__reserve(delta))
		return -1;
	calls = buckets__take(h, delta, seen, function, metric);
	kview__wire__metric_delta__init(message);
	message->metric = (Kview__Wire__Metric)metric;
	message->count = calls;
	message->total_ns = sum.total_ns - seen->total_ns;
	message->max_ns = sum.max_ns;
	message->n_bucket_index = message->n_bucket_count = delta->nr_buckets - first;
	seen->count = sum.count;
	seen->total_ns = sum.total_ns;
	delta->metric_list[delta->function.n_metrics++] = message;
	return 0;
}

/* Arrays grew by realloc while metrics were taken: point to where they are now. */
static void delta__link(struct delta *delta)
{
	size_t i, at = 0;

	for (i = 0; i < delta->function.n_metrics; i++) {
		Kview__Wire__MetricDelta *message = delta->metric_list[i];

		message->bucket_index = delta->index + at;
		message->bucket_count = delta->count + at;
		at += message->n_bucket_index;
	}
	delta->function.metrics = delta->metric_list;
}

static int delta__fail(struct delta *delta, uint32_t place, uint64_t calls)
{
	Kview__Wire__FailedCalls *message;

	if (!delta->failed)
		delta->failed = calloc(XP_FAILED_PLACES, sizeof(*delta->failed));
	if (!delta->failed_list)
		delta->failed_list = calloc(XP_FAILED_PLACES, sizeof(*delta->failed_list));
	if (!delta->failed || !delta->failed_list)
		return -1;
	message = &delta->failed[delta->function.n_failed];
	kview__wire__failed_calls__init(message);
	message->error_number = XP_FAILED_ERRNO(place);
	message->calls = calls;
	delta->failed_list[delta->function.n_failed++] = message;
	delta->function.failed = delta->failed_list;
	return 0;
}

/* After the metrics: that a call failed is counted before it is. */
static int failed__take(const struct histograms *h, size_t function)
{
	struct point_figures at = h->points[function];
	uint64_t calls;
	uint32_t place;

	for (place = 0; at.figures->failed && place < XP_FAILED_PLACES; place++) {
		calls = figures__failed(at.figures, at.function, place);
		if (calls && delta__fail(&h->deltas[function], place, calls))
			return -1;
	}
	return 0;
}

/* 0, not known, where so much says nothing any more. */
static uint64_t most__ns(uint64_t times, uint64_t length_ns)
{
	uint64_t most;

	return __builtin_mul_overflow(times, length_ns, &most) || most > MOST_NS ? 0 : most;
}

/*
 * With a condition nobody knows of all calls that run whether they will be among those that are told: so they are told once
 * they have ended.
 */
static uint64_t calls__ended(const struct xp_calls *calls)
{
	uint64_t sum = calls->abandoned + calls->unfinished + figures__lost(calls) - calls->lost[XP_LOST_UNMATCHED];
	int class;

	for (class = 0; class < XP_COST_CALLS; class++)
		sum += calls->ended[class];
	return sum;
}

static void delta__set_calls(struct delta *delta, const struct xp_calls *calls, uint64_t length_ns, bool conditional)
{
	kview__wire__lost_calls__init(&delta->lost);
	delta->lost.too_deep = calls->lost[XP_LOST_TOO_DEEP];
	delta->lost.no_memory = calls->lost[XP_LOST_NO_MEMORY];
	delta->lost.end_unseen = calls->lost[XP_LOST_END_UNSEEN];
	delta->lost.probes_off = calls->lost[XP_LOST_PROBES_OFF];
	delta->lost.exec = calls->lost[XP_LOST_EXEC];
	delta->function.lost = &delta->lost;
	delta->function.calls = conditional ? calls__ended(calls) : calls->calls;
	delta->function.unmatched_calls = calls->unmatched + calls->lost[XP_LOST_UNMATCHED];
	delta->function.abandoned = calls->abandoned;
	delta->function.unfinished = calls->unfinished;
	delta->function.cut_calls = calls->cut;
	delta->function.inconsistent_calls = calls->inconsistent;
	delta->function.passed_sites = calls->passed;
	delta->function.removed_ns = calls->removed_ns;
	delta->function.uncertain_ns = calls->uncertain_ns;
	delta->function.waited_ns = calls->waited_ns;
	delta->function.cost_ns = calls->cost_ns;
	delta->function.inner_ns = calls->inner_ns;
	delta->function.most_wall_ns = most__ns(calls->places, length_ns);
	/* Threads whose calls all differ pay as well. */
	delta->function.most_cost_ns = conditional ? 0 : most__ns(calls->threads, length_ns);
}

size_t histograms__take(struct histograms *h, uint64_t begin_ns, uint64_t end_ns,
			Kview__Wire__FunctionDelta ***functions, size_t *nr)
{
	struct xp_calls calls;
	size_t missing = 0, i;
	int metric;

	*nr = 0;
	*functions = h->list;
	for (i = 0; i < h->nr_functions; i++) {
		struct point_figures at = h->points[i];
		struct delta *delta = &h->deltas[i];

		delta__empty(delta);
		kview__wire__function_delta__init(&delta->function);
		for (metric = 0; metric < XP_TOLD_METRICS; metric++)
			if (at.figures->metrics & 1U << metric && metric__take(h, i, metric))
				missing++;
		delta__link(delta);
		/* After the metrics: a call is counted before it returns. */
		calls = figures__calls(at.figures, at.function);
		if (!delta->function.n_metrics &&
		    !memcmp(&calls, &h->seen_calls[i], sizeof(calls)))
			continue;
		h->seen_calls[i] = calls;
		missing += failed__take(h, i) ? 1 : 0;
		delta->function.function_id = i;
		/* Later than all that was taken. */
		delta__set_calls(delta, &calls, (end_ns ? end_ns : clock__now_ns()) - begin_ns,
				 at.figures->conditions && at.figures->conditions[at.function].nr);
		h->list[(*nr)++] = &delta->function;
	}
	return missing;
}

void histograms__mention(struct histograms *h, size_t function)
{
	/* So many it never has. */
	h->seen_calls[function].calls = UINT64_MAX;
}

void histograms__mention_told(struct histograms *h)
{
	const struct xp_calls never = { 0 };
	size_t i;

	for (i = 0; i < h->nr_functions; i++)
		if (memcmp(&h->seen_calls[i], &never, sizeof(never)))
			histograms__mention(h, i);
}
