// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "recording/budget.h"

#define WINDOW_NS	1000000000ULL
#define LOOKS		(WINDOW_NS / BUDGET_INTERVAL_NS + 1)
/* Twice the budget is not waited for longer, and more for as much less. */
#define TWICE_NS	250000000ULL
/* Of one CPU. */
#define FLOOR		0.005
/* Costs are estimates: whatever they say, this much of a process's CPU time is left without them. */
#define LEAST_OWN	0.25

/* A look that was had, to be compared with a later one. */
struct past {
	uint64_t now_ns, process_cpu_ns, beside_ns;
	uint64_t *cost_ns;
};

struct budget {
	double allowed;			/* of the process's CPU time */
	size_t nr_functions, left;
	bool *off;
	struct past past[LOOKS];	/* a ring, past[first] is the oldest */
	size_t first, nr;
	double *shares;			/* when functions last came off */
	double share, share_beside;
};

struct budget *budget__new(uint32_t ppm, size_t nr_functions, uint64_t now_ns)
{
	struct budget *b = calloc(1, sizeof(*b));
	size_t i;

	if (!b)
		return NULL;
	b->allowed = ppm / 1e6;
	b->nr_functions = b->left = nr_functions;
	b->off = calloc(nr_functions, sizeof(*b->off));
	b->shares = calloc(nr_functions, sizeof(*b->shares));
	for (i = 0; i < LOOKS; i++) {
		b->past[i].cost_ns = calloc(nr_functions, sizeof(*b->past[i].cost_ns));
		if (!b->past[i].cost_ns)
			goto no_memory;
	}
	if (!b->off || !b->shares)
		goto no_memory;
	/* The first look is the recording's start. */
	b->past[0].now_ns = now_ns;
	b->nr = 1;
	return b;
no_memory:
	budget__free(b);
	return NULL;
}

void budget__free(struct budget *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < LOOKS; i++)
		free(b->past[i].cost_ns);
	free(b->off);
	free(b->shares);
	free(b);
}

static void budget__keep(struct budget *b, const struct budget_look *look)
{
	struct past *past = &b->past[(b->first + b->nr) % LOOKS];

	if (b->nr == LOOKS)
		b->first = (b->first + 1) % LOOKS;
	else
		b->nr++;
	past->now_ns = look->now_ns;
	past->process_cpu_ns = look->process_cpu_ns;
	past->beside_ns = look->beside_ns;
	memcpy(past->cost_ns, look->cost_ns, b->nr_functions * sizeof(*past->cost_ns));
}

void budget__anew(struct budget *b, const struct budget_look *look)
{
	b->nr = 0;
	budget__keep(b, look);
}

/* The latest one that is a second old, or the oldest. */
static const struct past *budget__since(const struct budget *b, uint64_t now_ns)
{
	const struct past *since = &b->past[b->first];
	size_t i;

	for (i = 1; i < b->nr; i++) {
		const struct past *past = &b->past[(b->first + i) % LOOKS];

		if (now_ns - past->now_ns < WINDOW_NS)
			break;
		since = past;
	}
	return since;
}

static double spent_of(const struct budget *b, const struct budget_look *look,
		       const struct past *since, size_t function)
{
	return b->off[function] ? 0 : look->cost_ns[function] - since->cost_ns[function];
}

/* The dearest function that is not off, or nr_functions. */
static size_t dearest(const struct budget *b, const struct budget_look *look,
		      const struct past *since)
{
	size_t found = b->nr_functions, i;

	for (i = 0; i < b->nr_functions; i++)
		if (spent_of(b, look, since, i) > 0 &&
		    (found == b->nr_functions ||
		     spent_of(b, look, since, i) > spent_of(b, look, since, found)))
			found = i;
	return found;
}

static double share_of(double spent_ns, double cpu_ns)
{
	return spent_ns < cpu_ns ? spent_ns / cpu_ns : 1;
}

/* How many times the budget the probes may have cost over a window. */
static double patience(uint64_t passed_ns)
{
	/* A look that comes a little early is one. */
	if (passed_ns >= WINDOW_NS - BUDGET_INTERVAL_NS / 2)
		return 1;
	return passed_ns >= TWICE_NS ? 2 : 2.0 * TWICE_NS / passed_ns;
}

static bool is_beyond(const struct budget *b, double spent_ns, double cpu_ns, double floor_ns)
{
	return spent_ns > floor_ns && spent_ns > b->allowed * cpu_ns;
}

static size_t budget__take_off(struct budget *b, size_t function, uint32_t *functions, size_t nr)
{
	b->off[function] = true;
	b->left--;
	functions[nr] = function;
	return nr + 1;
}

/*
 * Takes the dearest ones off until the rest fits.  The process will do without their time, too: it
 * goes faster then, and what is left is more of what it takes.  What is no function's may be too much
 * by itself, of the CPU time that was measured and for as long as is waited for functions: then none
 * can stay.  Of what is only expected to be left that is not judged, as estimates may be too high.
 */
static size_t budget__cut(struct budget *b, const struct budget_look *look,
			  const struct past *since, double spent_ns, double cpu_ns, double times,
			  uint32_t *functions)
{
	double floor_ns = FLOOR * (look->now_ns - since->now_ns), least_ns = LEAST_OWN * cpu_ns;
	bool is_beside = is_beyond(b, (look->beside_ns - since->beside_ns) / times, cpu_ns, floor_ns);
	size_t nr = 0, i;

	b->share = share_of(spent_ns, cpu_ns);
	b->share_beside = share_of(look->beside_ns - since->beside_ns, cpu_ns);
	for (i = 0; i < b->nr_functions; i++)
		b->shares[i] = share_of(spent_of(b, look, since, i), cpu_ns);
	while (is_beyond(b, spent_ns, cpu_ns, floor_ns)) {
		i = dearest(b, look, since);
		if (i == b->nr_functions)
			break;
		spent_ns -= spent_of(b, look, since, i);
		cpu_ns -= spent_of(b, look, since, i);
		if (cpu_ns < least_ns)
			cpu_ns = least_ns;
		nr = budget__take_off(b, i, functions, nr);
	}
	for (i = 0; is_beside && i < b->nr_functions; i++)
		if (!b->off[i])
			nr = budget__take_off(b, i, functions, nr);
	return nr;
}

size_t budget__look(struct budget *b, const struct budget_look *look, uint32_t *functions)
{
	const struct past *since = budget__since(b, look->now_ns);
	uint64_t passed_ns = look->now_ns - since->now_ns;
	double spent_ns, cpu_ns, times;
	size_t nr = 0, i;

	if (!b->allowed || look->process_cpu_ns <= since->process_cpu_ns)
		return 0;
	cpu_ns = look->process_cpu_ns - since->process_cpu_ns;
	spent_ns = look->beside_ns - since->beside_ns;
	for (i = 0; i < b->nr_functions; i++)
		spent_ns += spent_of(b, look, since, i);
	times = passed_ns >= BUDGET_INTERVAL_NS / 2 ? patience(passed_ns) : 0;
	if (times && spent_ns > times * b->allowed * cpu_ns && spent_ns > times * FLOOR * passed_ns)
		nr = budget__cut(b, look, since, spent_ns, cpu_ns, times, functions);
	/* What was spent with probes that are off by now says nothing of the rest. */
	if (nr)
		budget__anew(b, look);
	else
		budget__keep(b, look);
	return nr;
}

void budget__restore(struct budget *b, uint32_t function)
{
	b->left += b->off[function];
	b->off[function] = false;
}

size_t budget__left(const struct budget *b)
{
	return b->left;
}

double budget__share(const struct budget *b)
{
	return b->share;
}

double budget__share_of(const struct budget *b, uint32_t function)
{
	return b->shares[function];
}

double budget__share_beside(const struct budget *b)
{
	return b->share_beside;
}

double budget__allowed(const struct budget *b)
{
	return b->allowed;
}
