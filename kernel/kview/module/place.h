/* SPDX-License-Identifier: GPL-2.0 */
/* From what the user names to places in kernel text. */
#ifndef KVIEW_MODULE_PLACE_H
#define KVIEW_MODULE_PLACE_H

#include <linux/types.h>

struct kview_set_create;
struct trace_event_call;
struct tracepoint;

/* Where sites are wanted. */
struct kview_place {
	unsigned long ip;		/* a function's ftrace location, or 0 */
	struct tracepoint *tp;		/* or a tracepoint */
	struct trace_event_call *call;	/* the event on it, or NULL */
	u32 idx;			/* as the user gave it */
};

unsigned long kview_entry_ip(unsigned long addr);
int kview_places_from_user(struct kview_set_create *arg, struct kview_place **places, u32 *n);

#endif
