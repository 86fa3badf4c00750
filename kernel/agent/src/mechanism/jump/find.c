// SPDX-License-Identifier: GPL-2.0
/* Which of the functions that are asked for can be measured by jumps. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mechanism/jump/jump.h"
#include "mechanism/jump/state.h"
#include "permission/permission.h"

#define FILTER_NOTE "By jumps in the process's own code: for the times on and off CPUs other processes pay some 0.3 µs at each of their context switches, half of that at each wake-up, tick of the scheduler and end of a thread, and nothing else."

#define BEYOND "functions of eight files at most are measured by jumps"
#define NAMES_OF_REASON	4
#define ROOM_OF_REASON	1000	/* bytes that one may take, with its names, and what follows */

static bool is_first_of_binary(const Kview__Wire__StartRecordingRequest *request, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(request->probes[i]->binary, request->probes[index]->binary))
			return false;
	return true;
}

/* Without where in the file that is, which differs from one function to the next. */
static size_t sentence_of(const char *why)
{
	const char *at = strstr(why, " (at 0x");

	return at ? (size_t)(at - why) : strlen(why);
}

static bool is_same(const char *why, const char *other)
{
	return sentence_of(why) == sentence_of(other) && !strncmp(why, other, sentence_of(why));
}

struct left_function {
	const char *name, *why;
};

static __attribute__((format(printf, 2, 3))) void tell(struct jumps *jumps, const char *format, ...)
{
	size_t length = strlen(jumps->waits_note);
	va_list args;

	va_start(args, format);
	vsnprintf(jumps->waits_note + length, sizeof(jumps->waits_note) - length, format, args);
	va_end(args);
}

/* Each reason once, with the first names and how many they are: as many reasons as there is room for, and how many functions have others. */
static void tell_left(struct jumps *jumps, const struct left_function *left, size_t nr)
{
	size_t untold = 0;

	jumps->left = nr;
	for (size_t i = 0; i < nr; i++) {
		size_t same = 0, before = 0;

		for (size_t k = 0; k < i && !before; k++)
			before += is_same(left[i].why, left[k].why);
		if (before)
			continue;
		for (size_t k = i; k < nr; k++)
			same += is_same(left[i].why, left[k].why);
		if (sizeof(jumps->waits_note) - strlen(jumps->waits_note) < ROOM_OF_REASON) {
			untold += same;
			continue;
		}
		tell(jumps, i ? "; " : "Measured by traps, because jumps can't be put there: ");
		before = 0;
		for (size_t k = i; k < nr && before < NAMES_OF_REASON; k++)
			if (is_same(left[i].why, left[k].why))
				tell(jumps, "%s%.100s", before++ ? ", " : "", left[k].name);
		if (same > before)
			tell(jumps, " and %zu others", same - before);
		tell(jumps, " (%.*s)", (int)sentence_of(left[i].why), left[i].why);
	}
	if (untold)
		tell(jumps, "; %zu for other reasons", untold);
}

/* Prepares the points of this binary, with the rights of the caller, who may trace the process. */
static int prepare_file(struct jumps *jumps, struct jump_file *file, const char *binary, struct error *error)
{
	int err;

	permission__begin_change();
	err = remote__prepare(&file->remote, jumps->base.pid, binary, file->functions, file->nr, jumps->prepared, error);
	permission__end_change();
	if (!err)
		jumps->prepared = &file->remote;
	return err;
}

static int add_file(struct jumps *jumps, const Kview__Wire__StartRecordingRequest *request, size_t first,
		    struct error *error)
{
	struct jump_file *file = &jumps->files[jumps->nr_files++];
	const char *binary = request->probes[first]->binary;
	struct error refused = { 0 };

	file->binary = strdup(binary);
	file->functions = calloc(request->n_probes, sizeof(*file->functions));
	file->points = calloc(request->n_probes, sizeof(*file->points));
	if (!file->binary || !file->functions || !file->points)
		return error__set(error, ERR_FAILED, "Out of memory.");
	for (size_t i = first; i < request->n_probes; i++) {
		if (strcmp(request->probes[i]->binary, binary))
			continue;
		file->functions[file->nr].name = request->probes[i]->symbol;
		file->functions[file->nr].file_offset = request->probes[i]->file_offset;
		file->points[file->nr++] = i;
	}
	if (!prepare_file(jumps, file, binary, &refused))
		return 0;
	remote__free(&file->remote);
	for (uint32_t k = 0; k < file->nr; k++)
		if (!file->functions[k].reason[0])
			snprintf(file->functions[k].reason, sizeof(file->functions[k].reason), "%.190s", refused.message);
	return 0;
}

/* From numbers in the request to ids, in the order in which they were asked for.  Names of the request do not last. */
static void number_points(struct jumps *jumps, const uint32_t *ids)
{
	for (size_t i = 0; i < jumps->nr_files; i++) {
		struct jump_file *file = &jumps->files[i];

		for (uint32_t k = 0; k < file->nr; k++) {
			file->points[k] = ids[file->points[k]];
			file->functions[k].name = jump_file__measures(file, k) ? jumps->names[file->points[k]] : "";
		}
	}
}

static int take_points(struct jumps *jumps, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	uint32_t *ids = calloc(request->n_probes, sizeof(*ids));

	jumps->shares = calloc(request->n_probes, sizeof(*jumps->shares));
	jumps->names = calloc(request->n_probes, sizeof(*jumps->names));
	jumps->dropped = calloc(request->n_probes, sizeof(*jumps->dropped));
	jumps->taken = calloc(request->n_probes, sizeof(*jumps->taken));
	jumps->base.names = jumps->names;
	jumps->base.shares = jumps->shares;
	if (!ids || !jumps->names || !jumps->dropped || !jumps->taken || !jumps->shares)
		goto no_memory;
	for (size_t i = 0; i < jumps->nr_files; i++)
		for (uint32_t k = 0; k < jumps->files[i].nr; k++)
			ids[jumps->files[i].points[k]] = jump_file__measures(&jumps->files[i], k);
	for (size_t i = 0; i < request->n_probes; i++) {
		if (!ids[i])
			continue;
		jumps->names[jumps->base.nr] = strdup(request->probes[i]->symbol);
		if (!jumps->names[jumps->base.nr])
			goto no_memory;
		jumps->shares[jumps->base.nr] = i;
		ids[i] = jumps->base.nr++;
	}
	number_points(jumps, ids);
	free(ids);
	return 0;
no_memory:
	free(ids);
	return error__set(error, ERR_FAILED, "Out of memory.");
}

static bool is_in_file(const struct jumps *jumps, const char *binary)
{
	for (size_t i = 0; i < jumps->nr_files; i++)
		if (!strcmp(jumps->files[i].binary, binary))
			return true;
	return false;
}

/* Tells what is left to traps.  -1 if that is all. */
static int tell_all_left(struct jumps *jumps, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct left_function *left = calloc(request->n_probes, sizeof(*left));
	const char *first = NULL;
	size_t nr = 0, nr_left = 0;

	if (!left)
		return error__set(error, ERR_FAILED, "Out of memory.");
	for (size_t i = 0; i < jumps->nr_files; i++)
		for (uint32_t k = 0; k < jumps->files[i].nr; k++) {
			const char *why = jumps->files[i].functions[k].reason;

			nr += !why[0];
			if (!why[0])
				continue;
			first = first ?: why;
			left[nr_left++] = (struct left_function){ jumps->files[i].functions[k].name, why };
		}
	for (size_t i = 0; i < request->n_probes; i++)
		if (!is_in_file(jumps, request->probes[i]->binary))
			left[nr_left++] = (struct left_function){ request->probes[i]->symbol, BEYOND };
	tell_left(jumps, left, nr_left);
	free(left);
	return nr ? 0 : error__set(error, ERR_NOT_PROBEABLE, "%s be measured by jumps: %.300s Choose traps (--probe-way trap).",
				   request->n_probes > 1 ? "None of these functions can" : "This function can't", first ?: "");
}

static int find_all(struct jumps *jumps, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	for (size_t i = 0; i < request->n_probes && jumps->nr_files < JUMP_MAX_FILES; i++)
		if (is_first_of_binary(request, i) && add_file(jumps, request, i, error))
			return -1;
	return tell_all_left(jumps, request, error) || take_points(jumps, request, error) ? -1 : 0;
}

static struct mechanism *jumps__find(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct jumps *jumps;

	if (permission__change(error) || thread_clocks__check_processor(error))
		return NULL;
	jumps = calloc(1, sizeof(*jumps));
	if (!jumps) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	jumps->base.ops = &jumps_ops;
	jumps->base.pid = request->pid;
	jumps->base.filter_note = FILTER_NOTE;
	jumps->base.beside = "context switches";
	jumps->base.note = jumps->note;
	jumps->base.waits_note = jumps->waits_note;
	jumps->base.changes_fd = jumps->base.threads_fd = jumps->base.ring.fd = jumps->memory = -1;
	stopped__may_change = permission__may_change;
	if (!find_all(jumps, request, error))
		return &jumps->base;
	jumps_ops.free(&jumps->base);
	return NULL;
}

static bool jumps__serve(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe)
{
	return request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP &&
	       probe->point_case == KVIEW__WIRE__PROBE__POINT_USER_FUNCTION;
}

const struct mechanism_kind jump_kind = { .serves = jumps__serve, .find = jumps__find };
