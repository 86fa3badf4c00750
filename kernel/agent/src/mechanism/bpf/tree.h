/* SPDX-License-Identifier: GPL-2.0 */
/* Of a recording of a process tree: its processes, by their numbers, see scope.bpf.h. */
#ifndef KVIEW_TREE_LAYOUT_H
#define KVIEW_TREE_LAYOUT_H

#define TREE_MOST	8192	/* at a time; those beyond are not measured, and told */

struct tree_process {
	__u64 began_ns;		/* when its first thread did: another process may have its number later */
};

#endif
