// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "mechanism/measure/measures.h"
#include "mechanism/trap/xprobe_measures.h"
#include "mechanism/trap/xprobe_state.h"

void xprobe_measures__choose(struct bpf_object *object, uint32_t chosen)
{
	const char *const *name;
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		for (name = measures_known[i]->programs; name && *name; name++)
			bpf_program__set_autoload(bpf_object__find_program_by_name(object, *name), chosen & 1U << i);
	for (i = 0; i < XP_MEASURES; i++)
		for (name = measures_known[i]->maps; name && *name; name++)
			bpf_map__set_autocreate(bpf_object__find_map_by_name(object, *name), chosen & 1U << i);
	for (i = 0; i < XP_MEASURES; i++)
		if (chosen & 1U << i && measures_known[i]->prepare)
			measures_known[i]->prepare(object);
}

bool xprobe_measures__never_sleep(uint32_t chosen)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		if (chosen & 1U << i && measures_known[i]->never_sleeps)
			return true;
	return false;
}

int xprobe_measures__begin(struct bpf_object *object, uint32_t chosen, struct error *error)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		if (chosen & 1U << i && measures_known[i]->begin && measures_known[i]->begin(object, error))
			return -1;
	return 0;
}

int xprobe_measures__attach(struct xprobe *xprobe, struct error *error)
{
	const char *const *name;
	struct bpf_program *program;
	struct bpf_link *link;
	size_t i;

	for (i = 0; i < XP_MEASURES; i++)
		for (name = measures_known[i]->programs; name && xprobe->counts.measured & 1U << i && *name; name++) {
			program = bpf_object__find_program_by_name(xprobe->skel->obj, *name);
			/* This kernel may not have what it is for. */
			if (!bpf_program__autoload(program))
				continue;
			link = bpf_program__attach(program);
			if (!link)
				return error__set(error, ERR_UNSUPPORTED,
						  "The kernel refused an eBPF program by which %s is counted within calls (%s: %s): record without.",
						  measures_known[i]->name, *name, strerror(errno));
			xprobe->measuring[xprobe->nr_measuring++] = link;
		}
	return 0;
}

void xprobe_measures__detach(struct xprobe *xprobe)
{
	while (xprobe->nr_measuring)
		bpf_link__destroy(xprobe->measuring[--xprobe->nr_measuring]);
}
