// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "mechanism/measure/measures.h"
#include "recording/quantities.h"

/* What a function's calls took, and the message of it. */
struct quantified {
	uint32_t function;	/* the recording's id */
	struct figures figures;	/* as its mechanism's, of its quantities alone */
	Kview__Wire__QuantityDelta messages[XP_QUANTITIES];
	Kview__Wire__QuantityDelta *list[XP_QUANTITIES];
	size_t nr;		/* that were taken */
};

struct quantities {
	struct quantified *functions;
	struct point_figures *places;	/* by function */
	struct histograms *histograms;	/* of these */
	const char *ids[XP_QUANTITIES];
	size_t nr;
};

static void quantities__add(struct quantities *q, uint32_t function, struct point_figures at)
{
	struct quantified *own = &q->functions[q->nr];
	const struct quantity *list[XP_QUANTITIES];
	size_t nr = measures__quantities(at.figures->measured, list), i;

	own->function = function;
	own->figures = *at.figures;
	own->figures.conditions = NULL;
	own->figures.splits = NULL;
	own->figures.failed = NULL;
	own->figures.metrics = 0;
	for (i = 0; i < nr; i++) {
		own->figures.metrics |= 1U << XP_QUANTITY_SET(list[i]->number);
		q->ids[list[i]->number] = list[i]->id;
	}
	q->places[q->nr++] = (struct point_figures){ &own->figures, at.figures->first_quantities + at.function };
}

struct quantities *quantities__new(const struct mechanisms *mechanisms)
{
	struct quantities *q = calloc(1, sizeof(*q));
	size_t nr = 0, i;

	if (!q)
		return NULL;
	for (i = 0; i < mechanisms->nr; i++)
		nr += mechanisms->points[i].figures->measured != 0;
	q->functions = calloc(nr + 1, sizeof(*q->functions));
	q->places = calloc(nr + 1, sizeof(*q->places));
	q->histograms = q->places ? histograms__new(q->places, nr) : NULL;
	if (!q->functions || !q->histograms) {
		quantities__free(q);
		return NULL;
	}
	for (i = 0; i < mechanisms->nr; i++)
		if (mechanisms->points[i].figures->measured)
			quantities__add(q, i, mechanisms->points[i]);
	return q;
}

void quantities__free(struct quantities *q)
{
	if (!q)
		return;
	histograms__free(q->histograms);
	free(q->functions);
	free(q->places);
	free(q);
}

static void quantified__take(struct quantified *own, const struct quantities *q, const Kview__Wire__FunctionDelta *delta)
{
	Kview__Wire__QuantityDelta *message;
	size_t i;

	for (i = 0; i < delta->n_metrics; i++) {
		message = &own->messages[own->nr];
		kview__wire__quantity_delta__init(message);
		message->id = (char *)q->ids[delta->metrics[i]->metric - XP_QUANTITY_SET(0)];
		message->figures = delta->metrics[i];
		/* It is none. */
		message->figures->metric = KVIEW__WIRE__METRIC__WALL;
		own->list[own->nr++] = message;
	}
}

size_t quantities__take(struct quantities *q, struct histograms *histograms)
{
	Kview__Wire__FunctionDelta **deltas;
	size_t missing, nr, i;

	for (i = 0; i < q->nr; i++)
		q->functions[i].nr = 0;
	if (!q->nr)
		return 0;
	missing = histograms__take(q->histograms, 0, 0, &deltas, &nr);
	for (i = 0; i < nr; i++) {
		struct quantified *own = &q->functions[deltas[i]->function_id];

		quantified__take(own, q, deltas[i]);
		histograms__mention(histograms, own->function);
	}
	return missing;
}

void quantities__tell(const struct quantities *q, Kview__Wire__FunctionDelta **functions, size_t nr)
{
	size_t i, k;

	/* Both ascend. */
	for (i = 0, k = 0; i < q->nr; i++) {
		struct quantified *own = &q->functions[i];

		while (k < nr && functions[k]->function_id < own->function)
			k++;
		if (own->nr && k < nr && functions[k]->function_id == own->function) {
			functions[k]->quantities = own->list;
			functions[k]->n_quantities = own->nr;
		}
	}
}
