// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mechanism/scope.h"
#include "mechanism/trap/pairs.h"
#include "mechanism/trap/probes_state.h"
#include "mechanism/trap/trap_state.h"
#include "permission/permission.h"

#define LABEL_BYTES	600

static int out_of_memory(struct error *error)
{
	return error__set(error, ERR_FAILED, "Out of memory.");
}

/* The static probes of a binary; NULL: error says why there are none. */
static const struct static_probes *pairs__file(struct probes *probes, pid_t pid, const char *binary, struct error *error)
{
	size_t i;

	for (i = 0; i < probes->nr_files; i++)
		if (!strcmp(probes->asked[i].binary, binary))
			return &probes->files[i];
	/* It is to be freed also where it could not be read. */
	probes->asked[probes->nr_files++] = (struct asked){ binary, pid };
	return static_probes__read(&probes->files[i], pid, binary, error) ? NULL : &probes->files[i];
}

static const struct static_probe *pair__half(const struct static_probes *file, const char *provider, const char *name,
					     struct error *error)
{
	const struct static_probe *probe;
	char label[LABEL_BYTES];
	size_t i;

	snprintf(label, sizeof(label), "%.250s:%.250s", provider, name);
	probe = static_probes__find(file, label);
	if (!probe)
		error__set(error, ERR_NO_SUCH_FUNCTION, "There is no static probe %.200s in %.200s: list what there is by the glob *:*.",
			   label, file->binary);
	for (i = 0; probe && i < probe->nr; i++)
		if (probe->reason || probe->places[i].cost == FN_INSN_UNSPECIFIED) {
			error__set(error, ERR_NOT_PROBEABLE, "The static probe %.200s can't begin or end calls: %s", label,
				   probe->reason ? probe->reason : "what a trap at its instruction costs differs by kernels; count its hits.");
			return NULL;
		}
	return probe;
}

static enum fn_insn_cost cost__of_all(const struct static_probe *probe)
{
	size_t i;

	for (i = 0; i < probe->nr; i++)
		if (probe->places[i].cost != FN_INSN_EMULATED)
			return FN_INSN_SINGLE_STEPPED;
	return FN_INSN_EMULATED;
}

/* What a function's list has, for one function that is the pair. */
static int pair__describe(struct fn_list *list, const struct static_probes *file, const struct static_probe *begins,
			  const struct static_probe *ends, const char *name, struct error *error)
{
	struct fn_function *f = calloc(1, sizeof(*f));
	size_t i;

	list->functions = f;
	if (!f)
		return out_of_memory(error);
	list->nr = list->total_matches = 1;
	list->binary = strdup(file->binary);
	list->open_path = strdup(file->open_path);
	strcpy(list->build_id, file->build_id);
	list->not_loaded = file->not_loaded;
	list->file = file->file;
	f->name = strdup(name);
	f->symbol = strdup("");
	f->sites = calloc(ends->nr, sizeof(*f->sites));
	if (!list->binary || !list->open_path || !f->name || !f->symbol || !f->sites)
		return out_of_memory(error);
	f->probeable = true;
	f->address = f->file_offset = f->entry_offset = f->first_offset = begins->places[0].file_offset;
	f->entry_cost = f->first_cost = cost__of_all(begins);
	f->exit_kind = FN_EXIT_SITES;
	f->nr_sites = ends->nr;
	for (i = 0; i < ends->nr; i++)
		f->sites[i] = (struct fn_site){ .address = ends->places[i].file_offset, .file_offset = ends->places[i].file_offset,
						.kind = FN_SITE_RET, .cost = ends->places[i].cost, .goes_on = -1 };
	return 0;
}

static int pair__add(struct probes *probes, pid_t pid, const Kview__Wire__Probe *asked, struct error *error)
{
	const Kview__Wire__StaticPair *pair = asked->static_pair;
	const struct static_probes *file = pairs__file(probes, pid, asked->binary, error);
	const struct static_probe *begins, *ends;
	struct fn_list *list = &probes->lists[probes->nr];
	char name[LABEL_BYTES];
	const char *base;
	size_t i;

	if (!file)
		return -1;
	begins = pair__half(file, pair->provider, pair->begins, error);
	ends = begins ? pair__half(file, pair->provider, pair->ends, error) : NULL;
	if (!ends)
		return -1;
	if (begins == ends)
		return error__set(error, ERR_BAD_REQUEST, "A call can't begin and end at the same static probe, %.200s: count its hits.",
				  begins->label);
	for (i = 0; i < probes->nr; i++)
		if (probes->functions[i].begins == begins && probes->functions[i].ends == ends)
			return error__set(error, ERR_BAD_REQUEST, "The pair of %.200s and %.200s was chosen twice.", begins->label,
					  ends->label);
	base = strrchr(file->binary, '/');
	snprintf(name, sizeof(name), "usdt:%.80s:%.160s:%.160s..%.160s", base ? base + 1 : file->binary, pair->provider, pair->begins,
		 pair->ends);
	probes->nr_lists++;
	if (pair__describe(list, file, begins, ends, name, error))
		return -1;
	probes->functions[probes->nr] = (struct xprobe_function){
		.id = asked->function_id, .path = list->open_path, .function = list->functions, .file = list->file,
		.begins = begins, .ends = ends,
	};
	probes->names[probes->nr] = list->functions->name;
	probes->awaited[probes->nr] = list->not_loaded ? list->file.inode : 0;
	probes->nr_awaited += list->not_loaded;
	probes->nr++;
	return 0;
}

static struct probes *pairs__look_up(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	size_t i;

	if (probes) {
		probes->are_pairs = true;
		probes->lists = calloc(request->n_probes, sizeof(*probes->lists));
		probes->files = calloc(request->n_probes, sizeof(*probes->files));
		probes->asked = calloc(request->n_probes, sizeof(*probes->asked));
		probes->functions = calloc(request->n_probes, sizeof(*probes->functions));
		probes->names = calloc(request->n_probes, sizeof(*probes->names));
		probes->awaited = calloc(request->n_probes, sizeof(*probes->awaited));
	}
	if (!probes || !probes->lists || !probes->files || !probes->asked || !probes->functions || !probes->names || !probes->awaited) {
		out_of_memory(error);
		goto fail;
	}
	for (i = 0; i < request->n_probes; i++)
		if (pair__add(probes, request->pid, request->probes[i], error))
			goto fail;
	return probes;
fail:
	probes__free(probes);
	return NULL;
}

static int pairs__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	if (permission__static_probes(error))
		return -1;
	if (request->filter == KVIEW__WIRE__FILTER__FILTER_VIEW)
		return error__set(error, ERR_UNSUPPORTED, "Pairs of static probes are not measured in kernel views: record them with --filter in (or auto).");
	if (scope__cgroup(request))
		return error__set(error, ERR_UNSUPPORTED, "Static probes are measured of one process, not of a whole cgroup: record a process of it.");
	return 0;
}

static bool pairs__serve(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_STATIC_PAIR;
}

static struct mechanism *pairs__find(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	return pairs__check(request, error) ? NULL : trap__new(request, pairs__look_up, error);
}

const struct mechanism_kind pair_kind = { .serves = pairs__serve, .find = pairs__find };
