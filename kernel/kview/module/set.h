/* SPDX-License-Identifier: GPL-2.0 */
/* Sites that came in one call, and their counters. */
#ifndef KVIEW_MODULE_SET_H
#define KVIEW_MODULE_SET_H

#include <linux/bpf.h>
#include <linux/list.h>
#include <linux/rethook.h>
#include <linux/types.h>

#include "identity.h"
#include "moment.h"
#include "retire.h"
#include "textcopy.h"

struct kview_event;
struct kview_filter;
struct kview_place;
struct kview_progs;
struct kview_space;
struct kview_spot;
struct kview_tp;
struct kview_view;
struct module;
struct pt_regs;

/*
 * A spot as one set sees it; in a view's directory, chained when sets share it.
 * The first members are what the hook's short way needs.
 */
struct kview_site {
	bpf_func_t run;			/* see kview_site_simplify() */
	u64 __percpu *hits;		/* of @set's */
	const u8 *base;			/* as in the spot */
	struct bpf_trace_run_ctx ctx;	/* what helpers read; nobody writes it */
	struct kview_site __rcu *next;	/* at the same place, of another set of the view */
	struct kview_set *set;
	struct kview_spot *spot;
	struct kview_event *event;	/* of the kind EVENT */
	atomic64_t *lost;		/* KVIEW_LOSS_KINDS of them, of @set's */
	u32 idx;			/* as user space counts the set's sites, from 0 */
};

#define KVIEW_HITS_CHUNK	1024U

/* Calls at a site that were not counted, and calls and returns that no eBPF program saw. */
enum kview_loss {
	KVIEW_LOST_IRQ,			/* in an interrupt */
	KVIEW_LOST_NESTED,		/* by tracing itself */
	KVIEW_LOST_BORROWED,		/* by a kernel thread */
	KVIEW_LOST_MISSED,		/* its return went unwatched */
	KVIEW_LOST_RETURN,		/* its return was rejected */
	KVIEW_LOST_RECORD,		/* of a trace event: perf's buffer was in use */
	KVIEW_LOSS_KINDS
};

/* Called in the hook, in task context: current's memory is @space.  Must not sleep. */
typedef void (*kview_callback_t)(struct kview_space *space, struct pt_regs *regs);

/*
 * It owns what its pointers point to, but @view, which its file's reference holds: the module's own
 * sets hold none, and go before their view.  Under kview_lock, but for what hooks read (@hooked and
 * what these lead to, @turn, @callback, @returns, @events, @progs) and counters.
 */
struct kview_set {
	struct kview_retired retired;
	struct list_head node;		/* in the view */
	struct kview_identity who;	/* the module's own sets: none */
	struct kview_view *view;
	u32 kind;			/* enum kview_kind */
	u32 flags;			/* KVIEW_SET_* */
	u32 nsites;			/* as user space counts them */
	u32 nhooked;			/* a tracepoint has one for each place it is inlined at */
	u32 nov;			/* elements of @ov */
	u32 ntps;			/* filled elements of @tps, which has room for @nsites */
	bool shown;			/* some text still calls its thunks */
	bool syscalls;			/* sys_enter or sys_exit is among them */
	bool linked;			/* its thunks lead to its sites: not when switched off */
	bool gated;			/* it is about to be switched: hooks look at @turn */
	bool off;			/* its places are counted as such, see kview_view_off() */
	u32 switches;			/* odd: hits are counted and taken back, see tally.c */
	kview_turn_t turn;		/* when it is on, see moment.h */
	struct rethook *returns;	/* of the kind RETURN */
	u32 nreturns;			/* calls that it can watch at a time */
	struct kview_filter *filter;	/* with KVIEW_SET_FILTER: hooks in the base */
	struct kview_event *events;	/* of the kind EVENT, one for each site */
	atomic64_t *lost;		/* KVIEW_LOSS_KINDS for each site */
	struct kview_site *hooked;	/* @nhooked of them */
	struct kview_ov *ov;		/* sorted */
	struct kview_tp **tps;
	struct module **owner;		/* of functions of modules: held, or NULL */
	u32 nowners;			/* elements of @owner, some of them NULL */
	u64 __percpu **hits;		/* in chunks of KVIEW_HITS_CHUNK sites */
	kview_callback_t callback;	/* the module's own sites */
	struct kview_progs __rcu *progs;
};

/* All under kview_lock; all may sleep. */

/*
 * A set with sites at @n places of a view, which no hook finds yet, and all that it needs; to be
 * followed by kview_set_show() or kview_set_free() under the same kview_lock.  @returns: how many
 * calls to watch at a time, of the kind RETURN.  Takes text_mutex.  Errors: -ENOMEM;
 * -EADDRNOTAVAIL, -EBUSY: a place can't be had, and its @idx is in @bad; -ENOSPC: too many of them;
 * -ERANGE: too far for a call.  Then there is no set; if it was about no place @bad is as it was.
 */
struct kview_set *kview_set_prepare(struct kview_view *v, u32 kind, u32 flags, u32 returns,
				    const struct kview_place *place, u32 n, u32 *bad);

/*
 * Puts the sites into the view's text: when it returns its processes run with them, and they lead
 * nowhere before kview_set_start(), which with KVIEW_SET_OFF does nothing.  Those of a filtered set
 * come by kview_filter_start().  Takes what kview_view_edit() does.  On error (-ENOMEM, -EBUSY) the
 * set is gone, and the view's text and hooks are as they were.
 */
int kview_set_show(struct kview_set *set);

/*
 * A set of the module's own, active when it returns: @callback is called in place of eBPF programs.
 * Errors are kview_set_prepare()'s; then the view is as it was.
 */
struct kview_set *kview_set_create(struct kview_view *v, u32 kind, const struct kview_place *place,
				   u32 n, kview_callback_t callback);

/*
 * Takes the sites out of the view: nobody new comes into the set's hooks when it returns.  After
 * kview_filter_stop() and kview_flip_prepare(), without the lock.  Cannot fail; without memory for
 * it the text stays, and leads to nothing.
 */
void kview_set_remove(struct kview_set *set);

/*
 * Then, a grace period of RCU later: frees it, or leaves what text still needs of it to the view.
 * The caller does not touch it any more, and drops its hold on the view after this.
 */
void kview_set_bury(struct kview_set *set);

/* Both, of a set of the module's own: the second by itself.  The view is held until then. */
void kview_set_destroy(struct kview_set *set);

/* Frees a set that neither a hook nor private text leads to. */
void kview_set_free(struct kview_set *set);

#endif
