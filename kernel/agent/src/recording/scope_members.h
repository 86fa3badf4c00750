/* SPDX-License-Identifier: GPL-2.0 */
/* The processes of a cgroup, where that is recorded. */
#ifndef KVIEW_SCOPE_MEMBERS_H
#define KVIEW_SCOPE_MEMBERS_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/mechanisms.h"
#include "processes/cgroup.h"

struct scope_members {
	struct cgroup cgroup;
	bool is_open;
};

/*
 * Where the request is of a cgroup: opens that, and tells load of it, as of a process with its children.  The processes that the request names have to be in the cgroup.  Returns
 * 0, or -1 with error filled; to be closed in any case.
 */
int scope_members__open(struct scope_members *members, const Kview__Wire__StartRecordingRequest *request, struct mechanism_load *load,
			struct error *error);
/* Of a cgroup: to be watched for EPOLLPRI, and whether any process is left then: without one the recording has to end. */
int scope_members__fd(const struct scope_members *members);
bool scope_members__are_there(const struct scope_members *members);
void scope_members__close(struct scope_members *members);
/* Which processes came to points.  mechanisms__free_members frees the list. */
void scope_members__tell(const struct mechanisms *mechanisms, Kview__Wire__RecordingEnded *ended);

/* Of the one process, or of all of the group: what they have had of the CPUs, and what they are to be called. */
uint64_t measured__cpu_ns(const struct mechanisms *mechanisms);
const char *measured__name(const struct mechanisms *mechanisms);
/* The first thread of the one process has ended, and others go on: its probes can't be changed any more. */
bool measured__has_lost_first_thread(const struct mechanisms *mechanisms);

#endif
