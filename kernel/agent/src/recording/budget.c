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
	uint64_t now_ns, process_cpu_ns;
	uint64_t *cost_ns, *beside_ns;
};

struct budget {
	double allowed;			/* of the process's CPU time */
	size_t nr_functions, nr_mechanisms, left;
	uint32_t *mechanism_of;		/* by function */
	size_t *left_of;		/* by mechanism: how many functions are not off */
	bool *off, *for_beside;
	struct past past[LOOKS];	/* a ring, past[first] is the oldest */
	size_t first, nr;
	/* When functions last came off. */
	double *shares, *shares_beside;
	double share;
};

/* What comes off after one look, and what is left of the window's costs then. */
struct cut {
	struct budget *budget;
	const struct budget_look *look;
	const struct past *since;
	double spent_ns, cpu_ns, least_cpu_ns;
	double beside_ns;	/* the part of spent_ns that is no function's */
	uint32_t *functions;
	size_t nr;
};

static int budget__allocate(struct budget *b)
{
	size_t i;

	b->mechanism_of = calloc(b->nr_functions, sizeof(*b->mechanism_of));
	b->left_of = calloc(b->nr_mechanisms, sizeof(*b->left_of));
	b->off = calloc(b->nr_functions, sizeof(*b->off));
	b->for_beside = calloc(b->nr_functions, sizeof(*b->for_beside));
	b->shares = calloc(b->nr_functions, sizeof(*b->shares));
	b->shares_beside = calloc(b->nr_mechanisms, sizeof(*b->shares_beside));
	for (i = 0; i < LOOKS; i++) {
		b->past[i].cost_ns = calloc(b->nr_functions, sizeof(*b->past[i].cost_ns));
		b->past[i].beside_ns = calloc(b->nr_mechanisms, sizeof(*b->past[i].beside_ns));
		if (!b->past[i].cost_ns || !b->past[i].beside_ns)
			return -1;
	}
	return b->mechanism_of && b->left_of && b->off && b->for_beside && b->shares && b->shares_beside ? 0 : -1;
}

struct budget *budget__new(const struct budget_opts *opts)
{
	struct budget *b = calloc(1, sizeof(*b));
	size_t i;

	if (!b)
		return NULL;
	b->allowed = opts->ppm / 1e6;
	b->nr_functions = b->left = opts->nr_functions;
	b->nr_mechanisms = opts->nr_mechanisms;
	if (budget__allocate(b)) {
		budget__free(b);
		return NULL;
	}
	for (i = 0; i < b->nr_functions; i++) {
		b->mechanism_of[i] = opts->mechanism_of ? opts->mechanism_of[i] : 0;
		b->left_of[b->mechanism_of[i]]++;
	}
	/* The first look is the recording's start. */
	b->past[0].now_ns = opts->now_ns;
	b->nr = 1;
	return b;
}

void budget__free(struct budget *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < LOOKS; i++) {
		free(b->past[i].cost_ns);
		free(b->past[i].beside_ns);
	}
	free(b->mechanism_of);
	free(b->left_of);
	free(b->off);
	free(b->for_beside);
	free(b->shares);
	free(b->shares_beside);
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
	memcpy(past->cost_ns, look->cost_ns, b->nr_functions * sizeof(*past->cost_ns));
	memcpy(past->beside_ns, look->beside_ns, b->nr_mechanisms * sizeof(*past->beside_ns));
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

/* What a mechanism cost beside its functions.  It may go on once they are off. */
static double beside_of(const struct budget_look *look, const struct past *since, size_t mechanism)
{
	return look->beside_ns[mechanism] - since->beside_ns[mechanism];
}

static double beside_of_all(const struct budget *b, const struct budget_look *look,
			    const struct past *since)
{
	double ns = 0;
	size_t i;

	for (i = 0; i < b->nr_mechanisms; i++)
		ns += beside_of(look, since, i);
	return ns;
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

/* The dearest function that is not off, or nr_functions. */
static size_t cut__dearest(const struct cut *cut)
{
	const struct budget *b = cut->budget;
	size_t found = b->nr_functions, i;

	for (i = 0; i < b->nr_functions; i++)
		if (spent_of(b, cut->look, cut->since, i) > 0 &&
		    (found == b->nr_functions || spent_of(b, cut->look, cut->since, i) >
						 spent_of(b, cut->look, cut->since, found)))
			found = i;
	return found;
}

/* The mechanism that costs most beside its functions, of those that have any left; nr_mechanisms: none costs anything. */
static size_t cut__dearest_beside(const struct cut *cut)
{
	const struct budget *b = cut->budget;
	size_t found = b->nr_mechanisms, i;

	for (i = 0; i < b->nr_mechanisms; i++)
		if (b->left_of[i] && beside_of(cut->look, cut->since, i) > 0 &&
		    (found == b->nr_mechanisms || beside_of(cut->look, cut->since, i) >
						  beside_of(cut->look, cut->since, found)))
			found = i;
	return found;
}

/* The process will do without that time, too: it goes faster then, and what is left is more of what it takes. */
static void cut__save(struct cut *cut, double ns)
{
	cut->spent_ns -= ns;
	cut->cpu_ns -= ns;
	if (cut->cpu_ns < cut->least_cpu_ns)
		cut->cpu_ns = cut->least_cpu_ns;
}

static void cut__take_off(struct cut *cut, size_t function, bool for_beside)
{
	struct budget *b = cut->budget;
	uint32_t mechanism = b->mechanism_of[function];

	cut__save(cut, spent_of(b, cut->look, cut->since, function));
	b->off[function] = true;
	b->for_beside[function] = for_beside;
	b->left--;
	if (!--b->left_of[mechanism]) {
		cut__save(cut, beside_of(cut->look, cut->since, mechanism));
		cut->beside_ns -= beside_of(cut->look, cut->since, mechanism);
	}
	cut->functions[cut->nr++] = function;
}

static void cut__take_off_all_of(struct cut *cut, size_t mechanism)
{
	struct budget *b = cut->budget;
	size_t i;

	for (i = 0; i < b->nr_functions; i++)
		if (!b->off[i] && b->mechanism_of[i] == mechanism)
			cut__take_off(cut, i, true);
}

/* Whether functions of several mechanisms are left, and what one of them costs beside its own is more than the dearest function. */
static bool cut__prefers_beside(const struct cut *cut, size_t mechanism, size_t function)
{
	const struct budget *b = cut->budget;
	double ns;

	if (mechanism == b->nr_mechanisms || b->left_of[mechanism] == b->left)
		return false;
	ns = beside_of(cut->look, cut->since, mechanism);
	return function == b->nr_functions || ns > spent_of(b, cut->look, cut->since, function);
}

/*
 * Takes the dearest ones off until the rest fits.  What mechanisms cost beside their functions is only
 * judged of the CPU time that was measured, and where it is too much by itself for as long as is waited
 * for functions.  Of what is only expected to be left it is not, as estimates may be too high.
 */
static size_t budget__cut(struct budget *b, const struct budget_look *look,
			  const struct past *since, double spent_ns, double cpu_ns, double times,
			  uint32_t *functions)
{
	double floor_ns = FLOOR * (look->now_ns - since->now_ns), beside_ns = beside_of_all(b, look, since);
	struct cut cut = {
		.budget = b, .look = look, .since = since, .spent_ns = spent_ns, .cpu_ns = cpu_ns,
		.least_cpu_ns = LEAST_OWN * cpu_ns, .beside_ns = beside_ns, .functions = functions,
	};
	size_t function, mechanism, i;

	b->share = share_of(spent_ns, cpu_ns);
	for (i = 0; i < b->nr_functions; i++)
		b->shares[i] = share_of(spent_of(b, look, since, i), cpu_ns);
	for (i = 0; i < b->nr_mechanisms; i++)
		b->shares_beside[i] = share_of(beside_of(look, since, i), cpu_ns);
	while (is_beyond(b, beside_ns / times, cpu_ns, floor_ns)) {
		mechanism = cut__dearest_beside(&cut);
		if (mechanism == b->nr_mechanisms)
			break;
		beside_ns -= beside_of(look, since, mechanism);
		cut__take_off_all_of(&cut, mechanism);
	}
	while (is_beyond(b, cut.spent_ns, cpu_ns, floor_ns) ||
	       is_beyond(b, cut.spent_ns - cut.beside_ns, cut.cpu_ns, floor_ns)) {
		function = cut__dearest(&cut);
		mechanism = cut__dearest_beside(&cut);
		if (is_beyond(b, cut.spent_ns, cpu_ns, floor_ns) && cut__prefers_beside(&cut, mechanism, function))
			cut__take_off_all_of(&cut, mechanism);
		else if (function < b->nr_functions)
			cut__take_off(&cut, function, false);
		else
			break;
	}
	return cut.nr;
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
	spent_ns = beside_of_all(b, look, since);
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
	b->left_of[b->mechanism_of[function]] += b->off[function];
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

double budget__share_beside(const struct budget *b, uint32_t mechanism)
{
	return b->shares_beside[mechanism];
}

bool budget__is_for_beside(const struct budget *b, uint32_t function)
{
	return b->for_beside[function];
}

double budget__allowed(const struct budget *b)
{
	return b->allowed;
}
