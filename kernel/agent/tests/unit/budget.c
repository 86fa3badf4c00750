// SPDX-License-Identifier: GPL-2.0
/* Which functions come off, and when. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/budget.h"

#define FUNCTIONS	3
#define MECHANISMS	2
#define MS		1000000ULL

/* What a process and its probes take between two looks. */
struct rates {
	uint64_t cpu_ns, cost_ns[FUNCTIONS];
	uint64_t beside_ns[MECHANISMS];		/* of no function */
};

/* What a process and its probes have taken. */
struct spent {
	struct budget_look look;
	uint64_t cost_ns[FUNCTIONS], beside_ns[MECHANISMS];
};

struct outcome {
	int looks;		/* until something came off; 0: nothing did */
	size_t nr;
	uint32_t functions[FUNCTIONS];
};

/* The first function is one mechanism's, the others another's. */
static const uint32_t two_mechanisms[FUNCTIONS] = { 0, 1, 1 };

static struct budget *budget__of(uint32_t ppm, const uint32_t *mechanism_of, uint64_t now_ns)
{
	const struct budget_opts opts = {
		.ppm = ppm, .nr_functions = FUNCTIONS, .nr_mechanisms = MECHANISMS,
		.mechanism_of = mechanism_of, .now_ns = now_ns,
	};

	return budget__new(&opts);
}

static void spend(struct spent *spent, const struct rates *rates)
{
	int i;

	spent->look.cost_ns = spent->cost_ns;
	spent->look.beside_ns = spent->beside_ns;
	spent->look.now_ns += BUDGET_INTERVAL_NS;
	spent->look.process_cpu_ns += rates->cpu_ns;
	for (i = 0; i < MECHANISMS; i++)
		spent->beside_ns[i] += rates->beside_ns[i];
	for (i = 0; i < FUNCTIONS; i++)
		spent->cost_ns[i] += rates->cost_ns[i];
}

static struct outcome run_mixed(const uint32_t *mechanism_of, uint32_t ppm, const struct rates *rates, int looks)
{
	struct budget *budget = budget__of(ppm, mechanism_of, 5000 * MS);
	struct spent spent = { .look = { .now_ns = 5000 * MS } };
	struct outcome outcome = { 0 };
	int i;

	for (i = 1; i <= looks && !outcome.nr; i++) {
		spend(&spent, rates);
		outcome.nr = budget__look(budget, &spent.look, outcome.functions);
		outcome.looks = outcome.nr ? i : 0;
	}
	budget__free(budget);
	return outcome;
}

static struct outcome run(uint32_t ppm, const struct rates *rates, int looks)
{
	return run_mixed(NULL, ppm, rates, looks);
}

static void check(const char *name, struct outcome o, int looks, size_t nr, uint32_t first)
{
	bool good = o.looks == looks && o.nr == nr && (!nr || o.functions[0] == first);

	printf("%s %s: %zu functions after %d looks, first %u\n", good ? "ok" : "not ok", name,
	       o.nr, o.looks, o.functions[0]);
}

static void twice(void)
{
	struct budget *budget = budget__of(50000, NULL, 0);
	struct spent spent = { 0 };
	struct rates rates = { 100 * MS, { 0, 58 * MS, 6 * MS }, { 0 } };
	uint32_t off[FUNCTIONS];
	size_t nr, i;

	spend(&spent, &rates);
	nr = budget__look(budget, &spent.look, off);
	printf("%s the share is told: %.2f, of it %.2f; %zu left\n",
	       nr == 2 && off[0] == 1 && off[1] == 2 && budget__left(budget) == 1 &&
	       budget__share(budget) > 0.63 && budget__share(budget) < 0.65 &&
	       budget__share_of(budget, 1) > 0.57 && budget__share_of(budget, 1) < 0.59 ?
	       "ok" : "not ok", budget__share(budget), budget__share_of(budget, 1),
	       budget__left(budget));
	/* A little of what is off is still counted, and nobody's fault. */
	rates = (struct rates){ 100 * MS, { 9 * MS, 90 * MS, 0 }, { 0 } };
	for (i = 1, nr = 0; i <= 30 && !nr; i++) {
		spend(&spent, &rates);
		nr = budget__look(budget, &spent.look, off);
	}
	printf("%s the last one comes off after a second of its own: after %zu looks, %zu left\n",
	       nr == 1 && off[0] == 0 && i == 21 && !budget__left(budget) ? "ok" : "not ok",
	       i - 1, budget__left(budget));
	budget__free(budget);
}

/* A dear function that gets its probes back, as what made it dear went a while after the look. */
static void restored(void)
{
	struct budget *budget = budget__of(50000, NULL, 0);
	struct spent spent = { 0 };
	struct rates dear = { 100 * MS, { 0, 90 * MS, 0 }, { 0 } }, cheap = { 100 * MS, { 0, MS, 0 }, { 0 } };
	uint32_t off[FUNCTIONS];
	size_t nr, i;

	spend(&spent, &dear);
	nr = budget__look(budget, &spent.look, off);
	spend(&spent, &dear);
	budget__restore(budget, 1);
	budget__anew(budget, &spent.look);
	for (i = 0; i < 20 && nr == 1; i++) {
		spend(&spent, &cheap);
		nr += budget__look(budget, &spent.look, off);
	}
	printf("%s one that got its probes back is judged by what it spends from then on: %zu left\n",
	       nr == 1 && budget__left(budget) == FUNCTIONS ? "ok" : "not ok", budget__left(budget));
	for (i = 0; i < 20 && nr == 1; i++) {
		spend(&spent, &dear);
		nr += budget__look(budget, &spent.look, off);
	}
	printf("%s and comes off where that is too much: %zu left\n",
	       nr == 2 && budget__left(budget) == FUNCTIONS - 1 ? "ok" : "not ok", budget__left(budget));
	budget__free(budget);
}

/* A second of calm is in the window, and hides nothing. */
static void burst(void)
{
	struct budget *budget = budget__of(50000, NULL, 0);
	struct spent spent = { 0 };
	struct rates calm = { 100 * MS, { MS, 0, 0 }, { 0 } }, hot = { 100 * MS, { MS, 90 * MS, 0 }, { 0 } };
	uint32_t off[FUNCTIONS] = { 0 };
	size_t nr = 0, i;

	for (i = 0; i < 60; i++) {
		spend(&spent, &calm);
		nr += budget__look(budget, &spent.look, off);
	}
	spend(&spent, &hot);
	printf("%s what becomes dear later comes off at the next look\n",
	       !nr && budget__look(budget, &spent.look, off) == 1 && off[0] == 1 ? "ok" : "not ok");
	budget__free(budget);
}

/* What a mechanism costs beside its functions ends when they are off, and not when others are. */
static void mixed(void)
{
	const struct rates others = { 100 * MS, { 2 * MS, MS, 0 }, { MS, 20 * MS } };
	const struct rates both = { 100 * MS, { MS, MS, MS }, { 8 * MS, 20 * MS } };
	const struct rates dearer = { 100 * MS, { 4 * MS, MS / 4, 0 }, { 0, 9 * MS / 2 } };
	const struct rates cheaper = { 100 * MS, { 5 * MS, MS / 4, 0 }, { 0, 9 * MS / 2 } };
	const struct rates last = { 100 * MS, { 85 * MS, 0, 0 }, { 0, 3 * MS / 2 } };

	check("what one mechanism costs beside its functions takes its own off alone",
	      run_mixed(two_mechanisms, 50000, &others, 20), 3, 2, 1);
	check("and the other's where the rest is too much as well", run_mixed(two_mechanisms, 50000, &both, 20), 2, 3, 1);
	check("it comes before a function that costs less", run_mixed(two_mechanisms, 50000, &dearer, 40), 20, 2, 1);
	check("and after one that costs more", run_mixed(two_mechanisms, 50000, &cheaper, 40), 20, 1, 0);
	check("and not for what is only expected to be left", run_mixed(two_mechanisms, 50000, &last, 1), 1, 1, 0);
}

/* Why each came off is told; what costs on after its functions are off is judged as before. */
static void mixed_goes_on(void)
{
	struct budget *budget = budget__of(50000, two_mechanisms, 0);
	struct rates rates = { 100 * MS, { MS, MS, 0 }, { 0, 20 * MS } };
	struct spent spent = { 0 };
	uint32_t off[FUNCTIONS];
	size_t nr = 0, i;

	for (i = 0; i < 5 && !nr; i++) {
		spend(&spent, &rates);
		nr = budget__look(budget, &spent.look, off);
	}
	printf("%s it is told which came off for that: %.2f of %.2f\n",
	       nr == 2 && budget__is_for_beside(budget, 1) && budget__is_for_beside(budget, 2) &&
	       !budget__is_for_beside(budget, 0) && budget__share_beside(budget, 1) > 0.19 &&
	       !budget__share_beside(budget, 0) ? "ok" : "not ok",
	       budget__share_beside(budget, 1), budget__share(budget));
	for (i = 0, nr = 0; i < 5 && !nr; i++) {
		spend(&spent, &rates);
		nr = budget__look(budget, &spent.look, off);
	}
	printf("%s what goes on is too much for the rest: %zu left\n",
	       nr == 1 && !budget__left(budget) ? "ok" : "not ok", budget__left(budget));
	budget__free(budget);
}

#define MANY		200
#define TAKE_OFF_NS	(100 * MS)	/* both old and new probes are there so long */

/*
 * A server that is busy all the time: one ns of its own work makes calls whose probes cost loads[i]
 * ns.  Fewer probes, and it works more.
 */
struct server {
	double loads[MANY], misjudged;	/* what is counted, of what probes really cost */
	bool off[MANY];
	uint64_t cost_ns[MANY], beside_ns;
	struct budget_look look;
	double share;			/* what probes really take of its time */
	uint64_t beyond_ns;		/* since when more than twice the budget was taken */
};

static void server__load(struct server *s, double all)
{
	double sum = 0, weight = 1;
	int i;

	for (i = 0; i < MANY; i++, weight *= 0.93)
		sum += weight;
	for (i = 0, weight = all / sum; i < MANY; i++, weight *= 0.93)
		s->loads[i * 7 % MANY] = weight;
}

static void server__works(struct server *s, uint64_t ns, double budget)
{
	double load = 0, own;
	int i;

	for (i = 0; i < MANY; i++)
		load += s->off[i] ? 0 : s->loads[i];
	own = ns / (1 + load);
	for (i = 0; i < MANY; i++)
		s->cost_ns[i] += s->off[i] ? 0 : own * s->loads[i] * s->misjudged;
	s->share = load / (1 + load);
	s->look.now_ns += ns;
	s->look.process_cpu_ns += ns;
	if (s->share > 2 * budget)
		s->beyond_ns += ns;
}

/* How long it paid more than twice the budget, and that the budget is kept in the end. */
static void busy_server(uint32_t ppm, double load, double misjudged, uint64_t most_ms)
{
	const struct budget_opts opts = { .ppm = ppm, .nr_functions = MANY, .nr_mechanisms = 1 };
	struct budget *budget = budget__new(&opts);
	struct server s = { .misjudged = misjudged };
	uint32_t off[MANY];
	size_t nr, i;

	s.look.cost_ns = s.cost_ns;
	s.look.beside_ns = &s.beside_ns;
	server__load(&s, load);
	while (s.look.now_ns < 10000 * MS) {
		server__works(&s, BUDGET_INTERVAL_NS, ppm / 1e6);
		nr = budget__look(budget, &s.look, off);
		if (nr)
			server__works(&s, TAKE_OFF_NS, ppm / 1e6);
		for (i = 0; i < nr; i++)
			s.off[off[i]] = true;
		if (nr)
			budget__anew(budget, &s.look);
	}
	printf("%s %g times its own work for probes, counted as %g of it, %g %% allowed: %llu ms beyond twice that, %.3g %% in the end, %zu left\n",
	       s.beyond_ns <= most_ms * MS && s.share * misjudged < 1.01 * ppm / 1e6 &&
	       budget__left(budget) ? "ok" : "not ok", load, misjudged, ppm / 1e4,
	       (unsigned long long)(s.beyond_ns / MS), 100 * s.share, budget__left(budget));
	budget__free(budget);
}

int main(void)
{
	const struct rates far = { 100 * MS, { MS / 2, 80 * MS, MS / 2 }, { 0 } };
	const struct rates over = { 100 * MS, { 11 * MS, 3 * MS, 1 * MS }, { 0 } };
	const struct rates little = { 100 * MS, { 6 * MS, MS, MS }, { 0 } };
	const struct rates all = { 100 * MS, { 10 * MS, 9 * MS, 8 * MS }, { 0 } };
	const struct rates faster = { 100 * MS, { 40 * MS, 4 * MS, 0 }, { 0 } };
	const struct rates within = { 100 * MS, { 2 * MS, 2 * MS, 0 }, { 0 } };
	const struct rates asleep = { MS / 4, { MS / 8, MS / 16, 0 }, { 0 } };
	const struct rates drowsy = { 2 * MS, { 0, 3 * MS / 2, 0 }, { 0 } };
	const struct rates unknown = { 0, { 50 * MS, 0, 0 }, { 0 } };
	const struct rates wrong = { 10 * MS, { 0, 0, 50 * MS }, { 0 } };
	const struct rates beside = { 100 * MS, { 2 * MS, MS, 0 }, { 20 * MS } };
	const struct rates partly_beside = { 100 * MS, { 10 * MS, MS, 0 }, { 2 * MS } };
	const struct rates dear_beside = { 100 * MS, { 85 * MS, 0, 0 }, { 3 * MS / 2 } };
	const struct rates cheap = { 100 * MS, { 85 * MS, MS / 10, 0 }, { 3 * MS / 2 } };
	const struct rates less_left = { 100 * MS, { 4 * MS, 3 * MS, 0 }, { 3 * MS } };

	check("far beyond the budget", run(50000, &far, 20), 1, 1, 1);
	check("thrice the budget", run(50000, &over, 20), 4, 1, 0);
	check("beyond it for a second", run(50000, &little, 40), 20, 1, 0);
	check("all of them", run(50000, &all, 20), 2, 3, 0);
	check("what is left is more of what the process then takes", run(50000, &faster, 20), 2, 2, 0);
	check("within it", run(50000, &within, 100), 0, 0, 0);
	check("no limit", run(0, &far, 100), 0, 0, 0);
	check("a process that mostly sleeps", run(50000, &asleep, 100), 0, 0, 0);
	check("one that sleeps less", run(50000, &drowsy, 100), 2, 1, 1);
	check("a process whose time is not known", run(50000, &unknown, 100), 0, 0, 0);
	check("costs beyond all that the process took", run(50000, &wrong, 20), 1, 1, 2);
	check("the whole process", run(1000000, &far, 100), 0, 0, 0);
	check("what is no function's and fits the measured time ends nothing", run(50000, &dear_beside, 1), 1, 1, 0);
	check("nor takes it a cheap function off", run(50000, &cheap, 1), 1, 1, 0);
	check("what is no function's is beyond the budget by itself", run(50000, &beside, 20), 3, 3, 0);
	check("it is part of what is too much", run(50000, &partly_beside, 20), 4, 1, 0);
	check("and leaves less to the functions", run(50000, &less_left, 40), 20, 2, 0);
	mixed();
	mixed_goes_on();
	twice();
	restored();
	burst();
	busy_server(50000, 2, 1, 300);
	busy_server(50000, 20, 1, 500);
	busy_server(50000, 0.3, 1, 300);
	busy_server(10000, 1, 1, 300);
	busy_server(200000, 5, 1, 300);
	busy_server(50000, 2, 1.5, 300);
	busy_server(50000, 2, 0.7, 1500);
	return 0;
}
