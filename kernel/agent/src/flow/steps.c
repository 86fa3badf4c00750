// SPDX-License-Identifier: GPL-2.0
#include "flow/steps.h"

#include <stdbool.h>
#include <stdlib.h>

/* A function that was entered, by the word that says so. */
struct entered {
	uint32_t function, depth;
	size_t word;
};

struct reader {
	struct flow_steps *steps;
	const __u64 *words;
	size_t nr;
	bool is_cut;
	size_t *ends;		/* by word: of ENTER, the word of its LEAVE, or NONE; of LEAVE, that it has an ENTER */
	struct entered *open;
	size_t depth;
	uint64_t ns;		/* since the last step */
};

#define NONE SIZE_MAX

static enum flow_kind kind__of(uint64_t word)
{
	return word >> FLOW_KIND_SHIFT;
}

static uint32_t function__of(uint64_t word)
{
	return word >> FLOW_FUNCTION_SHIFT & FLOW_FUNCTION_MASK;
}

static uint32_t depth__of(uint64_t word)
{
	return word >> FLOW_DEPTH_SHIFT & FLOW_DEPTH_MASK;
}

static void open__push(struct reader *r, size_t at)
{
	r->open[r->depth++] = (struct entered){ function__of(r->words[at]), depth__of(r->words[at]), at };
}

/*
 * Which LEAVE is of which ENTER: the innermost of that function at that place on the stack.  One that begins above
 * another on the stack shows that this has returned.  At the same place it may have been jumped to, as the last that
 * the other does: that one is left behind it then.
 */
static void reader__match(struct reader *r)
{
	size_t at, i;

	for (at = 0; at < r->nr; at++) {
		uint64_t word = r->words[at];

		r->ends[at] = NONE;
		if (kind__of(word) == FLOW_KIND_ENTER) {
			while (r->depth && r->open[r->depth - 1].depth > depth__of(word))
				r->depth--;
			open__push(r, at);
		} else if (kind__of(word) == FLOW_KIND_LEAVE) {
			for (i = r->depth; i-- > 0;)
				if (r->open[i].function == function__of(word) && r->open[i].depth == depth__of(word))
					break;
			if (i == NONE)
				continue;
			r->ends[r->open[i].word] = at;
			r->ends[at] = r->open[i].word;
			r->depth = i;
		}
	}
}

static void add(struct reader *r, enum flow_kind kind, uint32_t function)
{
	r->steps->all[r->steps->nr++] = (struct flow_step){ .kind = kind, .function = function, .after_ns = r->ns };
	r->ns = 0;
}

/* The innermost, at this moment. */
static void leave(struct reader *r, enum flow_kind kind)
{
	add(r, kind, r->open[--r->depth].function);
}

static void leave_unseen(struct reader *r)
{
	r->steps->missed_returns++;
	leave(r, FLOW_KIND_GONE);
}

/*
 * Whether the innermost can't be open any more as something begins at this depth.  What began at the same one may have
 * jumped there; then its end comes, if words are not missing.
 */
static bool is_over(const struct reader *r, uint32_t depth)
{
	const struct entered *last = &r->open[r->depth - 1];

	if (r->ends[last->word] != NONE)
		return false;
	return last->depth > depth || (last->depth == depth && !r->is_cut);
}

static void enter(struct reader *r, size_t at)
{
	while (r->depth && is_over(r, depth__of(r->words[at])))
		leave_unseen(r);
	add(r, FLOW_KIND_ENTER, function__of(r->words[at]));
	open__push(r, at);
}

static void leave_at(struct reader *r, size_t at)
{
	if (r->ends[at] == NONE)
		return;
	while (r->open[r->depth - 1].word != r->ends[at])
		leave_unseen(r);
	leave(r, FLOW_KIND_LEAVE);
}

static void reader__step(struct reader *r, size_t at)
{
	uint64_t word = r->words[at];

	switch (kind__of(word)) {
	case FLOW_KIND_LATER:
		r->ns += word & FLOW_NUMBER_MASK;
		return;
	case FLOW_KIND_QUEUE:
		if (r->steps->nr)
			r->steps->all[r->steps->nr - 1].queue_ns = word & FLOW_NUMBER_MASK;
		return;
	default:
		r->ns += word & FLOW_TIME_MASK;
	}
	switch (kind__of(word)) {
	case FLOW_KIND_ENTER:
		return enter(r, at);
	case FLOW_KIND_LEAVE:
		return leave_at(r, at);
	case FLOW_KIND_OUT:
		add(r, FLOW_KIND_OUT, 0);
		r->steps->all[r->steps->nr - 1].cause = function__of(word);
		return;
	case FLOW_KIND_IN:
		return add(r, FLOW_KIND_IN, 0);
	default:
		return;
	}
}

int flow_steps__read(struct flow_steps *steps, const __u64 *words, size_t nr, bool is_cut)
{
	struct reader r = { .steps = steps, .words = words, .nr = nr, .is_cut = is_cut };
	bool has_memory;
	size_t at;

	*steps = (struct flow_steps){ 0 };
	/* What is entered is left at most once. */
	steps->all = malloc((2 * nr + 1) * sizeof(*steps->all));
	r.ends = malloc((nr + 1) * sizeof(*r.ends));
	r.open = malloc((nr + 1) * sizeof(*r.open));
	has_memory = steps->all && r.ends && r.open;
	if (has_memory) {
		reader__match(&r);
		r.depth = 0;
		for (at = 0; at < nr; at++)
			reader__step(&r, at);
		while (!is_cut && r.depth)
			leave_unseen(&r);
	}
	free(r.ends);
	free(r.open);
	return has_memory ? 0 : -1;
}

void flow_steps__free(struct flow_steps *steps)
{
	free(steps->all);
	*steps = (struct flow_steps){ 0 };
}
