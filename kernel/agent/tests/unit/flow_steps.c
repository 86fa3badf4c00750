// SPDX-License-Identifier: GPL-2.0
/* From the words of a call to its steps: nested, whatever was not seen. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "flow/calls.h"
#include "flow/steps.h"

#define WORD(kind, function, depth, ns) \
	((__u64)FLOW_KIND_##kind << FLOW_KIND_SHIFT | (__u64)(function) << FLOW_FUNCTION_SHIFT | \
	 (__u64)(depth) << FLOW_DEPTH_SHIFT | (ns))
#define NUMBER(kind, ns)	((__u64)FLOW_KIND_##kind << FLOW_KIND_SHIFT | (ns))
#define COUNT(words)		(sizeof(words) / sizeof(*(words)))

/* "+1 +2 ~2 out in -1", with what comes behind of a wait. */
static const char *told(const __u64 *words, size_t nr, bool is_cut, uint64_t *missed)
{
	static char text[1024];
	struct flow_steps steps;
	size_t i, at = 0;

	*text = 0;
	if (flow_steps__read(&steps, words, nr, is_cut))
		return "no memory";
	for (i = 0; i < steps.nr; i++) {
		const struct flow_step *step = &steps.all[i];
		unsigned long long after = step->after_ns, queue = step->queue_ns;

		if (step->kind == FLOW_KIND_ENTER || step->kind == FLOW_KIND_LEAVE || step->kind == FLOW_KIND_GONE)
			at += snprintf(text + at, sizeof(text) - at, "%s%c%u", at ? " " : "",
				       step->kind == FLOW_KIND_ENTER ? '+' : step->kind == FLOW_KIND_LEAVE ? '-' : '~',
				       step->function);
		else if (step->kind == FLOW_KIND_OUT)
			at += snprintf(text + at, sizeof(text) - at, " out(%u)", step->cause);
		else
			at += snprintf(text + at, sizeof(text) - at, " in(%llu,%llu)", after, queue);
	}
	*missed = steps.missed_returns;
	flow_steps__free(&steps);
	return text;
}

static void is(const char *name, const __u64 *words, size_t nr, bool is_cut, const char *expected, uint64_t expected_missed)
{
	uint64_t missed = 0;
	const char *text = told(words, nr, is_cut, &missed);
	bool good = !strcmp(text, expected) && missed == expected_missed;

	if (!good)
		printf("# %s\n", text);
	check(good, name, missed);
}

static void waits(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 20, 5), WORD(OUT, 7, 0, 1), NUMBER(LATER, 3ULL << 32),
		WORD(IN, 0, 0, 9), NUMBER(QUEUE, 123), WORD(LEAVE, 2, 20, 1), WORD(LEAVE, 1, 10, 1),
	};

	is("a wait that takes longer than a word holds", words, COUNT(words), false, "+1 +2 out(7) in(12884901897,123) -2 -1", 0);
}

static void unseen_returns(void)
{
	const __u64 sibling[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 20, 1), WORD(ENTER, 3, 30, 1), WORD(ENTER, 4, 20, 1),
		WORD(LEAVE, 4, 20, 1), WORD(LEAVE, 1, 10, 1),
	};
	const __u64 by_caller[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 20, 1), WORD(ENTER, 3, 30, 1), WORD(LEAVE, 1, 10, 1),
	};

	is("functions that were not seen to return, as the next one begins", sibling, COUNT(sibling), false,
	   "+1 +2 +3 ~3 ~2 +4 -4 -1", 2);
	is("the same, as their caller returns", by_caller, COUNT(by_caller), false, "+1 +2 +3 ~3 ~2 -1", 2);
}

static void jumps(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 10, 1), WORD(ENTER, 3, 20, 1), WORD(LEAVE, 3, 20, 1),
		WORD(LEAVE, 2, 10, 1), WORD(LEAVE, 1, 10, 1),
	};
	const __u64 same_place[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 20, 1), WORD(ENTER, 3, 20, 1), WORD(LEAVE, 3, 20, 1),
		WORD(LEAVE, 1, 10, 1),
	};

	is("one that another one jumps to is called by it", words, COUNT(words), false, "+1 +2 +3 -3 -2 -1", 0);
	is("where that one's end does not come it was over", same_place, COUNT(same_place), false, "+1 +2 ~2 +3 -3 -1", 1);
}

static void recursion(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 1, 20, 1), WORD(ENTER, 1, 30, 1), WORD(LEAVE, 1, 20, 1),
		WORD(LEAVE, 1, 10, 1),
	};

	is("of a recursion the one that returned", words, COUNT(words), false, "+1 +1 +1 ~1 -1 -1", 1);
}

static void strays(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(LEAVE, 5, 30, 4), WORD(LEAVE, 2, 10, 4), WORD(LEAVE, 1, 10, 1), NUMBER(QUEUE, 1),
	};
	const __u64 behind[] = { NUMBER(QUEUE, 1), NUMBER(LATER, 1) };

	is("returns of what was not entered are nothing", words, COUNT(words), false, "+1 -1", 0);
	is("nor are numbers without a step", behind, COUNT(behind), false, "", 0);
	is("nor no words", behind, 0, false, "", 0);
}

static void cut(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(ENTER, 2, 10, 1), WORD(ENTER, 3, 20, 1), WORD(ENTER, 4, 30, 1),
		WORD(LEAVE, 4, 30, 1), WORD(ENTER, 5, 20, 1),
	};

	is("what is open where words are missing may have gone on", words, COUNT(words), true, "+1 +2 +3 +4 -4 +5", 0);
	is("the same without any missing", words, COUNT(words), false, "+1 ~1 +2 +3 +4 -4 ~3 +5 ~5 ~2", 4);
}

static void times(void)
{
	const __u64 words[] = {
		WORD(ENTER, 1, 10, 0), WORD(LEAVE, 9, 50, 30), WORD(ENTER, 2, 20, 12), WORD(LEAVE, 1, 10, 100),
	};
	struct flow_steps steps;
	uint64_t sum = 0;
	size_t i;

	if (flow_steps__read(&steps, words, COUNT(words), false))
		return check(false, "steps are read", 0);
	for (i = 0; i < steps.nr; i++)
		sum += steps.all[i].after_ns;
	check(sum == 142 && steps.all[1].after_ns == 42, "the time of what is not told is in the step after it", sum);
	flow_steps__free(&steps);
}

/* The programs look whether calls are followed still, and take the time after that. */
static void ends(void)
{
	static const struct flow_buffer first = { .begin_ns = 100, .wall_ns = 50 }, second = { .begin_ns = 130, .wall_ns = 71 };
	const struct flow_buffer *const calls[] = { &first, &second };
	uint64_t end_ns = flow_calls__end_ns(calls, 2, 200);

	check(end_ns == 201, "a call that ends behind the end is within it", end_ns);
	end_ns = flow_calls__end_ns(calls, 2, 202);
	check(end_ns == 202, "one that ends before does not make it earlier", end_ns);
}

int main(void)
{
	waits();
	unseen_returns();
	jumps();
	recursion();
	strays();
	cut();
	times();
	ends();
	return failed;
}
