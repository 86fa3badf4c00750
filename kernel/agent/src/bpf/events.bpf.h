/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-call and scheduling events.  A record is reserved before its time is taken, see
 * struct xp_event.  What finds no room is counted, by CPU.
 *
 * Each record is compared with NULL in one place alone, when it is filled: the verifier of
 * Linux 6.1 forgets between two places that it is there, and finds it lost.
 */
#ifndef KVIEW_EVENTS_BPF_H
#define KVIEW_EVENTS_BPF_H

/* One wake-up of the agent for each time that the ring fills to here. */
volatile const __u64 wake_bytes = 1 << 20;

__u64 events_dropped[XP_MAX_CPUS];

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

static __always_inline void *event__reserve(u64 size, u64 *reserved_ns)
{
	*reserved_ns = bpf_ktime_get_ns();
	return bpf_ringbuf_reserve(&ring, size, 0);
}

/* To be called where nothing was reserved. */
static __always_inline void event__lost(void)
{
	if (with_events)
		__sync_fetch_and_add(&events_dropped[this_cpu()], 1);
}

static __always_inline void event__head(struct xp_event *event, u64 reserved_ns, u8 type, u32 tid,
					u32 cpu, u64 now)
{
	event->reserved_ns = reserved_ns;
	event->time_ns = now;
	event->tid = tid;
	event->cpu = cpu;
	event->type = type;
	event->cause = 0;
}

static __always_inline void event__submit(void *event)
{
	u64 waiting = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);

	/* Not at every event above it: a consumer that stalls would cost an interrupt each. */
	bpf_ringbuf_submit(event, waiting >= wake_bytes && waiting < wake_bytes + 4096 ?
			   BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
}

#endif
