// SPDX-License-Identifier: GPL-2.0
/* What the eBPF programs of an xprobe have to know of its functions. */
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "base/loop.h"
#include "mechanism/condition.h"
#include "mechanism/trap/xprobe_state.h"

/* The number of the file of functions[i]: that of the first one in it. */
static uint32_t file__number(const struct xprobe_function *functions, size_t i)
{
	size_t first;

	for (first = 0; first < i; first++)
		if (!strcmp(functions[first].path, functions[i].path))
			break;
	return first;
}

static void beginnings__clear(struct bpf_map *beginnings)
{
	struct xp_beginning key;

	while (!bpf_map__get_next_key(beginnings, NULL, &key, sizeof(key)))
		if (bpf_map__delete_elem(beginnings, &key, sizeof(key), 0))
			break;
}

static int function__describe(struct xprobe *xprobe, uint32_t id, uint32_t file,
			      const struct fn_function *function, struct error *error)
{
	struct xp_beginning beginning = { .address = function->address, .file = file };
	uint8_t there = 1;
	struct xp_function info = {
		.file = file,
		.address = function->address,
		.entry_class = xprobe__entry_class(function),
		.nr_ranges = function->nr_ranges,
	};
	size_t i;

	if (function->nr_ranges > XP_RANGES) {
		for (i = 0; i < function->nr_sites; i++)
			if (function->sites[i].kind == FN_SITE_JUMP_REG)
				return error__set(error, ERR_NOT_PROBEABLE,
						  "%.200s consists of %zu pieces of code and jumps between them through a register: its returns can't be told.",
						  function->name, function->nr_ranges);
		info.nr_ranges = 0;
	}
	for (i = 0; i < info.nr_ranges; i++)
		info.ranges[i] = (struct xp_range){ function->ranges[i].start,
						    function->ranges[i].end };
	if (bpf_map__update_elem(xprobe->skel->maps.functions, &id, sizeof(id), &info,
				 sizeof(info), BPF_ANY) ||
	    bpf_map__update_elem(xprobe->skel->maps.beginnings, &beginning, sizeof(beginning),
				 &there, sizeof(there), BPF_ANY))
		return error__set(error, ERR_FAILED,
				  "%.200s could not be described to the kernel: %s.",
				  function->name, strerror(errno));
	return 0;
}

int xprobe__describe(struct xprobe *xprobe, const struct xprobe_function *functions, size_t nr,
		     struct error *error)
{
	size_t i;

	beginnings__clear(xprobe->skel->maps.beginnings);
	for (i = 0; i < nr; i++) {
		loop__breathe();
		if (function__describe(xprobe, functions[i].id, file__number(functions, i),
				       functions[i].function, error))
			return -1;
	}
	return 0;
}

static int condition__set(struct xprobe *xprobe, uint32_t id, const struct xp_condition *condition, struct error *error)
{
	return bpf_map__update_elem(xprobe->skel->maps.conditions, &id, sizeof(id), condition, sizeof(*condition), BPF_ANY) ?
		error__set(error, ERR_FAILED, "A condition could not be told to the kernel: %s.", strerror(errno)) : 0;
}

int xprobe__set_conditions(struct xprobe *xprobe, struct error *error)
{
	if (conditions__tell(xprobe->conditions, xprobe->nr_functions, xprobe->skel->maps.conditions, error))
		return -1;
	return xprobe__set_spare_conditions(xprobe, true, error);
}

int xprobe__set_spare_conditions(struct xprobe *xprobe, bool match, struct error *error)
{
	struct xp_condition condition = condition__dearest(xprobe->conditions, xprobe->nr_functions, match);
	uint32_t i;

	for (i = 0; i < XPROBE_SPARE_FUNCTIONS; i++)
		if (condition__set(xprobe, xprobe->nr_functions + i, &condition, error))
			return -1;
	return 0;
}

void xprobe__set_off(struct xprobe *xprobe, uint32_t id)
{
	int map = bpf_map__fd(xprobe->skel->maps.functions);
	struct xp_beginning there;
	struct xp_function info;

	if (bpf_map_lookup_elem(map, &id, &info))
		return;
	info.probes_off = 1;
	there = (struct xp_beginning){ .file = info.file, .address = info.address };
	bpf_map__delete_elem(xprobe->skel->maps.beginnings, &there, sizeof(there), 0);
	bpf_map_update_elem(map, &id, &info, BPF_ANY);
}
