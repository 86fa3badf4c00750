/* SPDX-License-Identifier: GPL-2.0 */
/* Figures of a function's calls by a value that they have: what eBPF programs and the agent share. */
#ifndef KVIEW_SPLITS_LAYOUT_H
#define KVIEW_SPLITS_LAYOUT_H

#include "mechanism/bpf/conditions.h"

/* So many values have figures of their own, those that come first, beside 0; a power of two. */
#define XP_SPLIT_VALUES	64

/* Whose figures these are: one of the table's values, or one of these. */
enum xp_split_slot {
	XP_SPLIT_ZERO = XP_SPLIT_VALUES,	/* in the table 0 is a free place */
	XP_SPLIT_OTHERS,		/* values for which no place is left */
	XP_SPLIT_UNKNOWN,		/* it went on where nobody saw what it returned */
	XP_SPLIT_SLOTS
};

/* Of a function. */
struct xp_split {
	__u8 is_there;		/* 0: its figures are not split, and nothing else is set */
	__u8 value;		/* enum xp_value: which is taken as struct xp_test has it */
	__u8 shift;
	__u8 is_signed;
	__u8 is_int;
	__u8 reserved[3];
	__u32 table;		/* the index of its struct xp_split_table */
	__u32 first;		/* the first of XP_SPLIT_SLOTS functions' places in the figures */
	__u64 mask;
};

/*
 * The values that have figures of their own: once written they stay.  A thread's name is the index of its first eight bytes in
 * heads and 1 in the uppermost byte, and the seven that can follow in the others.
 */
struct xp_split_table {
	__u64 values[XP_SPLIT_VALUES];
	__u64 heads[XP_SPLIT_VALUES];
};

#define XP_SPLIT_TAIL_BITS	56

#endif
