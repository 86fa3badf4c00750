/* SPDX-License-Identifier: GPL-2.0 */
/* Places on stacks where a call has returned that its own thread's frames don't know of, see strays.bpf.h. */
#ifndef KVIEW_STRAY_PLACES_BPF_H
#define KVIEW_STRAY_PLACES_BPF_H

#define STRAYS		16384
#define STRAY_BITS	4096		/* a power of two */
#define STRAY_WORDS	(STRAY_BITS / 64)

/* In tid: the state of the thread that returned could not be had, see busy.bpf.h. */
#define STRAY_UNSEEN	0

struct stray_place {
	u64 sp;
	u32 tgid;			/* each process has stacks of its own */
	u32 zero;
};

struct stray {
	u64 at_ns;
	u32 tid;
	u32 reserved;
};

/* One thread at a time is at a place, so that nobody else writes its value. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, STRAYS);
	__type(key, struct stray_place);
	__type(value, struct stray);
} strays SEC(".maps");

/* A bit for the hash of each place that is in the map; all of them, once one found no room. */
__u64 stray_bits[STRAY_WORDS];
/* When the last one found no room: older frames of places that are not in the map may be dead. */
__u64 stray_lost_ns;
/* When the process executed a program, and the state of the thread that did could not be had. */
__u64 exec_unseen_ns;

static __always_inline u32 stray__bit(u64 sp)
{
	return sp * 0x9e3779b97f4a7c15ULL >> 52;
}

static __always_inline void stray__note(u64 sp, u32 tid)
{
	struct stray stray = { .at_ns = bpf_ktime_get_ns(), .tid = tid };
	struct stray_place place = { .sp = sp, .tgid = bpf_get_current_pid_tgid() >> 32 };
	u32 bit = stray__bit(sp), i;

	/* There calls end on the thread that they began on. */
	if (calls_are_pairs || (one_stack && tid != STRAY_UNSEEN))
		return;
	if (!bpf_map_update_elem(&strays, &place, &stray, BPF_ANY)) {
		__sync_fetch_and_or(&stray_bits[BOUND(bit / 64, STRAY_WORDS - 1)], 1ULL << bit % 64);
		return;
	}
	WRITE_ONCE(stray_lost_ns, stray.at_ns);
#pragma clang loop unroll(disable)
	for (i = 0; i < STRAY_WORDS; i++)
		WRITE_ONCE(stray_bits[BOUND(i, STRAY_WORDS - 1)], ~0ULL);
}

/* Whether the call of a frame that is dead was seen to end by nobody, as its thread's state could not be had. */
static __noinline bool frame__ended_unseen(const struct frame *f, u32 tgid)
{
	struct stray_place place = { .sp = f->sp, .tgid = tgid };
	const struct stray *stray;

	if (!states__can_be_busy())
		return false;
	stray = bpf_map_lookup_elem(&strays, &place);
	return stray && stray->tid == STRAY_UNSEEN && f->begin_ns < stray->at_ns;
}

/* The same of one that the thread was in when it executed another program. */
static __always_inline bool frame__is_of_unseen_exec(const struct frame *f)
{
	return states__can_be_busy() && f->begin_ns < READ_ONCE(exec_unseen_ns);
}

#endif
