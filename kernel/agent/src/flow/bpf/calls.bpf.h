/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that are under way, by thread, the buffers that they are written into, and the slowest that are kept. */
#ifndef KVIEW_FLOW_CALLS_BPF_H
#define KVIEW_FLOW_CALLS_BPF_H

/* So often an exchange is tried that others come before: while one fails another one has succeeded. */
#define TRIES	32

/* A thread's place is one of those of its bucket; 0: nobody's. */
__u32 tids[FLOW_PLACES];
struct flow_open opens[FLOW_PLACES];

struct flow_counts counts;

/* How many calls are kept; set before load. */
volatile const __u32 nr_kept = 5;
/* Each the wall time, and below FLOW_BUFFER_BITS its buffer and 1; 0: none yet. */
__u64 kept[FLOW_MOST_KEPT];
/* What is not above this is not among the slowest. */
__u64 least_kept;

/* Buffers that nobody has, a list: 1 and the first of them; above 32 bits a number that no two lists have in common. */
__u64 first_free;
/* By buffer, 1 and the next one. */
__u32 next_free[FLOW_MOST_BUFFERS];

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct flow_buffer);
} buffers SEC(".maps");

static __always_inline struct flow_buffer *buffer__of(const struct flow_open *open)
{
	u32 nr = open->buffer;

	return bpf_map_lookup_elem(&buffers, &nr);
}

/* 1 and the buffer, or 0: there is none. */
static __always_inline u32 buffer__take(void)
{
	u64 first, next;
	u32 nr;
	int i;

#pragma clang loop unroll(disable)
	for (i = 0; i < TRIES; i++) {
		first = READ_ONCE(first_free);
		nr = first;
		if (!nr)
			return 0;
		next = READ_ONCE(next_free[BOUND(nr - 1, FLOW_MOST_BUFFERS - 1)]);
		next |= ((first >> 32) + 1) << 32;
		if (__sync_val_compare_and_swap(&first_free, first, next) == first)
			return nr;
	}
	return 0;
}

static __always_inline void buffer__give_back(u32 nr)
{
	u64 first, next;
	int i;

	nr = BOUND(nr, FLOW_MOST_BUFFERS - 1);
#pragma clang loop unroll(disable)
	for (i = 0; i < TRIES; i++) {
		first = READ_ONCE(first_free);
		WRITE_ONCE(next_free[nr], (u32)first);
		next = (nr + 1) | ((first >> 32) + 1) << 32;
		if (__sync_val_compare_and_swap(&first_free, first, next) == first)
			return;
	}
}

/* Global, so that the verifier looks at it once.  Fills least and returns its index. */
__noinline int kept__least(__u64 *least)
{
	int i, at = 0;

	if (!least)
		return 0;
	*least = ~0ULL;
#pragma clang loop unroll(disable)
	for (i = 0; i < FLOW_MOST_KEPT; i++) {
		u64 is;

		if (i >= nr_kept)
			break;
		is = READ_ONCE(kept[i]);
		if (is < *least) {
			*least = is;
			at = i;
		}
	}
	return at;
}

/* The call's buffer is kept, or given back. */
static __always_inline void call__keep(u32 buffer, u64 wall_ns)
{
	u64 mine = wall_ns << FLOW_BUFFER_BITS | (buffer + 1), least = 0;
	u32 at;
	int i;

	if (mine <= READ_ONCE(least_kept)) {
		buffer__give_back(buffer);
		return;
	}
#pragma clang loop unroll(disable)
	for (i = 0; i < TRIES; i++) {
		at = kept__least(&least);
		if (mine <= least) {
			buffer__give_back(buffer);
			return;
		}
		if (at >= FLOW_MOST_KEPT)
			break;
		/* All of them only grow: if it is still the same, it is still the least. */
		if (__sync_val_compare_and_swap(&kept[at], least, mine) != least)
			continue;
		/* It only grows: one that is read late lets a call come here in vain. */
		if (least) {
			WRITE_ONCE(least_kept, least);
			buffer__give_back((least & ((1 << FLOW_BUFFER_BITS) - 1)) - 1);
		}
		return;
	}
	__sync_fetch_and_add(&counts.lost, 1);
	buffer__give_back(buffer);
}

static __always_inline u32 bucket__of(u32 tid)
{
	return (tid * 0x9e3779b1U >> 16 & (FLOW_BUCKETS - 1)) * FLOW_WAYS;
}

/* NULL: the thread is in no call. */
static __always_inline struct flow_open *open__find(u32 tid)
{
	u32 first = bucket__of(tid), at;
	int i;

#pragma clang loop unroll(full)
	for (i = 0; i < FLOW_WAYS; i++) {
		at = BOUND(first + i, FLOW_PLACES - 1);
		if (READ_ONCE(tids[at]) == tid)
			return &opens[at];
	}
	return NULL;
}

/* A place and a buffer for a thread that has none; NULL: there is none. */
static __always_inline struct flow_open *open__claim(u32 tid)
{
	u32 first = bucket__of(tid), buffer = buffer__take(), at;
	int i;

	if (!buffer)
		return NULL;
#pragma clang loop unroll(full)
	for (i = 0; i < FLOW_WAYS; i++) {
		at = BOUND(first + i, FLOW_PLACES - 1);
		if (!__sync_val_compare_and_swap(&tids[at], 0, tid)) {
			opens[at].buffer = buffer - 1;
			opens[at].place = at;
			return &opens[at];
		}
	}
	buffer__give_back(buffer - 1);
	return NULL;
}

static __always_inline void open__release(struct flow_open *open)
{
	WRITE_ONCE(tids[BOUND(open->place, FLOW_PLACES - 1)], 0);
}

#endif
