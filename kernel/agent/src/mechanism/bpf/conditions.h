/* SPDX-License-Identifier: GPL-2.0 */
/* Which calls are measured: what eBPF programs and the agent share. */
#ifndef KVIEW_CONDITIONS_LAYOUT_H
#define KVIEW_CONDITIONS_LAYOUT_H

#define XP_TESTS	32	/* of a condition; a power of two */
#define XP_ARGUMENTS	6

/* What comes next: the number of a test, or one of these. */
#define XP_MATCHES	XP_TESTS
#define XP_DIFFERS	(XP_TESTS + 1)

/* What a test looks at. */
enum xp_value {
	XP_VALUE_ARGUMENT,	/* and the five that follow */
	XP_VALUE_RETURNED = XP_ARGUMENTS,
	XP_VALUE_TID,
	XP_VALUES,
	XP_VALUE_NAME = XP_VALUES	/* of the thread; in no struct xp_values */
};

enum xp_comparison { XP_EQUAL, XP_DIFFERENT, XP_LESS, XP_LESS_OR_EQUAL, XP_GREATER, XP_GREATER_OR_EQUAL };

/* value & mask is compared, as a number of 64 bits to which the lowest ones of a register were extended. */
struct xp_test {
	__u8 value;		/* enum xp_value */
	__u8 comparison;	/* enum xp_comparison */
	__u8 shift;		/* how many of the upper bits are none of the value's */
	__u8 is_signed;
	__u8 is_int;		/* where the upper half is 0, the lower one is signed */
	__u8 if_true, if_false;	/* what comes next */
	__u8 reserved;
	__u64 mask;
	__u64 with[2];		/* the second one of a name alone */
};

struct xp_condition {
	__u8 nr;		/* 0: all calls match */
	__u8 at_end;		/* some test needs what the call returns */
	__u8 matches_all;	/* calibration's: whatever its tests find */
	__u8 reserved[5];
	struct xp_test tests[XP_TESTS];
};

#endif
