// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "base/message_list.h"
#include "mechanism/measure/alloc.h"
#include "mechanism/measure/counters.h"
#include "mechanism/measure/io.h"
#include "mechanism/measure/measures.h"

const struct measure *const measures_known[XP_MEASURES] = {
	[XP_MEASURE_ALLOC] = &alloc_measure, [XP_MEASURE_IO] = &io_measure, [XP_MEASURE_COUNTERS] = &counters_measure,
};

static const struct measure *measure__named(const char *name)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		if (!strcmp(measures_known[i]->name, name))
			return measures_known[i];
	return NULL;
}

static int unknown(const char *name, struct error *error)
{
	char names[200] = "";
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? ", " : "", measures_known[i]->name);
	return error__set(error, ERR_UNSUPPORTED, "This agent measures no %.50s within calls: choose of %s.", name, names);
}

int measures__read(const Kview__Wire__StartRecordingRequest *request, uint32_t *chosen, struct error *error)
{
	const struct measure *measure;
	size_t i;

	for (*chosen = 0, i = 0; i < request->n_measures; i++) {
		measure = measure__named(request->measures[i]);
		if (!measure)
			return unknown(request->measures[i], error);
		if (measure->missing && measure->missing())
			return error__set(error, ERR_UNSUPPORTED, "%s", measure->missing());
		*chosen |= 1U << measure->number;
	}
	return 0;
}

size_t measures__quantities(uint32_t chosen, const struct quantity **list)
{
	size_t nr = 0, i, k;

	for (i = 0; i < XP_MEASURES; i++)
		for (k = 0; chosen & 1U << i && k < measures_known[i]->nr; k++)
			list[nr++] = &measures_known[i]->quantities[k];
	return nr;
}

void measures__tell_others(uint32_t chosen, char *text, size_t size)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		if (chosen & 1U << i && measures_known[i]->others)
			snprintf(text + strlen(text), size - strlen(text), " %s", measures_known[i]->others);
}

bool measures__cost_others(uint32_t chosen)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		if (chosen & 1U << i && measures_known[i]->others)
			return true;
	return false;
}

Kview__Wire__Quantity **measures__describe(uint32_t chosen, size_t *nr)
{
	const struct quantity *list[XP_QUANTITIES];
	Kview__Wire__Quantity **messages;
	size_t i;

	*nr = measures__quantities(chosen, list);
	messages = *nr ? message_list__new(*nr, sizeof(**messages)) : NULL;
	if (!messages) {
		*nr = 0;
		return NULL;
	}
	for (i = 0; i < *nr; i++) {
		kview__wire__quantity__init(messages[i]);
		messages[i]->id = (char *)list[i]->id;
		messages[i]->title = (char *)list[i]->title;
		messages[i]->unit = list[i]->unit;
		messages[i]->of = list[i]->of ? (char *)list[i]->of : messages[i]->of;
	}
	return messages;
}
