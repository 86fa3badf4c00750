/* SPDX-License-Identifier: GPL-2.0 */
/* What the probes of a recording consist of; for probes.c and pairs.c alone. */
#ifndef KVIEW_PROBES_STATE_H
#define KVIEW_PROBES_STATE_H

#include "lookup/static_probes.h"
#include "mechanism/trap/probes.h"

/* A binary as the request names it, and in which process. */
struct asked {
	const char *binary;
	pid_t pid;
};

struct probes {
	struct fn_list *lists;		/* one a binary, and one a probe that is not found so */
	struct asked *asked;		/* by list */
	size_t nr_lists;
	struct xprobe_function *functions;
	const char **names;
	uint64_t *awaited;		/* by function: the inode that is not mapped yet, 0: it is */
	size_t nr, nr_awaited;
	bool are_pairs;			/* of static probes, in these files: struct fn_list has a function for each */
	struct static_probes *files;
	size_t nr_files;
};

#endif
