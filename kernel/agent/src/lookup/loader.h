/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The place where a process's dynamic loader tells debuggers that it is about to map libraries, and
 * that it has mapped them.  It calls _dl_debug_state, which does nothing; _r_debug says what it is
 * doing.  All libraries are loaded this way, even those that the C library loads for its own use.
 */
#ifndef KVIEW_LOADER_H
#define KVIEW_LOADER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lookup/functions.h"

struct loader {
	bool is_needed;		/* false: the program is linked statically, and loads no code */
	char *open_path;	/* by which the agent can open it; NULL: it can't be watched */
	struct fn_file_id file;	/* of open_path */
	uint64_t file_offset;	/* of _dl_debug_state */
	int64_t r_debug;	/* the distance in memory from _dl_debug_state to _r_debug */
};

/* Free in any case. */
void loader__find(struct loader *loader, pid_t pid);
void loader__free(struct loader *loader);

#endif
