// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#ifdef KVIEW_HAS_JUMPS
#include "mechanism/jump/jump.h"
#endif
#include "mechanism/kernel/kernel.h"
#include "mechanism/kernel/names.h"
#include "mechanism/mechanism.h"
#include "mechanism/point_names.h"
#include "mechanism/syscall/syscall.h"
#include "mechanism/system_calls.h"
#include "mechanism/tracepoint/names.h"
#include "mechanism/tracepoint/tracepoint.h"
#include "mechanism/trap/pairs.h"
#include "mechanism/trap/trap.h"
#include "mechanism/trap/usdt.h"
#include "permission/permission.h"

/* Jumps serve only who asks for them, and leave to traps what they can't measure. */
const struct mechanism_kind *const mechanism_kinds[] = {
#ifdef KVIEW_HAS_JUMPS
	&jump_kind,
#endif
	&trap_kind, &pair_kind, &syscall_kind, &kernel_kind, &tracepoint_kind, &usdt_kind, NULL
};

#ifndef KVIEW_HAS_JUMPS
bool mechanism__has_jumps(char *detail, size_t size)
{
	snprintf(detail, size, "Functions can't be measured by jumps on this kind of processor.");
	return false;
}

int mechanism__check_unchanged(pid_t pid, struct error *error)
{
	return 0;
}

int mechanism__clean(pid_t pid, uint64_t *restored, struct error *error)
{
	*restored = 0;
	return 0;
}

struct origins *mechanism__origins(pid_t pid)
{
	return NULL;
}

void mechanism__free_origins(struct origins *origins)
{
}

bool mechanism__are_current(const struct origins *origins, pid_t pid)
{
	return true;
}

void mechanism__leave_jumps(const struct origins *origins, const struct frame_memory *memory, struct frame_state *state)
{
}
#endif

static int find_system_calls(struct point_names *found, const char *pattern, struct error *error)
{
	if (syscall__find_names(found))
		return error__set(error, ERR_FAILED, "Out of memory.");
	return found->total ? 0 :
		error__set(error, ERR_NO_SUCH_FUNCTION,
			   "There is no system call %.100s on this host: give its name as in its manual page's section 2.",
			   pattern);
}

int mechanism__find_points(const Kview__Wire__FindPointsRequest *request, struct point_names *found,
			   struct error *error)
{
	switch (request->kind_case) {
	case KVIEW__WIRE__FIND_POINTS_REQUEST__KIND_SYSTEM_CALLS:
		point_names__init(found, request->system_calls, request->limit);
		return find_system_calls(found, request->system_calls, error);
	case KVIEW__WIRE__FIND_POINTS_REQUEST__KIND_KERNEL_FUNCTIONS:
		point_names__init(found, request->kernel_functions, request->limit);
		return kernel_functions__can(error) ? -1 :
			kernel_names__find(found, request->kernel_functions, error);
	case KVIEW__WIRE__FIND_POINTS_REQUEST__KIND_TRACEPOINTS:
		point_names__init(found, request->tracepoints, request->limit);
		return permission__tracepoints(error) ? -1 :
			tracepoint_names__find(found, request->tracepoints, error);
	case KVIEW__WIRE__FIND_POINTS_REQUEST__KIND_STATIC_PROBES:
		point_names__init(found, request->static_probes->pattern, request->limit);
		return permission__static_probes(error) ? -1 : usdt__find_names(found, request->static_probes, error);
	default:
		point_names__init(found, "", 0);
		return error__set(error, ERR_UNSUPPORTED, "This agent does not know points of that kind: use the agent that came with the client.");
	}
}
