/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the places in kernel text that a user names. */
#ifndef KVIEW_MODULE_PLACE_H
#define KVIEW_MODULE_PLACE_H

#include <linux/types.h>

struct kview_set_create;
struct kview_site_result;
struct module;
struct trace_event_call;
struct tracepoint;

/* A place where a site is wanted. */
struct kview_place {
	unsigned long ip;		/* a function's ftrace location, or 0 */
	struct tracepoint *tp;		/* or a tracepoint */
	struct trace_event_call *call;	/* the event on it, or NULL */
	unsigned long start;		/* where the function begins, or 0: not looked up */
	u32 idx;			/* as the user gave it */
};

/* The places of one request, in the user's order, and what became of each. */
struct kview_places {
	struct kview_place *place;
	struct kview_site_result *result;	/* or NULL: nobody wants to know */
	struct module **owner;		/* by @idx, the module that it is in, which is held; NULL: all are in the kernel itself */
	u32 n;
	u32 count;			/* elements of @result and @owner */
};

/*
 * Returns where a hook at a function's entry goes, 0 if it can't have one.  @addr is the function's
 * address, or that place itself.  Called in any context but NMI; takes no lock.
 */
unsigned long kview_entry_ip(unsigned long addr);

/* All others work for a request of the current task: they sleep, and the caller must hold no lock. */

/*
 * Fills @places with what the request names; the caller frees it, after an error as well.  The errors
 * are those of KVIEW_SET_CREATE in uapi/kview.h; arg->bad tells which place it was about, or is ~0.
 */
int kview_places_from_user(struct kview_set_create *arg, struct kview_places *places);

/*
 * Called after kview_policy_set_create() failed with @error because of the place arg->bad: leaves that
 * place out.  Returns false if the user did not ask for this or no place would be left: then the request
 * has failed.
 */
bool kview_places_skip(struct kview_set_create *arg, struct kview_places *places, int error);

/* Tells the user what became of each place, if he asked for it.  Returns 0 or -EFAULT. */
int kview_places_report(const struct kview_set_create *arg, struct kview_places *places);

/* Frees what @places points to.  It may be all zero. */
void kview_places_free(struct kview_places *places);

#endif
