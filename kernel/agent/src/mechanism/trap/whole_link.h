/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes whose eBPF program sees a call begin and end, and answers at each entry whether the return
 * address is to be replaced at all: what Linux 6.13 and newer call a uprobe session.  libbpf's
 * own calls do not know it yet.
 */
#ifndef KVIEW_WHOLE_LINK_H
#define KVIEW_WHOLE_LINK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * BPF_TRACE_UPROBE_SESSION of linux/bpf.h.  An eBPF program for such a link needs it as its attach type
 * before it is loaded.
 */
#define WHOLE_LINK_TYPE	57

struct whole_link {
	int program_fd;
	pid_t pid;
	const char *path;
	const unsigned long *offsets;	/* in the file */
	const uint64_t *cookies;
	size_t nr;
};

/* Returns the descriptor of the link, which ends when that is closed; or -errno. */
int whole_link__create(const struct whole_link *link);

#endif
