// SPDX-License-Identifier: GPL-2.0
#include "base/usage.h"
#include "processes/first_thread.h"
#include "recording/scope_members.h"

int scope_members__open(struct scope_members *m, const Kview__Wire__StartRecordingRequest *request, struct mechanism_load *load,
			struct error *error)
{
	size_t i;

	load->with_children = request->n_scopes && request->scopes[0]->kind_case == KVIEW__WIRE__SCOPE__KIND_PROCESS_TREE;
	if (!request->n_scopes || request->scopes[0]->kind_case != KVIEW__WIRE__SCOPE__KIND_CGROUP)
		return 0;
	m->is_open = true;
	if (cgroup__open(&m->cgroup, request->scopes[0]->cgroup->path, error) || cgroup__check_member(&m->cgroup, request->pid, error))
		return -1;
	for (i = 0; i < request->n_probes; i++)
		if (request->probes[i]->pid && cgroup__check_member(&m->cgroup, request->probes[i]->pid, error))
			return -1;
	load->cgroup = &m->cgroup;
	return 0;
}

int scope_members__fd(const struct scope_members *m)
{
	return m->cgroup.events_fd;
}

bool scope_members__are_there(const struct scope_members *m)
{
	return cgroup__is_populated(&m->cgroup);
}

void scope_members__close(struct scope_members *m)
{
	if (m->is_open)
		cgroup__close(&m->cgroup);
	m->is_open = false;
}

void scope_members__tell(const struct mechanisms *mechanisms, Kview__Wire__RecordingEnded *ended)
{
	bool more;

	ended->processes = mechanisms__members(mechanisms, &ended->n_processes, &more);
	ended->more_processes = more;
}

uint64_t measured__cpu_ns(const struct mechanisms *ms)
{
	return ms->cgroup ? cgroup__cpu_ns(ms->cgroup) : ms->tree ? mechanisms__tree_cpu_ns(ms) : usage__process_cpu_ns(ms->pid);
}

const char *measured__name(const struct mechanisms *ms)
{
	return ms->cgroup ? "cgroup" : ms->tree ? "process tree" : "process";
}

bool measured__has_lost_first_thread(const struct mechanisms *ms)
{
	return !ms->cgroup && !ms->tree && first_thread__left_others(ms->pid);
}
