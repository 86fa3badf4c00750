// SPDX-License-Identifier: GPL-2.0
/* Which functions come off, and when. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"

#define FUNCTIONS	3
#define MS		1000000ULL

/* What a process and its probes take in a tenth of a second. */
struct rates {
	uint64_t cpu_ns, cost_ns[FUNCTIONS];
};

struct outcome {
	int looks;		/* until something came off; 0: nothing did */
	size_t nr;
	uint32_t functions[FUNCTIONS];
};

static void spend(struct budget_look *look, uint64_t *cost_ns, const struct rates *rates)
{
	int i;

	look->now_ns += BUDGET_INTERVAL_NS;
	look->process_cpu_ns += rates->cpu_ns;
	for (i = 0; i < FUNCTIONS; i++)
		cost_ns[i] += rates->cost_ns[i];
}

static struct outcome run(uint32_t ppm, const struct rates *rates, int looks)
{
	struct budget *budget = budget__new(ppm, FUNCTIONS, 5000 * MS);
	uint64_t cost_ns[FUNCTIONS] = { 0 };
	struct budget_look look = { .now_ns = 5000 * MS, .cost_ns = cost_ns };
	struct outcome outcome = { 0 };
	int i;

	for (i = 1; i <= looks && !outcome.nr; i++) {
		spend(&look, cost_ns, rates);
		outcome.nr = budget__look(budget, &look, outcome.functions);
		outcome.looks = outcome.nr ? i : 0;
	}
	budget__free(budget);
	return outcome;
}

static void check(const char *name, struct outcome o, int looks, size_t nr, uint32_t first)
{
	bool good = o.looks == looks && o.nr == nr && (!nr || o.functions[0] == first);

	printf("%s %s: %zu functions after %d looks, first %u\n", good ? "ok" : "not ok", name,
	       o.nr, o.looks, o.functions[0]);
}

static void twice(void)
{
	struct budget *budget = budget__new(50000, FUNCTIONS, 0);
	uint64_t cost_ns[FUNCTIONS] = { 0 };
	struct budget_look look = { .cost_ns = cost_ns };
	struct rates rates = { 100 * MS, { 0, 58 * MS, 6 * MS } };
	uint32_t off[FUNCTIONS];
	size_t nr, i;

	spend(&look, cost_ns, &rates);
	nr = budget__look(budget, &look, off);
	printf("%s the share is told: %.2f, of it %.2f; %zu left\n",
	       nr == 2 && off[0] == 1 && off[1] == 2 && budget__left(budget) == 1 &&
	       budget__share(budget) > 0.63 && budget__share(budget) < 0.65 &&
	       budget__share_of(budget, 1) > 0.57 && budget__share_of(budget, 1) < 0.59 ?
	       "ok" : "not ok", budget__share(budget), budget__share_of(budget, 1),
	       budget__left(budget));
	/* A little of what is off is still counted, and nobody's fault. */
	rates = (struct rates){ 100 * MS, { 8 * MS, 90 * MS, 0 } };
	for (i = 1, nr = 0; i <= 10 && !nr; i++) {
		spend(&look, cost_ns, &rates);
		nr = budget__look(budget, &look, off);
	}
	printf("%s the last one comes off after a second of its own: after %zu looks, %zu left\n",
	       nr == 1 && off[0] == 0 && i == 11 && !budget__left(budget) ? "ok" : "not ok",
	       i - 1, budget__left(budget));
	budget__free(budget);
}

/* A dear function that gets its probes back, as what made it dear went a while after the look. */
static void restored(void)
{
	struct budget *budget = budget__new(50000, FUNCTIONS, 0);
	uint64_t cost_ns[FUNCTIONS] = { 0 };
	struct budget_look look = { .cost_ns = cost_ns };
	struct rates dear = { 100 * MS, { 0, 90 * MS, 0 } }, cheap = { 100 * MS, { 0, MS, 0 } };
	uint32_t off[FUNCTIONS];
	size_t nr, i;

	spend(&look, cost_ns, &dear);
	nr = budget__look(budget, &look, off);
	spend(&look, cost_ns, &dear);
	budget__restore(budget, 1);
	budget__anew(budget, &look);
	for (i = 0; i < 20 && nr == 1; i++) {
		spend(&look, cost_ns, &cheap);
		nr += budget__look(budget, &look, off);
	}
	printf("%s one that got its probes back is judged by what it spends from then on: %zu left\n",
	       nr == 1 && budget__left(budget) == FUNCTIONS ? "ok" : "not ok", budget__left(budget));
	for (i = 0; i < 20 && nr == 1; i++) {
		spend(&look, cost_ns, &dear);
		nr += budget__look(budget, &look, off);
	}
	printf("%s and comes off where that is too much: %zu left\n",
	       nr == 2 && budget__left(budget) == FUNCTIONS - 1 ? "ok" : "not ok", budget__left(budget));
	budget__free(budget);
}

int main(void)
{
	const struct rates far = { 100 * MS, { 1 * MS, 80 * MS, 1 * MS } };
	const struct rates over = { 100 * MS, { 10 * MS, 4 * MS, 1 * MS } };
	const struct rates all = { 100 * MS, { 10 * MS, 9 * MS, 8 * MS } };
	const struct rates within = { 100 * MS, { 2 * MS, 2 * MS, 0 } };
	const struct rates asleep = { MS / 2, { MS / 4, MS / 8, 0 } };
	const struct rates unknown = { 0, { 50 * MS, 0, 0 } };
	const struct rates wrong = { 10 * MS, { 0, 0, 50 * MS } };

	check("far beyond the budget", run(50000, &far, 20), 1, 1, 1);
	check("beyond it for a second", run(50000, &over, 20), 10, 1, 0);
	check("all of them", run(50000, &all, 20), 10, 3, 0);
	check("within it", run(50000, &within, 100), 0, 0, 0);
	check("no limit", run(0, &far, 100), 0, 0, 0);
	check("a process that mostly sleeps", run(50000, &asleep, 100), 0, 0, 0);
	check("a process whose time is not known", run(50000, &unknown, 100), 0, 0, 0);
	check("costs beyond all that the process took", run(50000, &wrong, 20), 1, 1, 2);
	check("the whole process", run(1000000, &far, 100), 0, 0, 0);
	twice();
	restored();
	return 0;
}
