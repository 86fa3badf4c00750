/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whom the agent works for.  An agent may have more rights than the user who started it (through
 * sudo, or by file capabilities).  Then it uses them only for what that user is allowed to have
 * done, and not for everything that is requested.
 */
#ifndef KVIEW_CALLER_H
#define KVIEW_CALLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

#define CALLER_MAX_GROUPS	1024

struct caller {
	bool restricted;	/* the agent has rights that the caller has not */
	bool by_file;		/* which its file gave it: by a rule of sudo's, by capabilities */
	uid_t uid;
	gid_t gid;
	char name[64];		/* of the user, or its number */
	gid_t groups[CALLER_MAX_GROUPS];	/* gid is one of them */
	size_t nr_groups;
};

/*
 * Returns 0, or -1 with error filled where it can't be told who that is.  For a restricted caller
 * rights.h is set up.
 */
int caller__find(struct caller *caller, struct error *error);

#endif
