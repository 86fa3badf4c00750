// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "base/loop.h"
#include "recording/values.h"

#define TOLD_EVERY_NS	2000000000ULL
#define NAME_BYTES	16

/* A function's figures that are split. */
struct split_function {
	uint32_t function;	/* the recording's id */
	struct figures figures;	/* as its mechanism's, without what is said of its points alone */
	const struct xp_split *split;
	const struct xp_split_table *table;
	size_t first, nr;	/* in list, of those that were taken */
};

struct value {
	Kview__Wire__ValueDelta message;
	uint8_t name[NAME_BYTES];
	uint64_t removed_ns;
};

struct values {
	const struct mechanisms *mechanisms;
	struct split_function *functions;
	size_t nr;
	struct point_figures *places;	/* XP_SPLIT_SLOTS of each function */
	struct histograms *histograms;	/* of these */
	struct value *values;		/* by place */
	Kview__Wire__ValueDelta **list;
	uint64_t told_ns;
};

static bool is_split(struct point_figures at)
{
	return at.figures->splits && at.figures->splits[at.function].is_there;
}

static void values__add(struct values *v, uint32_t function, struct point_figures at)
{
	struct split_function *own = &v->functions[v->nr];
	struct point_figures *places = &v->places[v->nr * XP_SPLIT_SLOTS];
	int slot;

	own->function = function;
	own->figures = *at.figures;
	own->figures.conditions = NULL;
	own->figures.splits = NULL;
	own->figures.failed = NULL;
	own->split = &at.figures->splits[at.function];
	own->table = &at.figures->split_tables[own->split->table];
	for (slot = 0; slot < XP_SPLIT_SLOTS; slot++)
		places[slot] = (struct point_figures){ &own->figures, own->split->first + slot };
	v->nr++;
}

struct values *values__new(const struct mechanisms *mechanisms)
{
	struct values *v = calloc(1, sizeof(*v));
	size_t nr = 0, i;

	if (!v)
		return NULL;
	v->mechanisms = mechanisms;
	for (i = 0; i < mechanisms->nr; i++)
		nr += is_split(mechanisms->points[i]);
	v->functions = calloc(nr + 1, sizeof(*v->functions));
	v->places = calloc(nr * XP_SPLIT_SLOTS + 1, sizeof(*v->places));
	v->values = calloc(nr * XP_SPLIT_SLOTS + 1, sizeof(*v->values));
	v->list = calloc(nr * XP_SPLIT_SLOTS + 1, sizeof(*v->list));
	v->histograms = v->places ? histograms__new(v->places, nr * XP_SPLIT_SLOTS) : NULL;
	if (!v->functions || !v->values || !v->list || !v->histograms) {
		values__free(v);
		return NULL;
	}
	for (i = 0; i < mechanisms->nr; i++)
		if (is_split(mechanisms->points[i]))
			values__add(v, i, mechanisms->points[i]);
	return v;
}

void values__free(struct values *v)
{
	if (!v)
		return;
	histograms__free(v->histograms);
	free(v->functions);
	free(v->places);
	free(v->values);
	free(v->list);
	free(v);
}

static void value__name(struct value *value, const struct xp_split_table *table, uint64_t key)
{
	const volatile __u64 *heads = table->heads;
	uint64_t head = key ? heads[(key >> XP_SPLIT_TAIL_BITS) - 1] : 0, tail = key & ((1ULL << XP_SPLIT_TAIL_BITS) - 1);

	memcpy(value->name, &head, sizeof(head));
	memcpy(value->name + sizeof(head), &tail, sizeof(tail));
	value->message.which = KVIEW__WIRE__VALUE_DELTA__WHICH__THREAD_NAME;
	value->message.thread_name = (ProtobufCBinaryData){ strnlen((char *)value->name, NAME_BYTES), value->name };
}

static void value__describe(struct value *value, const struct split_function *own, int slot)
{
	const volatile __u64 *values = own->table->values;
	uint64_t key = slot < XP_SPLIT_VALUES ? values[slot] : 0;

	kview__wire__value_delta__init(&value->message);
	if (slot == XP_SPLIT_OTHERS) {
		value->message.which = KVIEW__WIRE__VALUE_DELTA__WHICH__OTHERS;
	} else if (slot == XP_SPLIT_UNKNOWN) {
		value->message.which = KVIEW__WIRE__VALUE_DELTA__WHICH__UNKNOWN;
	} else if (own->split->value == XP_VALUE_NAME) {
		value__name(value, own->table, key);
	} else {
		value->message.which = KVIEW__WIRE__VALUE_DELTA__WHICH__NUMBER;
		value->message.number = key;
	}
}

size_t values__take(struct values *v, struct histograms *histograms, bool all)
{
	uint64_t now_ns = clock__now_ns();
	Kview__Wire__FunctionDelta **deltas;
	size_t missing, nr, i;

	for (i = 0; i < v->nr; i++)
		v->functions[i].nr = 0;
	if (!v->nr || (!all && now_ns - v->told_ns < TOLD_EVERY_NS))
		return 0;
	v->told_ns = now_ns;
	missing = histograms__take(v->histograms, 0, 0, &deltas, &nr);
	for (i = 0; i < nr; i++) {
		uint32_t place = deltas[i]->function_id;
		struct split_function *own = &v->functions[place / XP_SPLIT_SLOTS];
		struct value *value = &v->values[place];

		value__describe(value, own, place % XP_SPLIT_SLOTS);
		value->message.metrics = deltas[i]->metrics;
		value->message.n_metrics = deltas[i]->n_metrics;
		value->message.uncertain_ns = deltas[i]->uncertain_ns;
		value->removed_ns = deltas[i]->removed_ns - deltas[i]->waited_ns;
		if (!own->nr++)
			own->first = i;
		v->list[i] = &value->message;
		histograms__mention(histograms, own->function);
	}
	return missing;
}

static void function__tell(struct values *v, const struct split_function *own, Kview__Wire__FunctionDelta *function)
{
	size_t i;

	function->values = v->list + own->first;
	function->n_values = own->nr;
	for (i = 0; i < own->nr; i++) {
		struct value *value = (struct value *)function->values[i];

		value->message.uncertain_ns = mechanisms__uncertain_ns(v->mechanisms, own->function, value->removed_ns,
								       value->message.uncertain_ns);
	}
}

void values__tell(struct values *v, Kview__Wire__FunctionDelta **functions, size_t nr)
{
	size_t i, k;

	for (i = 0; i < v->nr; i++)
		for (k = 0; v->functions[i].nr && k < nr; k++)
			if (functions[k]->function_id == v->functions[i].function)
				function__tell(v, &v->functions[i], functions[k]);
}
