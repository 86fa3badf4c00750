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
struct pt_regs;

/*
 * A spot as one set sees it; in a view's directory, chained when sets share it.
 * The first members are what the hook's short way needs.
 */
struct kview_site {
	bpf_func_t run;			/* see kview_site_simplify() */
	u64 __percpu *hits;
	const u8 *base;			/* as in the spot */
	struct bpf_trace_run_ctx ctx;	/* what helpers read; nobody writes it */
	struct kview_site __rcu *next;
	struct kview_set *set;
	struct kview_spot *spot;
	struct kview_event *event;	/* of the kind EVENT */
	atomic64_t *lost;		/* KVIEW_LOSS_KINDS of them */
	u32 idx;
};

#define KVIEW_HITS_CHUNK	1024U

/* Calls at a site that were not counted, and returns that no program saw. */
enum kview_loss {
	KVIEW_LOST_IRQ,			/* in an interrupt */
	KVIEW_LOST_NESTED,		/* by tracing itself */
	KVIEW_LOST_BORROWED,		/* by a kernel thread */
	KVIEW_LOST_MISSED,		/* its return went unwatched */
	KVIEW_LOST_RETURN,		/* its return was rejected */
	KVIEW_LOSS_KINDS
};

typedef void (*kview_callback_t)(struct kview_space *space, struct pt_regs *regs);

struct kview_set {
	struct kview_retired retired;
	struct list_head node;		/* in the view */
	struct kview_identity who;	/* the module's own sets: none */
	struct kview_view *view;
	u32 kind;
	u32 flags;
	u32 nsites;			/* as user space counts them */
	u32 nlinks;			/* a tracepoint has one for each place it is inlined at */
	u32 nov;
	u32 ntps;
	bool shown;			/* some text still calls its thunks */
	bool syscalls;			/* sys_enter or sys_exit is among them */
	bool linked;			/* its thunks lead to its sites: not when switched off */
	bool gated;			/* it is about to be switched: hooks look at @turn */
	bool off;			/* its places are counted as such, see kview_view_off() */
	u32 switches;			/* odd: hits are counted and taken back, see tally.c */
	kview_turn_t turn;
	struct rethook *returns;	/* of the kind RETURN */
	u32 nreturns;			/* calls that it can watch at a time */
	struct kview_filter *filter;	/* with KVIEW_SET_FILTER: hooks in the base */
	struct kview_event *events;	/* of the kind EVENT, one for each site */
	atomic64_t *lost;		/* KVIEW_LOSS_KINDS for each site */
	struct kview_site *links;
	struct kview_ov *ov;		/* sorted */
	struct kview_tp **tps;
	u64 __percpu **hits;		/* in chunks of KVIEW_HITS_CHUNK sites */
	kview_callback_t callback;	/* the module's own sites */
	struct kview_progs __rcu *progs;
};

struct kview_set *kview_set_prepare(struct kview_view *v, u32 kind, u32 flags, u32 returns,
				    const struct kview_place *place, u32 n, u32 *bad);
int kview_set_show(struct kview_set *set);
struct kview_set *kview_set_create(struct kview_view *v, u32 kind, const struct kview_place *place,
				   u32 n, kview_callback_t callback);
void kview_set_remove(struct kview_set *set);
void kview_set_bury(struct kview_set *set);
void kview_set_destroy(struct kview_set *set);
void kview_set_free(struct kview_set *set);

#endif
