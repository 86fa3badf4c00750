/* SPDX-License-Identifier: GPL-2.0 */
/* From what the user names to places in kernel text. */
#ifndef KVIEW_MODULE_PLACE_H
#define KVIEW_MODULE_PLACE_H

#include <linux/types.h>

struct kview_set_create;
struct kview_site_result;
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
	u32 n;
};

unsigned long kview_entry_ip(unsigned long addr);
int kview_places_from_user(struct kview_set_create *arg, struct kview_places *places);
bool kview_places_skip(struct kview_set_create *arg, struct kview_places *places, int error);
int kview_places_report(const struct kview_set_create *arg, struct kview_places *places);
void kview_places_free(struct kview_places *places);

#endif
