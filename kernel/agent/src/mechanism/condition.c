// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "mechanism/condition.h"

#define NAME_BYTES	(sizeof(((struct xp_test *)0)->with) - 1)

static int damaged(struct error *error, const char *what)
{
	return error__set(error, ERR_BAD_REQUEST,
			  "A condition %s: use the client that came with the agent.", what);
}

static int value__read(const Kview__Wire__ConditionTest *message, struct xp_test *test, struct error *error)
{
	switch (message->field) {
	case KVIEW__WIRE__CONDITION_TEST__FIELD__ARGUMENT:
		if (message->argument >= XP_ARGUMENTS)
			return damaged(error, "tests an argument that is in no register");
		test->value = XP_VALUE_ARGUMENT + message->argument;
		return 0;
	case KVIEW__WIRE__CONDITION_TEST__FIELD__RETURNED:
		test->value = XP_VALUE_RETURNED;
		return 0;
	case KVIEW__WIRE__CONDITION_TEST__FIELD__TID:
		test->value = XP_VALUE_TID;
		return 0;
	case KVIEW__WIRE__CONDITION_TEST__FIELD__THREAD_NAME:
		test->value = XP_VALUE_NAME;
		return 0;
	default:
		return damaged(error, "tests what this agent does not know");
	}
}

static int name__read(const Kview__Wire__ConditionTest *message, struct xp_test *test, struct error *error)
{
	size_t length = strlen(message->thread_name);

	if (length > NAME_BYTES)
		return error__set(error, ERR_BAD_REQUEST,
				  "A condition asks for a thread's name of %zu bytes, and the kernel keeps %zu: shorten it.",
				  length, NAME_BYTES);
	if (test->comparison != XP_EQUAL && test->comparison != XP_DIFFERENT)
		return damaged(error, "compares a thread's name by order");
	memcpy(test->with, message->thread_name, length);
	return 0;
}

static int number__read(const Kview__Wire__ConditionTest *message, struct xp_test *test, struct error *error)
{
	if (message->bits != 8 && message->bits != 16 && message->bits != 32 && message->bits != 64)
		return damaged(error, "compares a number of a size that there is not");
	if (message->sign > KVIEW__WIRE__CONDITION_TEST__SIGN__SIGNED_INT)
		return damaged(error, "compares a number with a sign that this agent does not know");
	test->shift = 64 - message->bits;
	test->is_signed = message->sign != KVIEW__WIRE__CONDITION_TEST__SIGN__UNSIGNED;
	test->is_int = message->sign == KVIEW__WIRE__CONDITION_TEST__SIGN__SIGNED_INT;
	test->mask = message->mask;
	test->with[0] = message->value;
	return 0;
}

int condition__read_value(const Kview__Wire__ConditionTest *message, struct xp_test *test, struct error *error)
{
	return value__read(message, test, error) || (test->value != XP_VALUE_NAME && number__read(message, test, error)) ? -1 : 0;
}

/* Only on, so that it ends. */
static int next__read(uint32_t next, size_t own, size_t nr, uint8_t *to, struct error *error)
{
	if (next != XP_MATCHES && next != XP_DIFFERS && (next <= own || next >= nr))
		return damaged(error, "does not go on from test to test");
	*to = next;
	return 0;
}

static int test__read(const Kview__Wire__ConditionTest *message, size_t own, size_t nr, struct xp_test *test,
		      struct error *error)
{
	if (message->comparison < KVIEW__WIRE__CONDITION_TEST__COMPARISON__EQUAL ||
	    message->comparison > KVIEW__WIRE__CONDITION_TEST__COMPARISON__GREATER_OR_EQUAL)
		return damaged(error, "compares in a way that this agent does not know");
	test->comparison = message->comparison - KVIEW__WIRE__CONDITION_TEST__COMPARISON__EQUAL;
	return value__read(message, test, error) ||
	       (test->value == XP_VALUE_NAME ? name__read(message, test, error) : number__read(message, test, error)) ||
	       next__read(message->if_true, own, nr, &test->if_true, error) ||
	       next__read(message->if_false, own, nr, &test->if_false, error) ? -1 : 0;
}

int condition__read(const Kview__Wire__Condition *message, struct xp_condition *condition, struct error *error)
{
	size_t i;

	*condition = (struct xp_condition){ .nr = message->n_tests };
	if (!message->n_tests || message->n_tests > XP_TESTS)
		return error__set(error, ERR_BAD_REQUEST, "A condition has %zu tests, and 1 to %d are possible: shorten it.",
				  message->n_tests, XP_TESTS);
	for (i = 0; i < message->n_tests; i++) {
		struct xp_test *test = &condition->tests[i];

		if (test__read(message->tests[i], i, message->n_tests, test, error))
			return -1;
		/* What comes behind would be asked at the end, when the arguments are gone. */
		if (condition->at_end && test->value != XP_VALUE_RETURNED)
			return damaged(error, "tests what a call begins with behind what it returns");
		condition->at_end |= test->value == XP_VALUE_RETURNED;
	}
	return 0;
}

int conditions__read(const Kview__Wire__StartRecordingRequest *request, const char *const *names, struct xp_condition **all,
		     struct error *error)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++) {
		if (!request->probes[i]->condition)
			continue;
		if (!*all)
			*all = calloc(request->n_probes, sizeof(**all));
		if (!*all)
			return error__set(error, ERR_FAILED, "Out of memory.");
		if (condition__read(request->probes[i]->condition, &(*all)[i], error))
			return -1;
		if ((*all)[i].at_end && request->events)
			return error__set(error, ERR_UNSUPPORTED,
					  "What a call of %.200s returns is known at its end, when the event of its beginning is written: record conditions on it without events.",
					  names[i]);
	}
	return 0;
}

int conditions__tell(const struct xp_condition *all, size_t nr, struct bpf_map *map, struct error *error)
{
	uint32_t i;

	for (i = 0; all && i < nr; i++)
		if (all[i].nr && bpf_map__update_elem(map, &i, sizeof(i), &all[i], sizeof(all[i]), BPF_ANY))
			return error__set(error, ERR_FAILED, "A condition could not be told to the kernel: %s.", strerror(errno));
	return 0;
}

bool condition__reads_arguments(const struct xp_condition *condition)
{
	size_t i;

	for (i = 0; i < condition->nr; i++)
		if (condition->tests[i].value < XP_VALUE_ARGUMENT + XP_ARGUMENTS)
			return true;
	return false;
}

/* Those of the beginning come first. */
static uint8_t condition__of_entry(const struct xp_condition *condition)
{
	uint8_t nr = 0;

	while (nr < condition->nr && condition->tests[nr].value != XP_VALUE_RETURNED)
		nr++;
	return nr;
}

struct xp_condition condition__dearest(const struct xp_condition *all, size_t nr, bool matches)
{
	struct xp_condition dearest = { .nr = 0 };
	size_t i;

	for (i = 0; i < nr; i++)
		if (all[i].nr > dearest.nr || (all[i].at_end && !dearest.at_end))
			dearest = all[i];
	if (!matches) {
		/* A test is needed: one that a single test of what calls return is as dear as. */
		dearest.nr = condition__of_entry(&dearest) ?: 1;
		if (dearest.tests[0].value == XP_VALUE_RETURNED)
			dearest.tests[0].value = XP_VALUE_ARGUMENT;
		dearest.at_end = false;
	}
	for (i = 0; i < dearest.nr; i++)
		dearest.tests[i].if_true = dearest.tests[i].if_false =
			i + 1 < dearest.nr ? i + 1 : matches ? XP_MATCHES : XP_DIFFERS;
	dearest.matches_all = matches;
	return dearest;
}
