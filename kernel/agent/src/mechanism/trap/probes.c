// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "lookup/process_files.h"
#include "mechanism/mechanism.h"
#include "mechanism/scope.h"
#include "mechanism/trap/places.h"
#include "mechanism/trap/probes_state.h"
#include "permission/permission.h"

static int compare_names(const void *name, const void *other)
{
	return strcmp(*(const char *const *)name, *(const char *const *)other);
}

static pid_t process_of(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe)
{
	return probe->pid ? probe->pid : request->pid;
}

static bool is_of_binary(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe,
			 const Kview__Wire__Probe *other)
{
	return process_of(request, probe) == process_of(request, other) && !strcmp(probe->binary, other->binary);
}

static bool is_first_of_binary(const Kview__Wire__StartRecordingRequest *request, size_t index)
{
	size_t i;

	for (i = 0; i < index; i++)
		if (is_of_binary(request, request->probes[i], request->probes[index]))
			return false;
	return true;
}

/*
 * Looks up all functions of a binary at once, because reading the symbols of a large binary
 * takes longer than examining some functions.  A function that is not found here is searched
 * again alone, and the error comes from that search.
 */
static int probes__look_up(struct probes *probes, const Kview__Wire__StartRecordingRequest *request,
			   size_t first, struct error *error)
{
	const char *binary = request->probes[first]->binary;
	const char **names = calloc(request->n_probes, sizeof(*names));
	struct fn_list *list = &probes->lists[probes->nr_lists];
	struct fn_query query = { .pid = process_of(request, request->probes[first]), .binary = binary, .names = names,
				  .limit = SIZE_MAX, .no_returns = scope__is_group(request),
				  .force_returns = request->force_return_probes };
	size_t i;

	if (!names)
		return error__set(error, ERR_FAILED, "Out of memory.");
	for (i = first; i < request->n_probes; i++)
		if (is_of_binary(request, request->probes[i], request->probes[first]))
			names[query.nr_names++] = request->probes[i]->symbol;
	sort(names, query.nr_names, sizeof(*names), compare_names);
	query.pattern = names[0];
	mechanism__prepare(&query);
	if (!permission__find(list, &query, error))
		probes->asked[probes->nr_lists++] = (struct asked){ binary, query.pid };
	error__free(error);
	free(names);
	return 0;
}

static const struct fn_function *list__at(const struct fn_list *list, uint64_t file_offset)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (list->functions[i].file_offset == file_offset)
			return &list->functions[i];
	return NULL;
}

/* The list that holds what a probe asks for, which function tells; NULL: error says why. */
static const struct fn_list *probes__list_of(struct probes *probes, const Kview__Wire__StartRecordingRequest *request,
					     const Kview__Wire__Probe *probe,
					     const struct fn_function **function,
					     struct error *error)
{
	struct fn_query query = { .pid = process_of(request, probe), .binary = probe->binary, .pattern = probe->symbol,
				  .no_returns = scope__is_group(request), .force_returns = request->force_return_probes };
	struct fn_list *list = &probes->lists[probes->nr_lists];
	size_t i;

	for (i = 0; i < probes->nr_lists; i++) {
		if (probes->asked[i].pid != query.pid || strcmp(probes->asked[i].binary, probe->binary))
			continue;
		*function = list__at(&probes->lists[i], probe->file_offset);
		if (*function)
			return &probes->lists[i];
	}
	mechanism__prepare(&query);
	if (permission__find(list, &query, error))
		return NULL;
	probes->asked[probes->nr_lists++] = (struct asked){ probe->binary, query.pid };
	*function = list__at(list, probe->file_offset);
	if (*function)
		return list;
	error__set(error, ERR_NO_SUCH_FUNCTION,
		   "%.150s of %.150s is not where it was found before: the file has changed, look it up again.",
		   probe->symbol, probe->binary);
	return NULL;
}

/* Processes of a cgroup may name it by different paths. */
static bool is_same_file(const struct fn_file_id *file, const struct fn_file_id *other)
{
	return file->inode && file->inode == other->inode && file->device == other->device;
}

static int probes__add(struct probes *probes, const Kview__Wire__StartRecordingRequest *request,
		       const Kview__Wire__Probe *probe, struct error *error)
{
	const struct fn_function *function;
	const struct fn_list *list = probes__list_of(probes, request, probe, &function, error);
	size_t i;

	if (!list)
		return -1;
	if (!function->probeable)
		return error__set(error, ERR_NOT_PROBEABLE, "%.150s can't be probed: %.300s",
				  function->name, function->reason ? function->reason : "");
	for (i = 0; i < probes->nr; i++) {
		const struct xprobe_function *other = &probes->functions[i];

		if (other->function->entry_offset == function->entry_offset &&
		    (!strcmp(other->path, list->open_path) || is_same_file(&other->file, &list->file)))
			return error__set(error, ERR_BAD_REQUEST, "%.200s was chosen twice.",
					  function->name);
	}
	probes->functions[probes->nr] = (struct xprobe_function){
		.id = probe->function_id, .path = list->open_path, .function = function, .file = list->file };
	probes->names[probes->nr] = function->name;
	probes->awaited[probes->nr] = list->not_loaded ? list->file.inode : 0;
	probes->nr_awaited += list->not_loaded;
	probes->nr++;
	return 0;
}

struct probes *probes__find(const Kview__Wire__StartRecordingRequest *request,
			    struct error *error)
{
	struct probes *probes;
	size_t i;

	probes = calloc(1, sizeof(*probes));
	if (!probes)
		goto no_memory;
	probes->lists = calloc(2 * request->n_probes, sizeof(*probes->lists));
	probes->asked = calloc(2 * request->n_probes, sizeof(*probes->asked));
	probes->functions = calloc(request->n_probes, sizeof(*probes->functions));
	probes->names = calloc(request->n_probes, sizeof(*probes->names));
	probes->awaited = calloc(request->n_probes, sizeof(*probes->awaited));
	if (!probes->lists || !probes->asked || !probes->functions || !probes->names ||
	    !probes->awaited)
		goto no_memory;
	for (i = 0; i < request->n_probes; i++)
		if ((is_first_of_binary(request, i) &&
		     probes__look_up(probes, request, i, error)) ||
		    probes__add(probes, request, request->probes[i], error))
			goto fail;
	return probes;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	probes__free(probes);
	return NULL;
}

int probes__enter_first(struct probes *probes, size_t index, struct error *error)
{
	/* It is in a list of these. */
	struct fn_function *function = (struct fn_function *)probes->functions[index].function;

	if (function->first_cost == FN_INSN_UNSPECIFIED)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "No probe can be put on the first instruction of %.200s, and behind it its arguments may be gone: record it without asking for them.",
				  function->name);
	function->entry_offset = function->first_offset;
	function->entry_cost = function->first_cost;
	return 0;
}

void probes__free(struct probes *probes)
{
	size_t i;

	if (!probes)
		return;
	for (i = 0; i < probes->nr_lists; i++)
		fn_list__free(&probes->lists[i]);
	for (i = 0; i < probes->nr_files; i++)
		static_probes__free(&probes->files[i]);
	free(probes->files);
	free(probes->lists);
	free(probes->asked);
	free(probes->functions);
	free(probes->names);
	free(probes->awaited);
	free(probes);
}

void probes__look_for_loaded(struct probes *probes, pid_t pid)
{
	struct process_files files;
	struct error ignored = { 0 };
	size_t i, k;

	if (!probes->nr_awaited || process_files__read(&files, pid, &ignored))
		return;
	for (i = 0; i < files.nr; i++)
		for (k = 0; k < probes->nr; k++)
			if (probes->awaited[k] && probes->awaited[k] == files.all[i].inode) {
				probes->awaited[k] = 0;
				probes->nr_awaited--;
			}
	process_files__free(&files);
}

bool probes__is_awaited(const struct probes *probes, size_t function)
{
	return probes->awaited[function];
}

static void probes__unfollow_all(struct probes *probes, const char *path, uint64_t file_offset)
{
	size_t i, j;

	for (i = 0; i < probes->nr; i++) {
		const struct xprobe_function *f = &probes->functions[i];

		for (j = 0; j < f->function->nr_goes_on; j++) {
			struct fn_continuation *to = &f->function->goes_on[j];

			if (to->file_offset == file_offset &&
			    !strcmp(continuation__path(f, to), path))
				to->followed = false;
		}
	}
}

bool probes__follows(const struct probes *probes, uint32_t function_id)
{
	const struct fn_function *f = probes->functions[function_id].function;
	size_t i;

	for (i = 0; i < f->nr_goes_on; i++)
		if (f->goes_on[i].followed)
			return true;
	return false;
}

void probes__unfollow(struct probes *probes, uint32_t function_id)
{
	const struct xprobe_function *f = &probes->functions[function_id];
	size_t i;

	for (i = 0; i < f->function->nr_goes_on; i++) {
		const struct fn_continuation *to = &f->function->goes_on[i];

		if (to->followed)
			probes__unfollow_all(probes, continuation__path(f, to), to->file_offset);
	}
}

static bool is_within(const struct code_place *place, const struct fn_file_id *file, uint64_t file_offset)
{
	/* Where it is not known which file it is, it may be that one. */
	return (!file->inode || (file->device == place->device && file->inode == place->inode)) &&
	       file_offset - place->file_offset < place->size_bytes;
}

static bool has_site_within(const struct code_place *place, const struct fn_file_id *file, const struct fn_site *sites,
			    size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (is_within(place, file, sites[i].file_offset))
			return true;
	return false;
}

/* Of what begins at several places. */
static bool begins_within(const struct code_place *place, const struct xprobe_function *f)
{
	size_t i;

	for (i = 0; f->begins && i < f->begins->nr; i++)
		if (is_within(place, &f->file, f->begins->places[i].file_offset))
			return true;
	return false;
}

int probes__avoid(struct probes *probes, const struct code_place *place, struct error *error)
{
	size_t i, j;

	for (i = 0; i < probes->nr; i++) {
		const struct xprobe_function *f = &probes->functions[i];
		const struct fn_function *function = f->function;

		if (is_within(place, &f->file, function->entry_offset) || begins_within(place, f) ||
		    has_site_within(place, &f->file, function->sites, function->nr_sites))
			return error__set(error, ERR_NOT_PROBEABLE,
					  "%.200s was chosen twice, or has code in common with a function that is measured by jumps: choose one of them, or traps for both.",
					  function->name);
		for (j = 0; j < function->nr_goes_on; j++) {
			struct fn_continuation *to = &function->goes_on[j];
			const struct fn_file_id *file = to->open_path ? &to->file : &f->file;

			if (is_within(place, file, to->file_offset) || has_site_within(place, file, to->sites, to->nr_sites))
				to->followed = false;
		}
	}
	return 0;
}

bool probes__are_pairs(const struct probes *probes)
{
	return probes->are_pairs;
}

size_t probes__nr(const struct probes *probes)
{
	return probes->nr;
}

size_t probes__nr_places(const struct probes *probes)
{
	struct places places = { 0 };
	size_t nr;

	if (!places__add_entries(&places, probes->functions, probes->nr) &&
	    !places__add_sites(&places, probes->functions, probes->nr))
		places__add_hidden(&places, probes->functions, probes->nr);
	nr = places.nr;
	places__free(&places);
	return nr;
}

const struct xprobe_function *probes__functions(const struct probes *probes)
{
	return probes->functions;
}

size_t probes__lists(const struct probes *probes, const struct fn_list **lists)
{
	*lists = probes->lists;
	return probes->nr_lists;
}

const char *const *probes__names(const struct probes *probes)
{
	return probes->names;
}
