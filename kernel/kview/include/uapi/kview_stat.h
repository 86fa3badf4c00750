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

#define KVIEW_NAME_SIZE		32

enum kview_item_type {
	KVIEW_ITEM_VIEW = 1,
	KVIEW_ITEM_SET = 2,
	KVIEW_ITEM_ATTACHMENT = 3,
};

/* What an attachment is for. */
enum kview_target {
	KVIEW_TARGET_PROCESS = 1,
	KVIEW_TARGET_CGROUP = 2,
	KVIEW_TARGET_FLOW = 3,
};

/* @flags of an item: a view whose fd is closed, while one of a set or attachment is not. */
#define KVIEW_ITEM_CLOSED	(1U << 0)
/* A set that is switched off. */
#define KVIEW_ITEM_OFF		(1U << 1)
/*
 * A set with hooks in the kernel's own text (KVIEW_SET_FILTER): while it is there no live patch can be
 * loaded for its functions, and no module be unloaded that one of them is in.
 */
#define KVIEW_ITEM_FILTER	(1U << 2)

/**
 * struct kview_item - a view, a set or an attachment (on the fd of any of them)
 * @id:			its number, unlike that of any other since the module was loaded
 * @view:		id of its view; a view's own
 * @type:		enum kview_item_type
 * @kind:		of a set: enum kview_kind; of an attachment: enum kview_target
 * @flags:		KVIEW_ITEM_* bits
 * @owner_pid:		the process that made it, or that has named it; 0 when that has ended
 *			or is not in the caller's pid namespace
 * @owner_uid:		that one's effective user
 * @target_pid:		of an attachment: the process that was named, or the queue's thread;
 *			0 as above
 * @target_cgroup:	of an attachment: the cgroup's id, its directory's inode number; or 0
 * @since_ns:		when it was made, CLOCK_BOOTTIME
 * @memory:		in bytes; a view's includes that of its sets
 * @processes:		address spaces attached now
 * @sites:		sites of the set, or of the view's sets
 * @owner_comm:		name of the owner's program, as in /proc/PID/comm
 * @name:		see KVIEW_NAME
 *
 * The rest with KVIEW_FEATURE_SITES, else 0:
 * @attach_flags:	of an attachment: KVIEW_ATTACH_* bits
 * @joined:		of an attachment, as in struct kview_attach_stat; so are the next three
 * @join_failed:
 * @left:
 * @elsewhere:
 * @text_pages:		of a view, as in struct kview_view_stat; so are the next two
 * @text_pages_shared:
 * @table_pages:
 * @took_ns:		of an attachment: the time the attaching took; of a view: the time the last
 *			SET_CREATE took
 * @ended_ns:		of a view: the time the last closing of one of its sets took
 *
 * What came before that is in /proc/PID/fdinfo/FD, too.
 */
struct kview_item {
	__u64 id;
	__u64 view;
	__u32 type;
	__u32 kind;
	__u32 flags;
	__u32 owner_pid;
	__u32 owner_uid;
	__u32 target_pid;
	__u64 target_cgroup;
	__u64 since_ns;
	__u64 memory;
	__u32 processes;
	__u32 sites;
	char owner_comm[16];
	char name[KVIEW_NAME_SIZE];
	__u32 attach_flags;
	__u32 joined;
	__u32 join_failed;
	__u32 left;
	__u32 elsewhere;
	__u32 text_pages;
	__u32 text_pages_shared;
	__u32 table_pages;
	__u64 took_ns;
	__u64 ended_ns;
};

/**
 * struct kview_name - call a view, a set or an attachment something (on its fd)
 * @name:	ended by a NUL byte, without control characters.  Names need not be unique.
 *
 * The caller is the owner from then on: it may have got the fd from somebody else.
 * EINVAL: not such a name.
 */
struct kview_name {
	char name[KVIEW_NAME_SIZE];
};

/**
 * struct kview_list - all views, sets and attachments of everybody (on /dev/kview)
 * @buf:	user pointer to @count items to fill: each view, then its sets and
 *		attachments
 * @count:	how many there is room for
 * @item_size:	sizeof(struct kview_item) as the caller knows it
 * @total:	out: how many there are; when more than @count, ask again
 * @reserved:	0
 *
 * It takes the capabilities that making a view takes.
 */
struct kview_list {
	__u64 buf;
	__u32 count;
	__u32 item_size;
	__u32 total;
	__u32 reserved;
};

/**
 * struct kview_hits - how often sites were reached (on a set fd)
 * @buf:	user pointer to @count counters (__u64) to fill
 * @first:	index of the first site
 * @count:	number of sites
 * @cpu:	a CPU's number, or -1 for the sum over all CPUs
 * @reserved:	0
 *
 * One call can read all of a set's counters.  Calls that were rejected are not counted,
 * see struct kview_site_losses.  While the set is being switched this waits for the end of that.
 * ERANGE: beyond the set's sites, or no such CPU.  EINTR: a fatal signal came while waiting.
 */
struct kview_hits {
	__u64 buf;
	__u32 first;
	__u32 count;
	__s32 cpu;
	__u32 reserved;
};

/**
 * struct kview_site_losses - what a site did not see
 * @irq:	calls in an interrupt that came while a process of the view ran: they are not
 *		the process's own
 * @nested:	calls by an eBPF program, by what it called, or while the kernel lets no other
 *		one run on this CPU (bpf_prog_active)
 * @borrowed:	calls by a kernel thread on a borrowed address space: as a rule 0, and always where
 *		a filter is in the kernel's own text (KVIEW_SET_FILTER), which turns back whoever has
 *		no memory of his own: a thread in its last steps, too, whose calls then count nowhere
 * @missed:	calls whose return went unwatched (KVIEW_KIND_RETURN); they are among the hits
 * @returns:	returns for which no eBPF program ran: the process had left the view, the set was
 *		switched off, or it was nested; the calls are among the hits
 * @records:	calls for which no eBPF program ran, since another tracer had perf's buffer for records
 *		just then (KVIEW_KIND_EVENT; KVIEW_FEATURE_RECORDS); they are among the hits
 *
 * A call by a process that has just left the view, or is in another one by then, is in
 * struct kview_stat alone: whose text it was is not known.
 */
struct kview_site_losses {
	__u64 irq;
	__u64 nested;
	__u64 borrowed;
	__u64 missed;
	__u64 returns;
	__u64 records;
};

/**
 * struct kview_losses - what sites did not see (on a set fd)
 * @buf:	user pointer to @count struct kview_site_losses to fill
 * @first:	index of the first site
 * @count:	number of sites
 * @size:	sizeof(struct kview_site_losses) as the caller knows it
 * @reserved:	0
 *
 * ERANGE: beyond the set's sites.
 */
struct kview_losses {
	__u64 buf;
	__u32 first;
	__u32 count;
	__u32 size;
	__u32 reserved;
};

#define KVIEW_SITE_NAME_SIZE	128

/**
 * struct kview_site_name - what is a site (KVIEW_FEATURE_SITES)
 * @addr:	of the function; 0 for tracepoints and events, and without CAP_SYSLOG
 * @name:	of the tracepoint, or of the event, SYSTEM:EVENT; of a function empty
 */
struct kview_site_name {
	__u64 addr;
	char name[KVIEW_SITE_NAME_SIZE];
};

/**
 * struct kview_sites - which sites a set has (on a set fd)
 * @buf:	user pointer to @count struct kview_site_name to fill
 * @first:	index of the first site
 * @count:	number of sites
 * @size:	sizeof(struct kview_site_name) as the caller knows it
 * @reserved:	0
 *
 * They stay the same as long as the set is there.
 * ERANGE: beyond the set's sites.
 */
struct kview_sites {
	__u64 buf;
	__u32 first;
	__u32 count;
	__u32 size;
	__u32 reserved;
};

/**
 * struct kview_set_stat - one set (on a set fd)
 * @sites:		sites in the set
 * @places:		places in the text that are hooked for them
 * @missed:		these are sums over its sites, see struct kview_site_losses
 * @lost_irq:
 * @lost_nested:
 * @lost_borrowed:
 * @lost_returns:
 * @lost_records:
 */
struct kview_set_stat {
	__u32 sites;
	__u32 places;
	__u64 missed;
	__u64 lost_irq;
	__u64 lost_nested;
	__u64 lost_borrowed;
	__u64 lost_returns;
	__u64 lost_records;
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
 * @memory:		all memory of the view in bytes, shared copies included; and what
 *			processes take that were in other views when they came into this one
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
 *			may not be read), which only who has CAP_SYS_PTRACE follows into; or, of
 *			those that are in other views, too, for what EUSERS and EADDRNOTAVAIL
 *			of struct kview_attach stand for
 * @left:		address spaces that were moved out of the cgroup
 * @elsewhere:		processes of the cgroup that another attachment of this view had when
 *			last looked at: at the start, and when one was moved or came from
 *			outside.  Without KVIEW_FEATURE_SHARED: that were in another view
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
 * @processes:		address spaces attached, each once for each view that it is in
 * @spots:		different sites in all views
 * @text_copies:	copies of text, of 4 KiB or 2 MiB
 * @rejected_kthread:	calls by a kernel thread on a borrowed address space: as a rule 0,
 *			since those are made to leave views
 * @rejected_irq:	calls in an interrupt that came while a view was active
 * @rejected_nested:	calls by an eBPF program, by what it called, or while the kernel
 *			lets no other one run on this CPU (bpf_prog_active)
 * @rejected_left:	calls by a process that was just entering the view or leaving it, or is
 *			in another view; of the latter not those at places that a set has
 *			which is switched off
 * @chained:		calls passed on to another tracer at the same place
 * @mirrored:		writes of other tracers repeated in a copy
 * @escaped:		writes of other tracers that ran inside a view
 * @detach_ns:		the time the last detach took, in ns
 * @rejected_elsewhere:	of @rejected_left, those by a process that is in another view, and in
 *			none that has a site there
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
	__u64 rejected_elsewhere;
};

/* on /dev/kview */
#define KVIEW_STAT		_IOR(KVIEW_IOC_MAGIC, 0x01, struct kview_stat)
#define KVIEW_LIST		_IOWR(KVIEW_IOC_MAGIC, 0x03, struct kview_list)
/* on a view, set or attachment fd */
#define KVIEW_ITEM		_IOR(KVIEW_IOC_MAGIC, 0x40, struct kview_item)
#define KVIEW_NAME		_IOW(KVIEW_IOC_MAGIC, 0x41, struct kview_name)
/* on a view fd */
#define KVIEW_VIEW_STAT		_IOR(KVIEW_IOC_MAGIC, 0x12, struct kview_view_stat)
/* on a set fd */
#define KVIEW_HITS		_IOW(KVIEW_IOC_MAGIC, 0x22, struct kview_hits)
#define KVIEW_SET_STAT		_IOR(KVIEW_IOC_MAGIC, 0x23, struct kview_set_stat)
#define KVIEW_LOSSES		_IOW(KVIEW_IOC_MAGIC, 0x24, struct kview_losses)
#define KVIEW_SITES		_IOW(KVIEW_IOC_MAGIC, 0x25, struct kview_sites)
/* on an attachment fd */
#define KVIEW_ATTACH_STAT	_IOR(KVIEW_IOC_MAGIC, 0x30, struct kview_attach_stat)

#endif /* _UAPI_KVIEW_STAT_H */
