/* SPDX-License-Identifier: GPL-2.0 */
/* Trace events: tracepoints with records. */
#ifndef KVIEW_MODULE_EVENT_H
#define KVIEW_MODULE_EVENT_H

#include <linux/types.h>

struct kview_event;
struct kview_place;
struct kview_set;
struct kview_site;
struct pt_regs;

/* What a program of the type tracepoint gets. */
struct kview_record {
	void *data;
	int rctx;			/* perf's recursion context, held meanwhile */
	struct {
		struct pt_regs *regs;
		u64 nr;			/* written and read as 4 bytes, or as 8 */
		u64 arg[6];
	} syscall;
};

int kview_buffers_get(void);
void kview_buffers_put(void);
int kview_event_find(char *name, struct kview_place *place);
int kview_events_create(struct kview_set *set, const struct kview_place *place);
void kview_events_free(struct kview_set *set);
void kview_event_use(struct kview_site *site);
u32 kview_events_context(const struct kview_set *set);
bool kview_event_is(const struct kview_event *event, struct pt_regs *regs);
bool kview_event_occurs(const struct kview_event *event, struct pt_regs *regs);
bool kview_record_begin(struct kview_record *r, const struct kview_site *site,
			struct pt_regs *regs);
void kview_record_end(struct kview_record *r);

#endif
