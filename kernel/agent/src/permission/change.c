// SPDX-License-Identifier: GPL-2.0
/* Whose code may be changed. */
#include "base/error.h"
#include "base/rights.h"
#include "permission/permission.h"
#include "permission/permission_state.h"

int permission__change(struct error *error)
{
	const char *name = permission__restricted();

	if (!name)
		return 0;
	if (!permission__allows_jumps())
		return error__set(error, ERR_NO_PERMISSION,
				  "Measuring by jumps puts code into a process, and /etc/kview/agent.conf does not allow that to %s: measure by traps, or let an administrator allow it there (user %s jumps).",
				  name, name);
	if (permission__may_trace_held())
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Code is put only into processes that %s may trace, and /etc/kview/agent.conf allows only measuring this one: measure it by traps.",
			  name);
}

bool permission__may_change(pid_t pid, struct error *error)
{
	if (!permission__restricted() ||
	    (permission__holds(pid) ? permission__may_tell() && permission__may_trace_held() : permission__may_trace(pid)))
		return true;
	error__set(error, ERR_NO_PERMISSION,
		   "Process %d has ended, or executed a program that gives it rights or that its user may not trace: it is not changed.",
		   pid);
	return false;
}

void permission__begin_change(void)
{
	rights__lower();
}

void permission__end_change(void)
{
	rights__restore();
}
