// SPDX-License-Identifier: GPL-2.0
/* What a recording left that ended without taking it out. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "mechanism/jump/jump.h"
#include "permission/permission.h"
#include "place/children.h"
#include "place/jumps.h"
#include "place/remote.h"

#define MOST_LEFT	100	/* a process may put there what looks like one, again and again */

static bool has_jump(const struct remote *remote, int memory)
{
	for (size_t i = 0; i < remote->image.nr; i++)
		if (jumps__stands(&remote->image.patches[i], memory))
			return true;
	return false;
}

/* What a recording could not unmap at its end is in nobody's way, once its jumps are out. */
int mechanism__check_unchanged(pid_t pid, struct error *error)
{
	struct remote remote;
	bool stands = false;
	char path[32];
	int memory, i;

	snprintf(path, sizeof(path), "/proc/%d/mem", thread__living(pid));
	memory = open(path, O_RDONLY | O_CLOEXEC);
	/* What can't be read can't be measured either, which is told elsewhere. */
	if (memory < 0)
		return 0;
	remote = (struct remote){ 0 };
	for (i = 0; i < MOST_LEFT && !stands && remote__find_next(&remote, pid, remote.image.code.address + 1); i++) {
		uint64_t at = remote.image.code.address;

		stands = has_jump(&remote, memory);
		remote__free(&remote);
		remote.image.code.address = at;
	}
	close(memory);
	return stands ? error__set(error, ERR_BUSY, "Process %d has jumps of another recording in its code: end that, or, if it has ended without taking them out, run kview clean --pid %d.",
				   pid, pid) : 0;
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
	if (!err && remote__is_of_other_version(pid))
		return error__set(error, ERR_UNSUPPORTED, "Another version of Kview put jumps into the code of process %d: run kview clean --pid %d of that version, or start the program anew.",
				  pid, pid);
	return err;
}
