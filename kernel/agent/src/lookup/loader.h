/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a process's dynamic loader tells debuggers that it is about to map libraries, and that it
 * has: by a call of _dl_debug_state, which does nothing, with what it does in _r_debug.  Each
 * library comes this way, also those that the C library loads for its own use.
 */
#ifndef KVIEW_LOADER_H
#define KVIEW_LOADER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lookup/functions.h"

struct loader {
	bool is_needed;		/* false: a program that is linked as a whole, nothing loads code */
	char *open_path;	/* through which the agent can open it; NULL: it can't be watched */
	struct fn_file_id file;	/* of open_path */
	uint64_t file_offset;	/* of _dl_debug_state */
	int64_t r_debug;	/* how far behind it _r_debug lies in memory */
};

/* Free either way. */
void loader__find(struct loader *loader, pid_t pid);
void loader__free(struct loader *loader);

#endif
