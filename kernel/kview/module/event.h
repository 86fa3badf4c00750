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

/* What an eBPF program of the type tracepoint gets. */
struct kview_record {
	void *data;
	int rctx;			/* perf's recursion context, held meanwhile */
	struct {
		struct pt_regs *regs;
		u64 nr;			/* written and read as 4 bytes, or as 8 */
		u64 arg[6];
	} syscall;
};

/*
 * Makes perf keep its buffers for records: once for each set of the kind EVENT, before it is made,
 * and given back when no hook runs its eBPF programs any more.  Without kview_lock; both can wait for
 * perf.  -ENOMEM or perf's errors: there is nothing to give back.
 */
int kview_buffers_get(void);
void kview_buffers_put(void);

/*
 * Finds an event of the kernel's own, SYSTEM:EVENT; writes to @name.  Fills @call and @tp of the
 * place.  -ENOENT: there is none; -EADDRNOTAVAIL: it is a module's, or none that the hook can
 * record.  Sleeps.
 */
int kview_event_find(char *name, struct kview_place *place);

/*
 * One event for each of the set's sites, in the order of @place: the set's until
 * kview_events_free(), which is for when no hook leads to them any more, and does nothing for sets
 * that have none.  Both under kview_lock.  -ENOMEM: nothing is changed.
 */
int kview_events_create(struct kview_set *set, const struct kview_place *place);
void kview_events_free(struct kview_set *set);

/* Gives a site of such a set its event, before a hook can find it. */
void kview_event_use(struct kview_site *site);

/*
 * How many bytes of its context an eBPF program may read: those that all of the set's events
 * have.
 */
u32 kview_events_context(const struct kview_set *set);

/* SYSTEM:EVENT of the @i-th site of such a set, whose file the caller holds; no lock. */
void kview_event_name(const struct kview_set *set, u32 i, char *name, size_t size);

/*
 * The rest is for the hook.  @regs: as at the tracepoint's call.  Is it the event?  The second
 * counts it, too, where the hook has not.
 */
bool kview_event_is(const struct kview_event *event, struct pt_regs *regs);
bool kview_event_occurs(const struct kview_event *event, struct pt_regs *regs);

/*
 * Makes the record: it is at @data until kview_record_end(), on the same CPU.  With preemption off
 * and bpf_prog_active held in between.  False: perf's buffer is in use in this context; then there
 * is nothing to end: no eBPF program sees the call, which has been counted as a hit, and the caller
 * counts the loss.
 */
bool kview_record_begin(struct kview_record *r, const struct kview_site *site,
			struct pt_regs *regs);
void kview_record_end(struct kview_record *r);

#endif
