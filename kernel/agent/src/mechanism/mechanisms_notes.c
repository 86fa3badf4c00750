// SPDX-License-Identifier: GPL-2.0
/* What the mechanisms of a recording say of it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookup/names.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/process_tree.h"
#include "mechanism/shared_view.h"

Kview__Wire__Filter mechanisms__filter(const struct mechanisms *ms)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (!ms->parts[i].mechanism->in_view)
			return KVIEW__WIRE__FILTER__FILTER_IN;
	return KVIEW__WIRE__FILTER__FILTER_VIEW;
}

/*
 * Adds what a mechanism says, if anything.  It may name other processes, whose names may be any bytes, and a client
 * takes a message with text that is no UTF-8 for one that no agent sends.
 */
static void text__add(char *text, size_t size, const char *between, const char *more)
{
	size_t length = strlen(text);
	char *printable;

	if (!more || !*more)
		return;
	printable = name__printable(more);
	snprintf(text + length, size - length, "%s%s", length ? between : "", printable ? printable : "");
	free(printable);
}

/* Of what is measured in the view, all kinds in one sentence: "System calls and tracepoints are measured in ...". */
static void mechanisms__describe_view(struct mechanisms *ms)
{
	char kinds[256] = "", note[512];
	size_t nr = 0, told = 0, i;

	for (i = 0; i < ms->nr_parts; i++)
		nr += ms->parts[i].mechanism->in_view;
	for (i = 0; i < ms->nr_parts; i++) {
		const struct mechanism *mechanism = ms->parts[i].mechanism;
		size_t length = strlen(kinds);
		const char *between = !told ? "" : told + 1 == nr ? " and " : ", ";

		if (!mechanism->in_view)
			continue;
		snprintf(kinds + length, sizeof(kinds) - length, "%s%s", between, mechanism->kind);
		if (told++)
			kinds[length + strlen(between)] = tolower(mechanism->kind[0]);
	}
	if (!nr)
		return;
	shared_view__describe(ms->view, kinds, note, sizeof(note));
	text__add(ms->filter_note, sizeof(ms->filter_note), " ", note);
}

const char *mechanisms__filter_note(struct mechanisms *ms)
{
	size_t i;

	*ms->filter_note = 0;
	mechanisms__describe_view(ms);
	for (i = 0; i < ms->nr_parts; i++)
		text__add(ms->filter_note, sizeof(ms->filter_note), " ",
			  ms->parts[i].mechanism->filter_note);
	if (ms->tree && mechanisms__filter(ms) != KVIEW__WIRE__FILTER__FILTER_VIEW)
		text__add(ms->filter_note, sizeof(ms->filter_note), " ",
			  "Children are followed at the forks of all processes and the ends of all threads, which cost some tenths of a µs more.");
	text__add(ms->filter_note, sizeof(ms->filter_note), " ", ms->view->why);
	return ms->filter_note;
}

const char *mechanisms__note(struct mechanisms *ms)
{
	size_t i;

	for (*ms->note = 0, i = 0; i < ms->nr_parts; i++)
		text__add(ms->note, sizeof(ms->note), " ", ms->parts[i].mechanism->note);
	text__add(ms->note, sizeof(ms->note), " ", ms->view->others_note);
	if (ms->tree)
		text__add(ms->note, sizeof(ms->note), " ", process_tree__note(ms->tree));
	if (ms->has_agent)
		text__add(ms->note, sizeof(ms->note), " ",
			  "The agent is in the cgroup itself, and is measured with it: to leave it out, start kview from outside the cgroup.");
	return ms->note;
}

const char *mechanisms__waits_note(struct mechanisms *ms)
{
	char others[48] = "";
	size_t i;

	if (ms->nr_left > MECHANISMS_NAMED)
		snprintf(others, sizeof(others), " and %zu others", ms->nr_left - MECHANISMS_NAMED);
	for (*ms->waits_note = 0, i = 0; i < ms->nr_parts; i++)
		text__add(ms->waits_note, sizeof(ms->waits_note), " ",
			  ms->parts[i].mechanism->waits_note);
	text__add(ms->waits_note, sizeof(ms->waits_note), " ", ms->left_note);
	text__add(ms->waits_note, sizeof(ms->waits_note), "", others);
	if (*ms->left_note)
		text__add(ms->waits_note, sizeof(ms->waits_note), "", ms->nr_sources && ms->places[ms->last_left].part ? ". They have no events." : ".");
	return ms->waits_note;
}

void mechanisms__widen(const struct mechanisms *ms, Kview__Wire__FunctionDelta **functions, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		functions[i]->uncertain_ns = mechanisms__uncertain_ns(ms, functions[i]->function_id,
								      functions[i]->removed_ns - functions[i]->waited_ns,
								      functions[i]->uncertain_ns);
}
