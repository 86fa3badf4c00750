/* SPDX-License-Identifier: GPL-2.0 */
/* From what the user names to places in kernel text. */
#ifndef KVIEW_MODULE_PLACE_H
#define KVIEW_MODULE_PLACE_H

#include <linux/types.h>

struct kview_set_create;
struct kview_site_result;
struct module;
struct trace_event_call;
struct tracepoint;

/* Where sites are wanted. */
struct kview_place {
	unsigned long ip;		/* a function's ftrace location, or 0 */
	struct tracepoint *tp;		/* or a tracepoint */
	struct trace_event_call *call;	/* the event on it, or NULL */
	u32 idx;			/* as the user gave it */
};

/* Those of one request, in the user's order, and what became of each that was asked for. */
struct kview_places {
	struct kview_place *place;
	struct kview_site_result *result;	/* or NULL: nobody wants to know */
	struct module **owner;		/* held, by @idx; or NULL: none is a module's */
	u32 n;
	u32 count;			/* elements of @result and @owner */
};

/*
 * Where a hook at a function's entry goes; 0: nowhere.  @addr: the function's, or that place
 * itself.  Any context but NMI, no lock.
 */
unsigned long kview_entry_ip(unsigned long addr);

/* The rest is current's request: they sleep, and no lock may be held. */

/*
 * Fills @places with what the request names; to be freed on error, too.  Errors are
 * KVIEW_SET_CREATE's in uapi/kview.h; arg->bad is the one it was about, or ~0.
 */
int kview_places_from_user(struct kview_set_create *arg, struct kview_places *places);

/*
 * After kview_policy_set_create() failed with @error, about arg->bad: leaves that place out.
 * False: that was not asked for, or nothing would be left, and the request has failed.
 */
bool kview_places_skip(struct kview_set_create *arg, struct kview_places *places, int error);

/* Tells the caller what became of each, where he asked.  -EFAULT. */
int kview_places_report(const struct kview_set_create *arg, struct kview_places *places);

/* Frees what it points to; also of all zero. */
void kview_places_free(struct kview_places *places);

#endif
