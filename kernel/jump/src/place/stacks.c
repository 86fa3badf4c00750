// SPDX-License-Identifier: GPL-2.0
#include "place/stacks.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20)	/* of one stack: as all threads stand meanwhile */
#define PIECE (1u << 20)		/* that is read at a time, a part of it once more with the next one */
#define FRAME 4096u			/* more than the part of a signal's frame that is looked at */
#define MOST_STACKS 64		/* that frames of signals come from, of one thread */

struct looker {
	const struct stopped *stopped;
	const struct regions *regions;
	const struct wanted_addresses *wanted;
	uint64_t *words;
	uint64_t from[MOST_STACKS], to[MOST_STACKS];	/* stacks of this thread */
	size_t nr;
	struct error *error;
};

/* What is mapped no more can't be returned to. */
static bool note(struct looker *looker, uint64_t sp)
{
	const struct region *region = regions__at(looker->regions, sp);

	if (!region)
		return true;
	for (size_t i = 0; i < looker->nr; i++)
		if (sp >= looker->from[i] && sp < looker->to[i])
			return true;
	if (looker->nr == MOST_STACKS)
		return false;
	looker->from[looker->nr] = (sp + 7) & ~7ull;
	looker->to[looker->nr++] = region->end;
	return true;
}

static int unreadable(const struct looker *looker, pid_t tid)
{
	return error__set(looker->error, ERR_BUSY, "The stack of thread %d can't be looked through.", tid);
}

/* So many bytes of what was read; behind them are more, with which frames may end. */
static int look_at_words(struct looker *looker, pid_t tid, uint64_t bytes, uint64_t has)
{
	const struct wanted_addresses *wanted = looker->wanted;
	uint64_t sp;

	for (size_t i = 0; i < bytes / 8; i++) {
		uint64_t word = looker->words[i];

		if (word >= wanted->low && word < wanted->high && wanted->is_one(wanted->context, word))
			return error__set(looker->error, ERR_BUSY, "Thread %d was interrupted within code that is to change.",
					  tid);
		if (stacks__is_frame(looker->words + i, has / 8 - i, &sp) && !note(looker, sp))
			return error__set(looker->error, ERR_BUSY, "Thread %d is within too many signals' handlers.",
					  tid);
	}
	return 0;
}

static int look_at(struct looker *looker, pid_t tid, uint64_t from, uint64_t to)
{
	if (to - from > MOST_BYTES)
		return unreadable(looker, tid);
	while (from < to) {
		uint64_t has = to - from < PIECE ? to - from : PIECE, bytes = has < PIECE ? has : PIECE - FRAME;

		if (pread(looker->stopped->memory, looker->words, has, from) != (ssize_t)has)
			return unreadable(looker, tid);
		if (look_at_words(looker, tid, bytes, has))
			return -1;
		from += bytes;
	}
	return 0;
}

static int look_at_thread(struct looker *looker, pid_t tid)
{
	uint64_t ip, sp;

	looker->nr = 0;
	if (!thread__position(tid, &ip, &sp))
		return 0;
	/* A worker of the kernel's, as io_uring has them: it is never in the program. */
	if (!ip && !sp)
		return 0;
	if (!regions__at(looker->regions, sp))
		return error__set(looker->error, ERR_BUSY, "Thread %d stands on no stack.", tid);
	note(looker, sp);
	for (size_t i = 0; i < looker->nr; i++)
		if (look_at(looker, tid, looker->from[i], looker->to[i]))
			return -1;
	return 0;
}

int stacks__check(const struct stopped *stopped, const struct regions *regions,
		  const struct wanted_addresses *wanted, struct error *error)
{
	struct looker looker = { .stopped = stopped, .regions = regions, .wanted = wanted,
				 .words = malloc(PIECE), .error = error };
	int err = 0;

	if (!looker.words)
		return error__set(error, ERR_FAILED, "There is no memory to look through stacks.");
	for (size_t i = 0; i < stopped->nr && !err; i++)
		if (stopped->threads[i].tid)
			err = look_at_thread(&looker, stopped->threads[i].tid);
	free(looker.words);
	return err;
}
