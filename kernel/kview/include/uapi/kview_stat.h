/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kview: what can be asked of views, sets and attachments.  Included by kview.h, which
 * is the contract's first part.
 */
#ifndef _UAPI_KVIEW_STAT_H
#define _UAPI_KVIEW_STAT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KVIEW_IOC_MAGIC		0xb7

/**
 * struct kview_hits - how often sites were reached (on a set fd)
 * @buf:	user pointer to @count counters (__u64) to fill
 * @first:	index of the first site
 * @count:	number of sites
 * @cpu:	a CPU's number, or -1 for the sum over all CPUs
 * @reserved:	0
 *
 * Calls that were rejected (struct kview_stat) are not counted.
 * ERANGE: beyond the set's sites, or no such CPU.
 */
struct kview_hits {
	__u64 buf;
	__u32 first;
	__u32 count;
	__s32 cpu;
	__u32 reserved;
};

/**
 * struct kview_set_stat - one set (on a set fd)
 * @sites:	sites in the set
 * @places:	places in the text that are hooked for them
 * @missed:	calls whose return went unwatched (KVIEW_KIND_RETURN)
 */
struct kview_set_stat {
	__u32 sites;
	__u32 places;
	__u64 missed;
};

/**
 * struct kview_view_stat - one view (on a view fd)
 * @processes:		address spaces attached now
 * @sets:		sets of sites, those of the module's own policy included
 * @sites:		their sites
 * @regions:		2 MiB regions of text that differ from the base
 * @regions_huge:	of these, regions mapped by a single 2 MiB page
 * @text_pages:		4 KiB pages of copied text, 512 for a huge one
 * @text_pages_shared:	of these, used by other views as well
 * @table_pages:	4 KiB pages of page tables
 * @memory:		all memory of the view in bytes, shared copies included
 * @create_ns:		the time the last SET_CREATE took, in ns
 * @destroy_ns:		the time the last closing of a set took, in ns
 */
struct kview_view_stat {
	__u32 processes;
	__u32 sets;
	__u32 sites;
	__u32 regions;
	__u32 regions_huge;
	__u32 text_pages;
	__u32 text_pages_shared;
	__u32 table_pages;
	__u64 memory;
	__u64 create_ns;
	__u64 destroy_ns;
};

/**
 * struct kview_attach_stat - one attachment (on an attachment fd)
 * @processes:		address spaces attached now, those that joined included
 * @joined:		address spaces that joined later: by fork or execve, or because
 *			they came into the cgroup
 * @join_failed:	those that should have joined but could not: no memory, a fatal
 *			signal, or a program with rights of its own (setuid, or one that
 *			may not be read), which only who has CAP_SYS_PTRACE follows into
 * @left:		address spaces that were moved out of the cgroup
 * @elsewhere:		processes of the cgroup that were in another view when last
 *			looked at: at the start, and when one was moved or came from
 *			outside
 * @reserved:		0
 * @attach_ns:		the time the attaching took, in ns
 */
struct kview_attach_stat {
	__u32 processes;
	__u32 joined;
	__u32 join_failed;
	__u32 left;
	__u32 elsewhere;
	__u32 reserved;
	__u64 attach_ns;
};

/**
 * struct kview_stat - the module as a whole (on /dev/kview)
 * @views:		views
 * @processes:		address spaces attached
 * @spots:		different sites in all views
 * @text_copies:	copies of text, of 4 KiB or 2 MiB
 * @rejected_kthread:	calls by a kernel thread on a borrowed address space: as a rule 0,
 *			since those are made to leave views
 * @rejected_irq:	calls in an interrupt that came while a view was active
 * @rejected_nested:	calls by a program, by what it called, or while the kernel
 *			holds tracing programs back on this CPU (bpf_prog_active)
 * @rejected_left:	calls by a process that was just leaving the view
 * @chained:		calls passed on to another tracer at the same place
 * @mirrored:		writes of other tracers repeated in a copy
 * @escaped:		writes of other tracers that ran inside a view
 * @detach_ns:		the time the last detach took, in ns
 */
struct kview_stat {
	__u32 views;
	__u32 processes;
	__u32 spots;
	__u32 text_copies;
	__u64 rejected_kthread;
	__u64 rejected_irq;
	__u64 rejected_nested;
	__u64 rejected_left;
	__u64 chained;
	__u64 mirrored;
	__u64 escaped;
	__u64 detach_ns;
};

/* on /dev/kview */
#define KVIEW_STAT		_IOR(KVIEW_IOC_MAGIC, 0x01, struct kview_stat)
/* on a view fd */
#define KVIEW_VIEW_STAT		_IOR(KVIEW_IOC_MAGIC, 0x12, struct kview_view_stat)
/* on a set fd */
#define KVIEW_HITS		_IOW(KVIEW_IOC_MAGIC, 0x22, struct kview_hits)
#define KVIEW_SET_STAT		_IOR(KVIEW_IOC_MAGIC, 0x23, struct kview_set_stat)
/* on an attachment fd */
#define KVIEW_ATTACH_STAT	_IOR(KVIEW_IOC_MAGIC, 0x30, struct kview_attach_stat)

#endif /* _UAPI_KVIEW_STAT_H */
