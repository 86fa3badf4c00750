// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanism/mechanisms_state.h"
#include "mechanism/process_tree.h"
#include "mechanism/shared_view.h"

static int out_of_memory(struct error *error)
{
	return error__set(error, ERR_FAILED, "Out of memory.");
}

void mechanisms__free(struct mechanisms *ms)
{
	size_t i;

	if (!ms)
		return;
	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism_part *part = &ms->parts[i];

		if (part->mechanism) {
			figures__end(&part->mechanism->figures);
			part->mechanism->ops->free(part->mechanism);
		}
		free(part->points);
		free(part->dropped);
		free(part->kept);
	}
	if (ms->view)
		shared_view__close(ms->view);
	free(ms->view);
	process_tree__free(ms->tree);
	if (ms->epoll_fd >= 0)
		close(ms->epoll_fd);
	if (ms->marks_fd >= 0)
		close(ms->marks_fd);
	if (ms->members_fd >= 0)
		close(ms->members_fd);
	free(ms->parts);
	free(ms->places);
	free(ms->sources);
	free(ms->waits);
	free(ms->points);
	free(ms->names);
	free(ms);
}

/* The index of the kind from this one on that measures a probe, or of the NULL that follows the last. */
static uint32_t kind__of(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe,
			 uint32_t from)
{
	while (mechanism_kinds[from] && (((probe->condition || probe->split) && !mechanism_kinds[from]->takes_conditions) ||
					 (request->n_measures && !mechanism_kinds[from]->takes_measures) ||
					 !mechanism_kinds[from]->serves(request, probe)))
		from++;
	return from;
}

/* What of its share of the request a kind took; the rest is for those behind it. */
static void part__take(struct mechanisms *ms, uint32_t kind, const Kview__Wire__StartRecordingRequest *request,
		       uint32_t *kinds)
{
	struct mechanism_part *part = &ms->parts[ms->nr_parts - 1];
	const struct mechanism *mechanism = part->mechanism;
	size_t own = 0, i;

	for (i = 0; i < mechanism->nr; i++) {
		uint32_t point = part->points[mechanism->shares ? mechanism->shares[i] : i];

		/* Shares ascend. */
		part->points[i] = point;
		ms->places[point] = (struct mechanism_place){ ms->nr_parts - 1, i };
		ms->names[point] = mechanism->names[i];
	}
	for (i = 0; i < ms->nr; i++) {
		if (kinds[i] != kind)
			continue;
		if (own < mechanism->nr && part->points[own] == i)
			own++;
		else
			kinds[i] = kind__of(request, request->probes[i], kind + 1);
	}
}

/* Adds the part of a kind, which has its own share of the request. */
static int mechanisms__add(struct mechanisms *ms, uint32_t kind, const Kview__Wire__StartRecordingRequest *request,
			   uint32_t *kinds, struct error *error)
{
	struct mechanism_part *part = &ms->parts[ms->nr_parts];
	Kview__Wire__Probe *probes = calloc(ms->nr, sizeof(*probes));
	Kview__Wire__Probe **list = calloc(ms->nr, sizeof(*list));
	Kview__Wire__StartRecordingRequest share = *request;
	int result = -1;
	size_t i;

	part->points = calloc(ms->nr, sizeof(*part->points));
	part->dropped = calloc(ms->nr, sizeof(*part->dropped));
	part->kept = calloc(ms->nr, sizeof(*part->kept));
	ms->nr_parts++;
	if (!probes || !list || !part->points || !part->dropped || !part->kept) {
		out_of_memory(error);
		goto out;
	}
	share.probes = list;
	share.n_probes = 0;
	for (i = 0; i < ms->nr; i++) {
		size_t own = share.n_probes;

		if (kinds[i] != kind)
			continue;
		probes[own] = *request->probes[i];
		probes[own].function_id = own;
		list[own] = &probes[own];
		part->points[own] = i;
		share.n_probes++;
	}
	part->mechanism = mechanism_kinds[kind]->find(&share, error);
	if (!part->mechanism)
		goto out;
	part__take(ms, kind, request, kinds);
	result = 0;
out:
	free(probes);
	free(list);
	return result;
}

static bool is_used(const uint32_t *kinds, size_t nr, uint32_t kind)
{
	for (size_t i = 0; i < nr; i++)
		if (kinds[i] == kind)
			return true;
	return false;
}

static int unknown_kind(const Kview__Wire__StartRecordingRequest *request, const uint32_t *kinds, struct error *error)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if ((request->probes[i]->condition || request->probes[i]->split) && !mechanism_kinds[kinds[i]])
			return error__set(error, ERR_UNSUPPORTED, request->probes[i]->split ?
					  "Figures of functions of programs, and of system calls, are split by values; functions of the kernel and tracepoints are measured without: record these apart." :
					  "Conditions say which calls of functions of programs, and which system calls, are measured; functions of the kernel and tracepoints are measured without: record these apart.");
	if (request->n_measures)
		return error__set(error, ERR_UNSUPPORTED,
				  "Beside time, something is counted within calls of functions of programs alone: record the other points apart.");
	return error__set(error, ERR_UNSUPPORTED, "This agent can't measure all that was chosen: use the agent that came with the client.");
}

/* They would be in each other's times. */
static bool pairs__are_mixed(const Kview__Wire__StartRecordingRequest *request)
{
	bool pairs = false, functions = false;
	size_t i;

	for (i = 0; i < request->n_probes; i++) {
		pairs |= request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_STATIC_PAIR;
		functions |= request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_USER_FUNCTION ||
			     request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT__NOT_SET;
	}
	return pairs && functions;
}

static void mechanisms__note_left(struct mechanisms *ms, size_t point, const Kview__Wire__Probe *probe)
{
	size_t length = strlen(ms->left_note);

	ms->last_left = point;
	if (ms->nr_left++ >= MECHANISMS_NAMED)
		return;
	snprintf(ms->left_note + length, sizeof(ms->left_note) - length, "%s%.80s",
		 length ? ", " : "Measured by traps, because the process mapped memory where jumps to them were to lead, or somebody else had changed their code: ",
		 probe->symbol);
}

static int mechanisms__add_all(struct mechanisms *ms, uint32_t nr_kinds, const Kview__Wire__StartRecordingRequest *request,
			       const struct left_points *left, uint32_t *kinds, struct error *error)
{
	bool is_code = false;
	uint32_t kind;
	size_t i;

	for (i = 0; i < ms->nr; i++) {
		is_code |= request->probes[i]->point_case != KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL &&
			   request->probes[i]->point_case != KVIEW__WIRE__PROBE__POINT_TRACEPOINT;
		kinds[i] = kind__of(request, request->probes[i], 0);
		if (!left || !left->points[i])
			continue;
		kinds[i] = kind__of(request, request->probes[i], kinds[i] + 1);
		mechanisms__note_left(ms, i, request->probes[i]);
	}
	if (pairs__are_mixed(request))
		return error__set(error, ERR_UNSUPPORTED,
				  "Pairs of static probes and functions of programs are measured in recordings of their own: record one of them, then the others.");
	if (is_code && mechanism__check_unchanged(ms->pid, error))
		return -1;
	if (is_used(kinds, ms->nr, nr_kinds))
		return unknown_kind(request, kinds, error);
	for (kind = 0; kind < nr_kinds; kind++)
		if (is_used(kinds, ms->nr, kind) && mechanisms__add(ms, kind, request, kinds, error))
			return -1;
	return is_used(kinds, ms->nr, nr_kinds) ? unknown_kind(request, kinds, error) : 0;
}

static int mechanisms__avoid(struct mechanisms *ms, const struct code_place *place, struct error *error)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->avoid &&
		    ms->parts[i].mechanism->ops->avoid(ms->parts[i].mechanism, place, error))
			return -1;
	return 0;
}

/* What one changes no other may put anything into. */
static int mechanisms__keep_apart(struct mechanisms *ms, struct error *error)
{
	struct code_place place;
	size_t i, k;

	for (i = 0; i < ms->nr_parts; i++) {
		const struct mechanism *changing = ms->parts[i].mechanism;

		for (k = 0; changing->ops->changes && changing->ops->changes(changing, k, &place); k++)
			if (mechanisms__avoid(ms, &place, error))
				return -1;
	}
	return 0;
}

/* What one puts into the process is no sign to others that it makes code. */
static void mechanisms__introduce(struct mechanisms *ms)
{
	size_t i, k;

	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism *judging = ms->parts[i].mechanism;

		for (k = 0; judging->ops->know && k < ms->nr_parts; k++)
			if (ms->parts[k].mechanism->ops->own_code)
				judging->ops->know(judging, ms->parts[k].mechanism);
	}
}

struct mechanisms *mechanisms__find(const Kview__Wire__StartRecordingRequest *request, const struct left_points *left,
				    struct error *error)
{
	struct mechanisms *ms = calloc(1, sizeof(*ms));
	uint32_t *kinds = calloc(request->n_probes, sizeof(*kinds)), nr_kinds = 0;

	while (mechanism_kinds[nr_kinds])
		nr_kinds++;
	if (!ms || !kinds)
		goto no_memory;
	ms->pid = request->pid;
	ms->nr = request->n_probes;
	ms->changes_fd = ms->epoll_fd = ms->marks_fd = ms->members_fd = -1;
	ms->view = malloc(sizeof(*ms->view));
	if (!ms->view)
		goto no_memory;
	shared_view__init(ms->view, request->pid, request->filter);
	ms->names = calloc(ms->nr, sizeof(*ms->names));
	ms->points = calloc(ms->nr, sizeof(*ms->points));
	ms->places = calloc(ms->nr, sizeof(*ms->places));
	ms->parts = calloc(nr_kinds, sizeof(*ms->parts));
	ms->sources = calloc(2 * nr_kinds, sizeof(*ms->sources));
	ms->waits = calloc(nr_kinds, sizeof(*ms->waits));
	if (!ms->names || !ms->points || !ms->places || !ms->parts || !ms->sources || !ms->waits)
		goto no_memory;
	if (mechanisms__add_all(ms, nr_kinds, request, left, kinds, error) || mechanisms__keep_apart(ms, error))
		goto fail;
	mechanisms__introduce(ms);
	free(kinds);
	return ms;
no_memory:
	out_of_memory(error);
fail:
	free(kinds);
	mechanisms__free(ms);
	return NULL;
}
