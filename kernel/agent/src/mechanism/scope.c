// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/message_list.h"
#include "base/sort.h"
#include "lookup/names.h"
#include "mechanism/bpf/scope.h"
#include "mechanism/bpf_access.h"
#include "mechanism/mechanisms.h"
#include "mechanism/scope.h"

int scope__share_members(struct bpf_map *map, const struct mechanism_load *load, struct error *error)
{
	return load->cgroup || load->tree ? bpf_access__share(map, load->members_fd, error) : 0;
}

int scope__share_tree(struct bpf_map *map, const struct mechanism_load *load, struct error *error)
{
	return load->tree ? bpf_access__share(map, load->tree->map, error) : 0;
}

int scope__make_members(struct error *error)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "members", sizeof(struct scope_member_key), sizeof(struct scope_member),
				SCOPE_MEMBERS, NULL);

	return fd >= 0 ? fd :
		error__set(error, errno == EPERM || errno == EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
			   "The kernel refused a map for eBPF programs: %s.", strerror(errno));
}

struct came {
	uint64_t at_ns;
	uint32_t tgid;
	char name[sizeof(((struct scope_member *)0)->name) + 1];
};

static int compare_came(const void *came, const void *other)
{
	const struct came *x = came, *y = other;

	return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

static size_t read_members(int map, struct came *all)
{
	struct scope_member_key key, *before = NULL;
	struct scope_member member;
	size_t nr = 0;

	while (nr < SCOPE_MEMBERS && !bpf_map_get_next_key(map, before, &key)) {
		before = &key;
		if (bpf_map_lookup_elem(map, &key, &member))
			continue;
		all[nr] = (struct came){ .at_ns = member.came_ns, .tgid = key.tgid };
		memcpy(all[nr++].name, member.name, sizeof(member.name));
	}
	sort(all, nr, sizeof(*all), compare_came);
	return nr;
}

Kview__Wire__MeasuredProcess **mechanisms__members(const struct mechanisms *ms, size_t *nr, bool *more)
{
	struct came *all = ms->members_fd < 0 ? NULL : calloc(SCOPE_MEMBERS, sizeof(*all));
	Kview__Wire__MeasuredProcess **list = NULL;
	size_t i;

	*nr = all ? read_members(ms->members_fd, all) : 0;
	*more = *nr == SCOPE_MEMBERS;
	if (all)
		list = message_list__new(*nr, sizeof(**list));
	for (i = 0; list && i < *nr; i++) {
		char *name = name__printable(all[i].name);

		kview__wire__measured_process__init(list[i]);
		list[i]->pid = all[i].tgid;
		list[i]->name = name ? name : (char *)"";
	}
	if (!list)
		*nr = 0;
	free(all);
	return list;
}

uint64_t mechanisms__tree_cpu_ns(const struct mechanisms *ms)
{
	return process_tree__cpu_ns(ms->tree);
}

void mechanisms__free_members(Kview__Wire__MeasuredProcess **list, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (*list[i]->name)
			free(list[i]->name);
	free(list);
}
