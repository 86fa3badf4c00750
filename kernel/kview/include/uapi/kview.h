/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kview: per-process kernel views.  The contract between module and user space.
 *
 * A view is a private variant of the kernel's text.  Processes that are attached
 * to it run the variant, in which chosen places ("sites") call eBPF programs;
 * every other process runs the original text, of which not a byte is changed.
 *
 *	/dev/kview --VIEW_CREATE--> view fd --SET_CREATE--> set fd  (sites and eBPF programs)
 *	                                    --ATTACH------> attachment fd  (processes)
 *
 * Each fd undoes its own part when it is closed for the last time, in any order,
 * also when its owner is killed: a set's sites and eBPF programs go, an attachment's
 * processes leave the view.  Closing the view fd detaches every process; ioctls on
 * the sets of a closed view then fail with ENODEV.
 *
 * An fd is closed when its last copy is: a child by fork() has copies of all, and keeps what they
 * stand for alive, in spite of close-on-exec, until it ends, closes them or calls execve().
 *
 * poll() on an attachment fd reports EPOLLHUP once nobody is in it any more, nor on the way
 * into it by fork or execve.  With a cgroup that is when the view is closed, since somebody
 * can come at any time before.
 *
 * All ioctls return 0 or a file descriptor (close-on-exec), or -1 with errno:
 *
 *	EPERM	the caller lacks CAP_BPF and CAP_PERFMON (or CAP_SYS_ADMIN), or
 *		the kernel is locked down against kprobes
 *	EFAULT	a pointer is not readable or not writable
 *	EINVAL	a flag, a kind or a reserved field has a value not listed here
 *	ENOMEM	no memory; nothing was changed
 *	ENODEV	the view was closed
 *	ENOTTY	no such ioctl on this kind of fd
 *
 * Further errors stand with each ioctl.  An ioctl that fails changes nothing.
 *
 * Structures grow at their ends, and an ioctl's number has the structure's size in it.
 * A module takes every size: what a smaller structure lacks counts as zero; of a larger
 * one the part that the module does not know must be zero (else E2BIG), and is filled with
 * zero where the module writes.  So old clients run on newer modules and newer ones on
 * older modules; KVIEW_INFO's features tell what there is, the version does not.
 */
#ifndef _UAPI_KVIEW_H
#define _UAPI_KVIEW_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "kview_attach.h"	/* who runs in a view */
#include "kview_stat.h"		/* what can be asked of them */

#define KVIEW_API_VERSION	1

/**
 * struct kview_info - what is loaded (on /dev/kview; needs no capability)
 * @api_version:	KVIEW_API_VERSION of the module
 * @features:		KVIEW_FEATURE_* bits
 * @text_start:		first address that can hold a site; 0 without CAP_SYSLOG
 * @text_end:		first address after it; 0 without CAP_SYSLOG
 */
struct kview_info {
	__u32 api_version;
	__u32 features;
	__u64 text_start;
	__u64 text_end;
};

#define KVIEW_FEATURE_ENTRY		(1U << 0)
#define KVIEW_FEATURE_TRACEPOINT	(1U << 1)
#define KVIEW_FEATURE_SYSCALL		(1U << 2)
#define KVIEW_FEATURE_RETURN		(1U << 3)
#define KVIEW_FEATURE_EVENT		(1U << 4)
#define KVIEW_FEATURE_FILTER		(1U << 5)	/* KVIEW_SET_FILTER */
#define KVIEW_FEATURE_CGROUP		(1U << 6)	/* KVIEW_ATTACH_CGROUP */
#define KVIEW_FEATURE_FLOW		(1U << 7)	/* KVIEW_ATTACH_FLOW */
#define KVIEW_FEATURE_ANY_SIZE		(1U << 8)	/* structures of any size, see above */
#define KVIEW_FEATURE_RESULTS		(1U << 9)	/* kview_set_create's @results, @returns */
#define KVIEW_FEATURE_LOSSES		(1U << 10)	/* KVIEW_LOSSES, and sums in the stats */
#define KVIEW_FEATURE_ITEMS		(1U << 11)	/* ids, names, KVIEW_LIST, @owner, poll */
#define KVIEW_FEATURE_SWITCH		(1U << 12)	/* KVIEW_SET_OFF, KVIEW_SETS_SWITCH */
#define KVIEW_FEATURE_RECORDS		(1U << 13)	/* kview_site_losses' @records */
#define KVIEW_FEATURE_MODULES		(1U << 14)	/* KVIEW_SET_FILTER: modules' functions */
#define KVIEW_FEATURE_MODULE_NAMES	(1U << 15)	/* MODULE:FUNCTION; KVIEW_ITEM_FILTER */
#define KVIEW_FEATURE_SHARED		(1U << 16)	/* a process can be in several views */
#define KVIEW_FEATURE_VFORK		(1U << 17)	/* KVIEW_ATTACH_EXEC alone keeps no child by vfork */
#define KVIEW_FEATURE_SITES		(1U << 18)	/* KVIEW_SITES; kview_item's @attach_flags and on */

/**
 * struct kview_view_create - a new, empty view; returns its fd
 * @flags:	0
 * @reserved:	0
 *
 * EMFILE, ENFILE: no more file descriptors.
 */
struct kview_view_create {
	__u32 flags;
	__u32 reserved;
};

/* Kinds of sites. */
enum kview_kind {
	/*
	 * The first instruction of a kernel function that ftrace can hook.
	 * eBPF programs: kprobe (context: the registers at entry, ip the site's
	 * address) and raw_tracepoint (context: the six register arguments).
	 */
	KVIEW_KIND_ENTRY = 1,
	/*
	 * A static tracepoint, named as in bpf(2)'s raw tracepoints, for example
	 * sched_process_fork.  eBPF programs: raw_tracepoint.  A tracepoint is one
	 * site, however often the compiler inlined it in the image.  Among them are sys_enter
	 * and sys_exit: every system call of the process, which then takes the
	 * kernel's slow way through entry and exit.  When another tracer's last
	 * probe of these two goes, calls may be missed for some milliseconds.
	 */
	KVIEW_KIND_TRACEPOINT = 2,
	/*
	 * Returns of a function.  eBPF programs: kprobe (context: the registers at the
	 * return).  Hits count calls; a call whose return could not be watched,
	 * because too many are under way, is counted as missed.  No eBPF program runs
	 * for a call that returns after its process has left the view.
	 */
	KVIEW_KIND_RETURN = 3,
	/*
	 * A trace event, named SYSTEM:EVENT as in tracefs, for example
	 * sched:sched_process_fork or, for one system call,
	 * syscalls:sys_enter_read.  eBPF programs: tracepoint (context: the event's
	 * record, as its file "format" in tracefs says).  Several events of one
	 * tracepoint can be in a set.
	 */
	KVIEW_KIND_EVENT = 4,
};

/* Leave out what cannot be a site, instead of failing; @results says what, and why. */
#define KVIEW_SET_SKIP_UNUSABLE		(1U << 0)
/*
 * Hook the original text, for everybody, behind a filter: whoever is not in the view
 * is turned away by a test of a flag, before anything else.  What views avoid, to
 * compare with; and a way where a view's text cannot be had.  For functions' entries, those of
 * loaded modules too: a module cannot be unloaded while a set has one of its functions.  While
 * such a set is there no live patch of its functions can be loaded: that fails with EBUSY.
 */
#define KVIEW_SET_FILTER		(1U << 1)
/* Starts switched off, see struct kview_sets_switch: its sites count nothing yet. */
#define KVIEW_SET_OFF			(1U << 2)

/**
 * struct kview_site_result - what became of a site that was asked for
 * @addr:	address of the function, by whatever it was named; 0 for tracepoints and
 *		events, for what was left out, and without CAP_SYSLOG
 * @site:	its index in the set, or ~0 when it was left out
 * @error:	why it was left out: ENOENT, ENOTUNIQ, EADDRNOTAVAIL, EOPNOTSUPP, EEXIST or
 *		EBUSY, as below; else 0
 */
struct kview_site_result {
	__u64 addr;
	__u32 site;
	__u32 error;
};

/**
 * struct kview_set_create - add a set of sites to a view; returns its fd
 * @kind:	enum kview_kind
 * @flags:	KVIEW_SET_* bits
 * @addrs:	user pointer to @count addresses (__u64): of functions, or of
 *		their ftrace locations; 0 when @names is used
 * @names:	user pointer to @count names, each ended by a NUL byte; 0 when
 *		@addrs is used, which events and tracepoints cannot
 * @names_size:	bytes at @names, at most 16 MiB; 0 without names
 * @count:	number of sites asked for, 1..KVIEW_SET_MAX
 * @added:	out: number of sites in the set (smaller than @count only with
 *		KVIEW_SET_SKIP_UNUSABLE)
 * @bad:	out: on ENOENT, ENOTUNIQ, EADDRNOTAVAIL, EOPNOTSUPP, EEXIST, EBUSY: index of the
 *		first site that was refused, or ~0 when none in particular was
 * @results:	user pointer to @count struct kview_site_result to fill, or 0.  They are
 *		filled on success, and when nothing that was asked for could be used
 *		(EADDRNOTAVAIL with KVIEW_SET_SKIP_UNUSABLE).
 * @returns:	of KVIEW_KIND_RETURN: how many calls are watched at a time, at most
 *		KVIEW_RETURNS_MAX, or 0 for 2048; of other kinds 0
 * @result_size: sizeof(struct kview_site_result) as the caller knows it; 0 without @results
 *
 * The set starts without eBPF programs: its sites count hits.  Sites keep the order
 * in which they were given, less those left out.
 *
 * A function's name is the kernel image's, and a module's only if the image has no function of that
 * name.  MODULE:FUNCTION is that module's (named as in /proc/modules), and :FUNCTION that of whichever
 * module has one, whatever the image has (KVIEW_FEATURE_MODULE_NAMES).
 *
 * ENOENT:		no such symbol, tracepoint or event
 * ENOTUNIQ:		several functions of the kernel image have this name, or none there and
 *			several of modules; or, with a colon, several of modules, or of that
 *			module; each can be added by its address
 * EADDRNOTAVAIL:	no place for a site: no function, not an ftrace location, noinstr or
 *			entry text, or an instruction sequence that is not understood; or in a
 *			module that is just coming or going, or in this one; or, of the kind
 *			RETURN, a function that the kernel sets no kprobe in
 * EOPNOTSUPP:		a function of a module, without KVIEW_SET_FILTER: a view replaces the text
 *			of the kernel image alone
 * EEXIST:		the same site twice in one set
 * E2BIG:		@count, @names_size or @returns too large
 * ENOSPC:		more than KVIEW_SITES_MAX different sites in all views, or than 256 different
 *			tracepoints (those of events are among them)
 * EBUSY:		the site overlaps one of another kind, or is in 65535 sets of the
 *			view already; or another tracer has a kprobe on an instruction of
 *			the tracepoint's; or, with KVIEW_SET_FILTER, another tracer has a
 *			direct call there, or the function is live-patched
 *
 * A tracepoint's sites are those in the kernel image: where a module has it inlined, as an
 * exported one can be, is not among them; nor are tracepoints and events of modules' own.
 *
 * Places inside functions cannot be sites, but for tracepoints, which are made for it: nothing
 * vouches for another instruction that a call may take its place.
 */
struct kview_set_create {
	__u32 kind;
	__u32 flags;
	__u64 addrs;
	__u64 names;
	__u32 names_size;
	__u32 count;
	__u32 added;
	__u32 bad;
	__u64 results;
	__u32 returns;
	__u32 result_size;
};

#define KVIEW_SET_MAX		100000
#define KVIEW_RETURNS_MAX	65536
#define KVIEW_SITES_MAX		131072

/**
 * struct kview_sets_switch - switch sets of a view on or off, all at one instant (on its fd)
 * @sets:	user pointer to @count file descriptors (__s32) of sets of this view
 * @count:	1..KVIEW_SWITCH_MAX
 * @flags:	KVIEW_SWITCH_ON, or 0: off
 *
 * A hook, on whatever CPU and in whatever process of the view, finds all of the sets switched,
 * or none.  So of a set of entries and a set of returns of the same functions that are
 * switched together each counts the calls that the other one does.  A set that is off counts
 * nothing, loses nothing and runs no eBPF program; a call that was counted and returns when its set
 * is off is among @lost_returns.  When switching off returns, no eBPF program runs any more.
 *
 * Its hooks stay in place: a process in the view goes on paying for them, without eBPF programs.
 * The hook of a set with KVIEW_SET_FILTER is another one: a call between the two can be in one alone.
 * What is so already stays as it is.  Sets that are added while nobody is in the view become
 * active together in any case, when somebody is attached, and cease to be together when he is
 * detached.
 *
 * EBADF: not an fd; EINVAL: not of a set of this view; EEXIST: the same set twice; E2BIG:
 * @count too large.
 */
struct kview_sets_switch {
	__u64 sets;
	__u32 count;
	__u32 flags;
};

#define KVIEW_SWITCH_MAX	256
#define KVIEW_SWITCH_ON		(1U << 0)

/**
 * struct kview_prog_add - run an eBPF program at every site of a set
 * @prog_fd:	the eBPF program; it stays loaded until it is removed here
 * @flags:	0
 * @cookie:	what bpf_get_attach_cookie() returns, when @cookies is 0
 * @cookies:	user pointer to one cookie (__u64) for each site of the set, or 0
 *
 * EBADF:	not an eBPF program's fd
 * EINVAL:	not of a type the set's kind takes; sleepable; uses
 *		bpf_override_return(); made for kprobe_multi; or it reads beyond
 *		the context
 * EEXIST:	the eBPF program is in the set already
 * E2BIG:	more than KVIEW_PROGS_MAX eBPF programs
 */
struct kview_prog_add {
	__s32 prog_fd;
	__u32 flags;
	__u64 cookie;
	__u64 cookies;
};

#define KVIEW_PROGS_MAX		64

/**
 * struct kview_prog_del - undo KVIEW_PROG_ADD
 * @prog_fd:	a file descriptor of the same eBPF program
 * @flags:	0
 *
 * EBADF: not an eBPF program's fd; ENOENT: not in the set.  When this returns, the
 * eBPF program does not run here any more.
 */
struct kview_prog_del {
	__s32 prog_fd;
	__u32 flags;
};

/* on /dev/kview */
#define KVIEW_INFO		_IOR(KVIEW_IOC_MAGIC, 0x00, struct kview_info)
#define KVIEW_VIEW_CREATE	_IOW(KVIEW_IOC_MAGIC, 0x02, struct kview_view_create)
/* on a view fd */
#define KVIEW_SET_CREATE	_IOWR(KVIEW_IOC_MAGIC, 0x10, struct kview_set_create)
#define KVIEW_ATTACH		_IOW(KVIEW_IOC_MAGIC, 0x11, struct kview_attach)
#define KVIEW_ATTACH_CGROUP	_IOW(KVIEW_IOC_MAGIC, 0x13, struct kview_attach_cgroup)
#define KVIEW_ATTACH_FLOW	_IOW(KVIEW_IOC_MAGIC, 0x14, struct kview_attach_flow)
#define KVIEW_SETS_SWITCH	_IOW(KVIEW_IOC_MAGIC, 0x15, struct kview_sets_switch)
/* on a set fd */
#define KVIEW_PROG_ADD		_IOW(KVIEW_IOC_MAGIC, 0x20, struct kview_prog_add)
#define KVIEW_PROG_DEL		_IOW(KVIEW_IOC_MAGIC, 0x21, struct kview_prog_del)

#endif /* _UAPI_KVIEW_H */
