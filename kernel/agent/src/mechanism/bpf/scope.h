/* SPDX-License-Identifier: GPL-2.0 */
/* Of a recording of a cgroup or a process tree: the processes that came to its points, see scope.bpf.h. */
#ifndef KVIEW_SCOPE_LAYOUT_H
#define KVIEW_SCOPE_LAYOUT_H

/* In place of a process's number: 0 is that of idle CPUs. */
#define SCOPE_NOBODY	0xffffffffU

#define SCOPE_MEMBERS	4096	/* more are not told */

struct scope_member_key {
	__u64 began_ns;		/* when its first thread did: another process may have its number later */
	__u32 tgid;
	__u32 zero;
};

struct scope_member {
	__u64 came_ns;
	char name[16];
};

#endif
