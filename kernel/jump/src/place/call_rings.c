// SPDX-License-Identifier: GPL-2.0
#include "place/call_rings.h"

#include <stdlib.h>
#include <string.h>

/*
 * A slot's time is before that of an earlier one where that one's thread was interrupted between taking it and reading the clock: so many are
 * at most as many threads as were so within CALL_RINGS_PATIENCE_NS.
 */
#define MOST_DISORDER 2048
#define AT_A_LOOK 65536		/* slots of each ring: others are waiting for the agent, too */
/* No ring can drop more: one for each ns since the first look, and some before and between two looks. */
#define DROPPED_AT_ONCE 1000000000ull

struct waiting {
	uint64_t ticks, index;
};

struct call_ring {
	struct jump_ring *ring;
	struct shared_layout layout;
	uint32_t source, number;
	uint64_t looked_at;		/* all slots before that were written, or given up */
	uint64_t head;
	uint64_t stuck_ns;		/* since when the next one is awaited; 0: it is not */
	uint64_t settled;
	uint64_t lost;
	uint64_t dropped, since_ns;	/* as it was at the last look; since the first one */
	uint8_t *given_up;		/* as behind the ring, where the process can write */
	/* To be taken, by their time. */
	struct waiting *waiting;
	size_t first, nr, room;
};

int call_rings__add(struct call_rings *rings, struct jump_shared *shared, const struct shared_layout *layout, uint32_t source)
{
	struct call_ring *all = realloc(rings->all, (rings->nr + layout->rings) * sizeof(*all));

	if (!all)
		return -1;
	rings->all = all;
	for (uint32_t i = 0; i < layout->rings; i++) {
		struct call_ring *ring = &all[rings->nr];

		*ring = (struct call_ring){ .ring = shared__ring(shared, layout, i), .layout = *layout, .source = source, .number = i,
					    .given_up = calloc(1, layout->slots) };
		if (!ring->given_up)
			return -1;
		rings->nr++;
	}
	return 0;
}

void call_rings__free(struct call_rings *rings)
{
	for (size_t i = 0; i < rings->nr; i++) {
		free(rings->all[i].given_up);
		free(rings->all[i].waiting);
	}
	free(rings->all);
	*rings = (struct call_rings){ 0 };
}

static struct jump_ring_slot *slot_at(const struct call_ring *ring, uint64_t index)
{
	return &ring->ring->slots[index & (ring->layout.slots - 1)];
}

static bool is_written(const struct jump_ring_slot *slot, uint64_t index)
{
	return __atomic_load_n(&slot->ready, __ATOMIC_ACQUIRE) == index + 1;
}

/* The room behind the last one; NULL: there is no memory. */
static struct waiting *make_room(struct call_ring *ring)
{
	if (ring->first && ring->first + ring->nr == ring->room) {
		memmove(ring->waiting, ring->waiting + ring->first, ring->nr * sizeof(*ring->waiting));
		ring->first = 0;
	}
	if (ring->first + ring->nr == ring->room) {
		size_t room = ring->room ? 2 * ring->room : 256;
		struct waiting *grown = realloc(ring->waiting, room * sizeof(*grown));

		if (!grown)
			return NULL;
		ring->waiting = grown;
		ring->room = room;
	}
	return &ring->waiting[ring->first + ring->nr];
}

/* Mostly behind the last one.  False: so much out of order nothing of the stamps' is. */
static bool wait_for(struct call_ring *ring, uint64_t ticks, uint64_t index)
{
	struct waiting *at = make_room(ring);
	size_t most = ring->nr < MOST_DISORDER ? ring->nr : MOST_DISORDER, moved = 0;

	if (!at) {
		ring->lost++;
		return true;
	}
	for (; moved < most && at[-1].ticks > ticks; moved++, at--)
		*at = at[-1];
	*at = (struct waiting){ ticks, index };
	ring->nr++;
	return moved < MOST_DISORDER;
}

static void give_up(struct call_ring *ring, uint64_t index)
{
	uint32_t number = index & (ring->layout.slots - 1);

	ring->given_up[number] = 1;
	__atomic_store_n((uint8_t *)&ring->ring->slots[ring->layout.slots] + number, 1, __ATOMIC_RELEASE);
	/* The end that causes are of is given up as well. */
	ring->lost += !(ring->ring->slots[number].ready >> 62 & JUMP_SLOT_OF_CAUSES & ~JUMP_SLOT_CALL);
}

/* False: it can't be. */
static bool take_dropped(struct call_ring *ring, uint64_t now_ns)
{
	uint64_t dropped = __atomic_load_n(&ring->ring->dropped, __ATOMIC_RELAXED), before = ring->dropped;

	ring->since_ns = ring->since_ns ? ring->since_ns : now_ns;
	if (dropped < before || dropped > DROPPED_AT_ONCE + (now_ns - ring->since_ns))
		return false;
	ring->dropped = dropped;
	return true;
}

static int ring__look(struct call_ring *ring, uint64_t ticks, uint64_t now_ns, bool is_over)
{
	uint64_t head = __atomic_load_n(&ring->ring->head, __ATOMIC_ACQUIRE), begin = ring->looked_at;

	if (head < ring->head || head - ring->looked_at > ring->layout.slots || !take_dropped(ring, now_ns))
		return -1;
	ring->head = head;
	for (; ring->looked_at < head; ring->looked_at++) {
		const struct jump_ring_slot *slot = slot_at(ring, ring->looked_at);
		bool is_given_up = ring->given_up[ring->looked_at & (ring->layout.slots - 1)];
		bool is_passed = is_given_up || is_written(slot, ring->looked_at);

		if (ring->looked_at - begin == AT_A_LOOK && !is_over)
			return 0;
		if (is_passed && !is_given_up && slot->key && !wait_for(ring, slot->ticks, ring->looked_at))
			return -1;
		if (!is_passed && !is_over && (!ring->stuck_ns || now_ns - ring->stuck_ns < CALL_RINGS_PATIENCE_NS)) {
			ring->stuck_ns = ring->stuck_ns ? ring->stuck_ns : now_ns;
			return 0;
		}
		if (!is_passed)
			give_up(ring, ring->looked_at);
		ring->stuck_ns = 0;
	}
	ring->settled = ticks;
	return 0;
}

int call_rings__look(struct call_rings *rings, uint64_t ticks, uint64_t now_ns, bool is_over)
{
	for (size_t i = 0; i < rings->nr; i++)
		if (ring__look(&rings->all[i], ticks, now_ns, is_over))
			return -1;
	return 0;
}

uint64_t call_rings__settled(const struct call_rings *rings)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < rings->nr; i++)
		if (rings->all[i].settled < least)
			least = rings->all[i].settled;
	return least;
}

static struct call_ring *oldest_ring(const struct call_rings *rings)
{
	struct call_ring *oldest = NULL;

	for (size_t i = 0; i < rings->nr; i++) {
		struct call_ring *ring = &rings->all[i];

		if (ring->nr && (!oldest || ring->waiting[ring->first].ticks < oldest->waiting[oldest->first].ticks))
			oldest = ring;
	}
	return oldest;
}

bool call_rings__oldest(const struct call_rings *rings, uint64_t *ticks)
{
	const struct call_ring *ring = oldest_ring(rings);

	if (ring)
		*ticks = ring->waiting[ring->first].ticks;
	return ring && *ticks <= call_rings__settled(rings);
}

/* They were written before the end that they are of, into the same ring, and are not read before. */
static bool take_causes(const struct call_ring *ring, uint64_t index, const struct jump_ring_slot *end, struct told_call *call)
{
	uint64_t left = call->wall_ns;

	for (int i = 0; i < JUMP_CAUSES; i++) {
		uint64_t at = index + end->more[i / JUMP_CAUSES_IN_SLOT];
		const struct jump_ring_slot *slot = slot_at(ring, at);

		if (at >= index + ring->layout.slots || !is_written(slot, at) || slot->key)
			return false;
		memcpy(&call->cause_ns[i], (const char *)slot + JUMP_SLOT_CAUSES + 8 * (i % JUMP_CAUSES_IN_SLOT), 8);
		if (call->cause_ns[i] > left)
			return false;
		left -= call->cause_ns[i];
	}
	return true;
}

static bool take_slot(const struct call_ring *ring, const struct waiting *waiting, struct told_call *call)
{
	const struct jump_ring_slot slot = *slot_at(ring, waiting->index);

	*call = (struct told_call){
		.source = ring->source, .function = slot.key >> JUMP_PLACE_BITS, .place = slot.key & ((1ull << JUMP_PLACE_BITS) - 1),
		.ticks = waiting->ticks, .base = slot.base, .thread = slot.thread, .is_end = slot.began,
		.processor = slot.processor_and_born & (JUMP_MAX_CLOCKS - 1), .born = slot.processor_and_born >> JUMP_SLOT_BORN,
	};
	if (slot.began) {
		call->began = slot.began;
		call->wall_ns = slot.wall_ns;
	}
	if (call->function >= ring->layout.functions || slot.began > waiting->ticks)
		return false;
	return !slot.began || !slot.more[0] || take_causes(ring, waiting->index, &slot, call);
}

bool call_rings__take(struct call_rings *rings, struct told_call *call)
{
	struct call_ring *ring = oldest_ring(rings);
	bool is_right = take_slot(ring, &ring->waiting[ring->first], call);

	ring->first++;
	ring->nr--;
	ring->lost += !is_right;
	return is_right;
}

void call_rings__release(struct call_rings *rings)
{
	for (size_t i = 0; i < rings->nr; i++) {
		struct call_ring *ring = &rings->all[i];
		uint64_t tail = ring->looked_at;

		for (size_t k = ring->first; k < ring->first + ring->nr; k++)
			if (ring->waiting[k].index < tail)
				tail = ring->waiting[k].index;
		__atomic_store_n(&ring->ring->tail, tail, __ATOMIC_RELEASE);
	}
}

uint64_t call_rings__dropped(const struct call_rings *rings, uint32_t processor)
{
	uint64_t dropped = 0;

	for (size_t i = 0; i < rings->nr; i++)
		if (rings->all[i].number == processor)
			dropped += rings->all[i].dropped + rings->all[i].lost;
	return dropped;
}
