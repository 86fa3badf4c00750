// SPDX-License-Identifier: GPL-2.0
/* Which static probes are measured, and where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lookup/process_files.h"
#include "mechanism/point_names.h"
#include "mechanism/trap/code_check.h"
#include "mechanism/trap/usdt.h"
#include "mechanism/trap/usdt_state.h"

#define PREFIX "usdt:"

static int out_of_memory(struct error *error)
{
	return error__set(error, ERR_FAILED, "Out of memory.");
}

static int none__found(const struct static_probes *probes, const char *pattern, struct error *error)
{
	struct near_names near = { .wanted = pattern };
	size_t i;

	if (!probes->nr)
		return error__set(error, ERR_NO_SUCH_FUNCTION,
				  "%.200s has no static probes: its makers put none into it, or built it without; record functions of it.",
				  probes->binary);
	error__set(error, ERR_NO_SUCH_FUNCTION, "There is no static probe %.100s in %.200s: give PROVIDER:NAME, or a glob such as *:*.",
		   pattern, probes->binary);
	for (i = 0; i < probes->nr; i++)
		near_names__offer(&near, probes->all[i].label);
	error->suggestions = near_names__take(&near);
	return -1;
}

static int refuse(const char *label, const char *reason, struct error *error)
{
	return error__set(error, ERR_NOT_PROBEABLE, "The static probe %.200s can't be measured: %s", label, reason);
}

int usdt__find_names(struct point_names *found, const Kview__Wire__StaticProbesOf *request, struct error *error)
{
	struct static_probes probes;
	int result;
	size_t i;

	result = static_probes__read(&probes, request->pid, request->binary, error);
	for (i = 0; i < probes.nr && !result; i++)
		if (probes.all[i].reason ? point_names__refuse(found, probes.all[i].label, probes.all[i].reason) :
					   point_names__offer(found, probes.all[i].label))
			result = out_of_memory(error);
	if (!result && !found->total)
		result = found->nr_refused ? refuse(found->refused[0], found->reasons[0], error) :
			none__found(&probes, request->pattern, error);
	found->binary = probes.binary;
	found->not_loaded = probes.not_loaded;
	probes.binary = NULL;
	static_probes__free(&probes);
	return result;
}

/* The file's number, or -1 with error. */
static int usdt__open(struct usdt *usdt, const char *binary, struct error *error)
{
	size_t i;

	for (i = 0; i < usdt->nr_files; i++)
		if (!strcmp(usdt->asked[i], binary))
			return i;
	/* It is to be freed also where it could not be read. */
	usdt->nr_files++;
	usdt->asked[i] = binary;
	if (static_probes__read(&usdt->files[i], usdt->base.pid, binary, error))
		return -1;
	usdt->is_awaited[i] = usdt->files[i].not_loaded;
	return i;
}

static bool is_same(const struct usdt *usdt, const struct usdt_point *point, const struct usdt_point *other)
{
	const struct fn_file_id *file = &usdt->files[point->file].file, *others = &usdt->files[other->file].file;

	return file->device == others->device && file->inode == others->inode && !strcmp(point->probe->label, other->probe->label);
}

static int usdt__add(struct usdt *usdt, const Kview__Wire__Probe *asked, struct error *error)
{
	struct usdt_point *point = &usdt->points[usdt->base.nr];
	const struct static_probes *probes;
	const char *base;
	char label[512];
	int file;
	size_t i;

	file = usdt__open(usdt, asked->binary, error);
	if (file < 0)
		return -1;
	probes = &usdt->files[file];
	snprintf(label, sizeof(label), "%.250s:%.250s", asked->static_probe->provider, asked->static_probe->name);
	point->file = file;
	point->probe = static_probes__find(probes, label);
	if (!point->probe)
		return none__found(probes, label, error);
	if (point->probe->reason)
		return refuse(label, point->probe->reason, error);
	for (i = 0; i < usdt->base.nr; i++)
		if (is_same(usdt, point, &usdt->points[i]))
			return error__set(error, ERR_BAD_REQUEST, "The static probe %.200s was chosen twice.", label);
	base = strrchr(probes->binary, '/');
	if (asprintf(&point->label, PREFIX "%s:%s", base ? base + 1 : probes->binary, label) < 0) {
		point->label = NULL;
		return out_of_memory(error);
	}
	usdt->names[usdt->base.nr++] = point->label;
	return 0;
}

int usdt__look_up(struct usdt *usdt, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	usdt->points = calloc(request->n_probes, sizeof(*usdt->points));
	usdt->names = calloc(request->n_probes, sizeof(*usdt->names));
	usdt->files = calloc(request->n_probes, sizeof(*usdt->files));
	usdt->asked = calloc(request->n_probes, sizeof(*usdt->asked));
	usdt->is_awaited = calloc(request->n_probes, sizeof(*usdt->is_awaited));
	if (!usdt->points || !usdt->names || !usdt->files || !usdt->asked || !usdt->is_awaited)
		return out_of_memory(error);
	for (i = 0; i < request->n_probes; i++)
		if (usdt__add(usdt, request->probes[i], error))
			return -1;
	/* These are the request's, which does not last. */
	memset(usdt->asked, 0, request->n_probes * sizeof(*usdt->asked));
	usdt->base.names = usdt->names;
	return 0;
}

void usdt__free_points(struct usdt *usdt)
{
	size_t i;

	for (i = 0; usdt->points && i < usdt->base.nr; i++)
		free(usdt->points[i].label);
	for (i = 0; usdt->files && i < usdt->nr_files; i++)
		static_probes__free(&usdt->files[i]);
	free(usdt->points);
	free(usdt->names);
	free(usdt->files);
	free(usdt->asked);
	free(usdt->is_awaited);
}

int usdt__places(const struct usdt *usdt, size_t first, size_t nr, struct places *places)
{
	size_t i, k;

	for (i = first; i < first + nr; i++) {
		const struct usdt_point *point = &usdt->points[i];
		const struct static_probes *file = &usdt->files[point->file];

		for (k = 0; k < point->probe->nr; k++) {
			const struct static_place *at = &point->probe->places[k];
			const struct place place = { .path = file->open_path, .file = file->file, .offset = at->file_offset,
						     .counter = at->counter_offset, .cookie = i };

			if (places__add_one(places, &place))
				return -1;
		}
	}
	return 0;
}

int usdt__check_code(struct usdt *usdt, struct error *error)
{
	struct xprobe_function *functions = calloc(usdt->base.nr, sizeof(*functions));
	struct fn_function *named = calloc(usdt->base.nr, sizeof(*named));
	struct places places = { 0 };
	int result = -1;
	size_t i;

	if (!functions || !named || usdt__places(usdt, 0, usdt->base.nr, &places)) {
		out_of_memory(error);
		goto out;
	}
	for (i = 0; i < usdt->base.nr; i++) {
		named[i].name = usdt->points[i].label;
		functions[i] = (struct xprobe_function){ .id = i, .function = &named[i] };
	}
	result = code__check(usdt->base.pid, &places, usdt->held, functions, usdt->base.nr, error);
out:
	places__free(&places);
	free(functions);
	free(named);
	return result;
}

bool usdt__file(const struct mechanism *mechanism, size_t index, Kview__Wire__Binary *message)
{
	const struct usdt *usdt = usdt__of(mechanism);

	if (index >= usdt->nr_files)
		return false;
	message->path = usdt->files[index].binary;
	message->build_id = usdt->files[index].build_id;
	return true;
}

void usdt__look_for_loaded(struct mechanism *mechanism)
{
	struct usdt *usdt = usdt__of(mechanism);
	struct process_files files;
	struct error ignored = { 0 };
	bool are_awaited = false;
	size_t i, k;

	for (i = 0; i < usdt->nr_files; i++)
		are_awaited |= usdt->is_awaited[i];
	if (!are_awaited || process_files__read(&files, mechanism->pid, &ignored))
		return;
	for (i = 0; i < files.nr; i++)
		for (k = 0; k < usdt->nr_files; k++)
			if (usdt->files[k].file.inode == files.all[i].inode)
				usdt->is_awaited[k] = false;
	process_files__free(&files);
}

bool usdt__is_awaited(const struct mechanism *mechanism, size_t point)
{
	const struct usdt *usdt = usdt__of(mechanism);

	return usdt->is_awaited[usdt->points[point].file];
}

int usdt__avoid(struct mechanism *mechanism, const struct code_place *place, struct error *error)
{
	const struct usdt *usdt = usdt__of(mechanism);
	size_t i, k;

	for (i = 0; i < mechanism->nr; i++) {
		const struct usdt_point *point = &usdt->points[i];
		const struct fn_file_id *file = &usdt->files[point->file].file;

		for (k = 0; k < point->probe->nr; k++)
			if (file->device == place->device && file->inode == place->inode &&
			    point->probe->places[k].file_offset - place->file_offset < place->size_bytes)
				return error__set(error, ERR_NOT_PROBEABLE,
						  "%.200s is in code of a function that is measured by jumps: choose traps for that function, or leave one of them out.",
						  point->label);
	}
	return 0;
}
