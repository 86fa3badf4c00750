/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Figures of a function's calls by a value.  Each value that has figures of its own is to these as a function; the
 * function itself has all calls as ever.
 */
#ifndef KVIEW_SPLITS_BPF_H
#define KVIEW_SPLITS_BPF_H

#include "mechanism/bpf/splits.h"

/* Set before load: the verifier leaves out what is for splits where no function has one. */
volatile const bool has_splits;

/* By function. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_split);
} splits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_split_table);
} split_tables SEC(".maps");

static __always_inline const struct xp_split *split__of(u32 function)
{
	const struct xp_split *split = has_splits ? bpf_map_lookup_elem(&splits, &function) : NULL;

	return split && split->is_there ? split : NULL;
}

/* What is kept of a call's arguments from its beginning on. */
static __always_inline u64 split__argument(u32 function, const struct xp_values *values)
{
	const struct xp_split *split = split__of(function);

	return split && split->value < XP_ARGUMENTS ? values->of[BOUND(split->value, XP_VALUES - 1)] : 0;
}

/* Its place in a table, where it stays, or -1: there is none left.  value: not 0. */
static __always_inline int place__of(u64 *table, u64 value)
{
	u32 at = value * 0x9e3779b97f4a7c15ULL >> 58;
	u64 there;
	int i;

	for (i = 0; i < XP_SPLIT_VALUES; i++) {
		at &= XP_SPLIT_VALUES - 1;
		there = READ_ONCE(table[at]);
		if (!there)
			there = __sync_val_compare_and_swap(&table[at], 0, value);
		if (!there || there == value)
			return at;
		at++;
	}
	return -1;
}

/* Global, so that the verifier goes through these loops once.  head: of a name, else 0. */
__noinline int split__place(struct xp_split_table *table, __u64 value, __u64 head)
{
	int at;

	if (!table)
		return XP_SPLIT_OTHERS;
	if (head) {
		at = place__of(table->heads, head);
		if (at < 0)
			return XP_SPLIT_OTHERS;
		value |= (u64)(at + 1) << XP_SPLIT_TAIL_BITS;
	}
	if (!value)
		return XP_SPLIT_ZERO;
	at = place__of(table->values, value);
	return at < 0 ? XP_SPLIT_OTHERS : at;
}

static __always_inline u32 split__slot(const struct xp_split *split, const struct frame *f, const struct ending *end)
{
	u64 value = 0, name[2] = { 0 };
	u32 table = split->table;

	switch (split->value) {
	case XP_VALUE_NAME:
		bpf_get_current_comm(name, sizeof(name));
		value = name[1];
		break;
	case XP_VALUE_TID:
		value = (u32)bpf_get_current_pid_tgid();
		break;
	case XP_VALUE_RETURNED:
		if (end->returns_unseen)
			return XP_SPLIT_UNKNOWN;
		value = number__of(end->returned, split->shift, split->is_signed, split->is_int, split->mask);
		break;
	default:
		value = number__of(f->argument, split->shift, split->is_signed, split->is_int, split->mask);
	}
	return split__place(bpf_map_lookup_elem(&split_tables, &table), value, name[0]);
}

/*
 * A call of a frame was measured: its times are its value's as well.  Global, and called beside what measures it: so their frames need
 * not fit the stack together.
 */
__noinline int split__count(struct thread *t, const struct frame *f, __u32 class)
{
	const struct xp_split *split;
	u32 place;

	if (!has_splits || !t || !f)
		return 0;
	split = split__of(f->function);
	if (!split)
		return 0;
	place = split->first + split__slot(split, f, &t->ending);
	times__add(&t->ending.times, t->ending.off_ns, place);
	cost__call(place, class, &t->ending.times);
	return 0;
}

#endif
