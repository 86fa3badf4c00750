// SPDX-License-Identifier: GPL-2.0
/* What a recording left that ended without taking it out. */
#include "mechanism/jump/jump.h"
#include "permission/permission.h"
#include "place/children.h"
#include "place/remote.h"

#define MOST_LEFT	100	/* a process may put there what looks like one, again and again */

int mechanism__check_unchanged(pid_t pid, struct error *error)
{
	struct error ignored = { 0 };
	struct remote remote;
	int found = remote__find(&remote, pid, &ignored);

	/* What can't be read can't be measured either, which is told elsewhere. */
	if (found <= 0)
		return 0;
	remote__free(&remote);
	return error__set(error, ERR_BUSY, "Process %d has jumps of another recording in its code: end that, or, if it has ended without taking them out, run kview clean --pid %d.",
			  pid, pid);
}

int mechanism__clean(pid_t pid, uint64_t *restored, struct error *error)
{
	struct remote remote;
	int found, err = 0, i;

	*restored = 0;
	stopped__may_change = permission__may_change;
	for (i = 0; i < MOST_LEFT && !err && (found = remote__find(&remote, pid, error)); i++) {
		struct freed_children children = { 0 };

		if (found < 0)
			return -1;
		err = remote__detach(&remote, error);
		if (!err)
			*restored += remote.image.nr;
		remote__free_children(&remote, &children);
		*restored += children.jumps;
		if (!err && children.left)
			err = error__set(error, ERR_BUSY, "%zu processes that process %d forked still have jumps in their code, which do no harm: run kview clean --pid %d, and so for each.",
					 children.left, pid, children.left_pid);
		remote__free(&remote);
	}
	return err;
}
