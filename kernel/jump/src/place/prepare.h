/* SPDX-License-Identifier: GPL-2.0 */
/* What is put into a process for functions of one file that it maps. */
#ifndef KVIEW_JUMP_PREPARE_H
#define KVIEW_JUMP_PREPARE_H

#include "place/remote.h"

struct wished_function {
	const char *name;	/* of its symbol */
	uint64_t file_offset;	/* where its code begins; 0: any of this name */
	char reason[200];	/* why it can't be measured; empty: it can */
};

/*
 * Fills remote->image for the functions of wished that can be measured, by their numbers there.  binary: a path, or a base
 * name.  beside: what was prepared last for another file of the process, which has its own place; NULL: nothing.  Returns 0, or -1 with
 * error: nothing can be put into this process, or not for this file.
 */
int remote__prepare(struct remote *remote, pid_t pid, const char *binary, struct wished_function *wished,
		    uint32_t nr, const struct remote *beside, struct error *error);

#endif
