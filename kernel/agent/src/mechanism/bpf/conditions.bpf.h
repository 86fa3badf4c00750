/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls are measured.  A condition is a walk from test to test that only goes on: so it ends, and the verifier
 * finds the same state before each test.
 */
#ifndef KVIEW_CONDITIONS_BPF_H
#define KVIEW_CONDITIONS_BPF_H

#include "mechanism/bpf/conditions.h"

/* Set before load: the verifier leaves out what is for conditions where no function has one. */
volatile const bool has_conditions;

/* By function. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_condition);
} conditions SEC(".maps");

struct xp_values {
	u64 of[XP_VALUES];
};

static __always_inline bool name__is(const struct xp_test *test)
{
	u64 name[2] = { 0 };

	bpf_get_current_comm(name, sizeof(name));
	return name[0] == test->with[0] && name[1] == test->with[1];
}

/* What a register's lowest bits are as a number of 64 bits. */
static __always_inline u64 number__of(u64 number, u32 shift, bool is_signed, bool is_int, u64 mask)
{
	number <<= shift & 63;
	if (is_signed)
		number = (s64)number >> (shift & 63);
	else
		number >>= shift & 63;
	if (is_int && !(number >> 32))
		number = (s64)(s32)number;
	return number & mask;
}

static __always_inline bool number__meets(const struct xp_test *test, u64 number)
{
	u64 sign = 0, with = test->with[0];

	number = number__of(number, test->shift, test->is_signed, test->is_int, test->mask);
	/* With the sign turned round, signed numbers have the order of others. */
	if (test->is_signed)
		sign = 1ULL << 63;
	number ^= sign;
	with ^= sign;
	switch (test->comparison) {
	case XP_EQUAL: return number == with;
	case XP_DIFFERENT: return number != with;
	case XP_LESS: return number < with;
	case XP_LESS_OR_EQUAL: return number <= with;
	case XP_GREATER: return number > with;
	default: return number >= with;
	}
}

/* From its first test: where it ends, XP_MATCHES, XP_DIFFERS, or the test that needs what the call will return. */
__noinline int condition__walk(const struct xp_condition *condition, const struct xp_values *values)
{
	const struct xp_test *test;
	u32 at = 0;
	bool holds;
	int i;

	if (!condition || !values)
		return XP_DIFFERS;
	for (i = 0; i < XP_TESTS && at < XP_TESTS; i++) {
		test = &condition->tests[BOUND(at, XP_TESTS - 1)];
		if (test->value == XP_VALUE_RETURNED)
			break;
		if (test->value == XP_VALUE_NAME)
			holds = name__is(test) == (test->comparison == XP_EQUAL);
		else
			holds = number__meets(test, values->of[BOUND(test->value, XP_VALUES - 1)]);
		at = holds ? test->if_true : test->if_false;
	}
	return at;
}

static __always_inline const struct xp_condition *condition__of(u32 function)
{
	const struct xp_condition *condition = bpf_map_lookup_elem(&conditions, &function);

	return condition && condition->nr ? condition : NULL;
}

/* Of a call that begins with these arguments. */
static __always_inline u32 condition__at_entry_of(u32 function, struct xp_values *values)
{
	const struct xp_condition *condition = condition__of(function);

	if (!condition)
		return XP_MATCHES;
	values->of[XP_VALUE_TID] = (u32)bpf_get_current_pid_tgid();
	return condition__walk(condition, values);
}

/* A call that can't be followed from its entry on, where its condition goes on at this test: one that it is not true of is no loss. */
static __always_inline void calls__lose_at_entry(u32 function, u32 test, u32 way)
{
	calls__lose(function, has_conditions && test == XP_DIFFERS ? XP_LOST_UNMATCHED : way);
}

/* Of one that returned something, from where it was left undecided: no other values are asked for from there on. */
__noinline int condition__at_return(__u32 function, __u32 at, __u64 returned)
{
	const struct xp_condition *condition;
	const struct xp_test *test;
	int i;

	condition = has_conditions ? condition__of(function) : NULL;
	if (!condition)
		return true;
	for (i = 0; i < XP_TESTS && at < XP_TESTS; i++) {
		test = &condition->tests[BOUND(at, XP_TESTS - 1)];
		at = number__meets(test, returned) ? test->if_true : test->if_false;
	}
	return at == XP_MATCHES;
}

/* Whether it need not be known what a call returned: calibration's calls match all. */
__noinline int condition__ignores_result(__u32 function)
{
	const struct xp_condition *condition = has_conditions ? condition__of(function) : NULL;

	return condition && condition->matches_all;
}

#endif
