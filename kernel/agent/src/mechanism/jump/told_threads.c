// SPDX-License-Identifier: GPL-2.0
#include "mechanism/jump/told_threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define SLOT_BITS	12	/* of each table */
#define SLOTS		(1U << SLOT_BITS)
#define MOST_THREADS	(1U << 14)
#define MOST_ROOM	(1U << 21)	/* of all threads' calls */
#define MOST_DEPTH	1023		/* readers of traces take no calls for nested deeper */
/* A call that begins so near above another one's place on the stack is on the same stack, and the other one was left. */
#define STACK_BYTES	(8U << 20)

struct open_call {
	uint64_t place, ticks, begin_ns;
	uint32_t depth;
};

struct told_thread {
	struct told_thread *next;
	struct told_id id;
	uint32_t nr, room;
	struct open_call *calls;	/* as they were entered */
};

struct told_threads {
	struct told_thread *slots[SLOTS];
	uint32_t nr, room;		/* room: of all of them */
	uint32_t seed;			/* odd, and not known to the process: it can't choose numbers that all have one slot */
	struct { uint64_t base; struct told_id id; } bases[SLOTS];
};

struct told_threads *told_threads__new(void)
{
	struct told_threads *threads = calloc(1, sizeof(*threads));

	if (threads && getrandom(&threads->seed, sizeof(threads->seed), 0) != sizeof(threads->seed)) {
		free(threads);
		return NULL;
	}
	if (threads)
		threads->seed |= 1;
	return threads;
}

/* all: also those that are in a call. */
static void remove_threads(struct told_threads *threads, bool all)
{
	for (uint32_t i = 0; i < SLOTS; i++)
		for (struct told_thread **at = &threads->slots[i], *thread; (thread = *at); ) {
			if (thread->nr && !all) {
				at = &thread->next;
				continue;
			}
			*at = thread->next;
			threads->nr--;
			threads->room -= thread->room;
			free(thread->calls);
			free(thread);
		}
}

void told_threads__free(struct told_threads *threads)
{
	if (threads)
		remove_threads(threads, true);
	free(threads);
}

struct told_id told_threads__by_base(struct told_threads *threads, uint64_t base, struct told_id id)
{
	uint32_t slot = (uint32_t)((base >> 6) * 0x9e3779b1u) >> (32 - SLOT_BITS);

	if (id.tid) {
		threads->bases[slot].base = base;
		threads->bases[slot].id = id;
	}
	return id.tid || threads->bases[slot].base != base ? id : threads->bases[slot].id;
}

/* Whoever ended in calls is in none of its successor's. */
static void thread__is(struct told_thread *thread, struct told_id id)
{
	if (thread->id.born && id.born && thread->id.born != id.born)
		thread->nr = 0;
	if (id.born)
		thread->id.born = id.born;
}

static struct told_thread *thread__of(struct told_threads *threads, struct told_id id)
{
	struct told_thread **slot = &threads->slots[id.tid * threads->seed >> (32 - SLOT_BITS)], *thread;

	if (threads->room >= MOST_ROOM)
		remove_threads(threads, false);
	if (threads->room >= MOST_ROOM)
		remove_threads(threads, true);
	for (thread = *slot; thread; thread = thread->next)
		if (thread->id.tid == id.tid) {
			thread__is(thread, id);
			return thread;
		}
	/* Whoever is in no call is as if it had never been there. */
	if (threads->nr == MOST_THREADS)
		remove_threads(threads, false);
	if (threads->nr == MOST_THREADS)
		remove_threads(threads, true);
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	*thread = (struct told_thread){ .next = *slot, .id = id };
	*slot = thread;
	threads->nr++;
	return thread;
}

static bool is_left(const struct open_call *call, uint64_t place)
{
	return call->place <= place && place - call->place < STACK_BYTES / 8;
}

static bool thread__push(struct told_threads *threads, struct told_thread *thread, const struct open_call *call)
{
	if (thread->nr == thread->room) {
		uint32_t room = thread->room ? 2 * thread->room : 16;
		struct open_call *grown = realloc(thread->calls, room * sizeof(*grown));

		if (!grown)
			return false;
		threads->room += room - thread->room;
		thread->calls = grown;
		thread->room = room;
	}
	thread->calls[thread->nr++] = *call;
	return true;
}

/* Those that the thread left without an end are on top, but for where it has several stacks. */
uint32_t told_threads__enter(struct told_threads *threads, struct told_id id, uint64_t place, uint64_t ticks, uint64_t begin_ns)
{
	struct told_thread *thread = thread__of(threads, id);
	struct open_call call = { place, ticks, begin_ns, 0 };

	if (!thread)
		return 0;
	while (thread->nr && is_left(&thread->calls[thread->nr - 1], place))
		thread->nr--;
	call.depth = thread->nr ? thread->calls[thread->nr - 1].depth + 1 : 0;
	if (call.depth < MOST_DEPTH)
		thread__push(threads, thread, &call);
	else
		call.depth = MOST_DEPTH;
	return call.depth;
}

bool told_threads__leave(struct told_threads *threads, struct told_id id, uint64_t place, uint64_t ticks, uint32_t *depth, uint64_t *begin_ns)
{
	struct told_thread *thread = thread__of(threads, id);
	uint32_t at = thread ? thread->nr : 0;

	while (at && (thread->calls[at - 1].place != place || thread->calls[at - 1].ticks != ticks))
		at--;
	if (!at) {
		*depth = thread && thread->nr ? thread->calls[thread->nr - 1].depth + 1 : 0;
		return false;
	}
	*depth = thread->calls[at - 1].depth;
	*begin_ns = thread->calls[at - 1].begin_ns;
	/* What was called in it and did not end was left; what is on another stack goes on. */
	while (thread->nr > at && is_left(&thread->calls[thread->nr - 1], place))
		thread->nr--;
	memmove(&thread->calls[at - 1], &thread->calls[at], (thread->nr - at) * sizeof(*thread->calls));
	thread->nr--;
	return true;
}
