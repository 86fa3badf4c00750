/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The single calls that stamps tell of, read from their rings in the order of time: see inside/layout.h.  All of it is in memory that the
 * process can write: what is read there is checked, and never used as an address, a size or an index without that.
 */
#ifndef KVIEW_JUMP_CALL_RINGS_H
#define KVIEW_JUMP_CALL_RINGS_H

#include <stdbool.h>

#include "place/image.h"

/* A slot that a thread took so long ago, and did not write, is given up. */
#define CALL_RINGS_PATIENCE_NS 1000000000ull

struct call_ring;

struct call_rings {
	struct call_ring *all;
	size_t nr;
};

/* An entry or an end. */
struct told_call {
	uint32_t source;		/* as it was added */
	uint32_t function;
	uint64_t place;			/* / 8 */
	uint64_t ticks;
	uint64_t base;			/* of its thread */
	uint32_t thread, processor;	/* thread: 0: not known */
	uint32_t born;			/* another one for the next thread that has this one's number, but for one of a million */
	bool is_end;
	/* Of an end. */
	uint64_t began;			/* ticks */
	uint64_t wall_ns, cause_ns[JUMP_CAUSES];
};

/* The rings of one mapping; shared has to stay up to call_rings__free.  Returns 0, or -1 without memory. */
int call_rings__add(struct call_rings *rings, struct jump_shared *shared, const struct shared_layout *layout, uint32_t source);
void call_rings__free(struct call_rings *rings);

/*
 * Looks at what there is.  ticks: the clock just before, now_ns: some clock, for patience.  is_over: no stamp runs any more.  Returns 0, or
 * -1: the process has written over it.
 */
int call_rings__look(struct call_rings *rings, uint64_t ticks, uint64_t now_ns, bool is_over);
/* What is to come is not older. */
uint64_t call_rings__settled(const struct call_rings *rings);
/* The oldest that is to be taken, if it is settled: its ticks.  False: there is none. */
bool call_rings__oldest(const struct call_rings *rings, uint64_t *ticks);
/* Takes it.  False: it made no sense, and is lost. */
bool call_rings__take(struct call_rings *rings, struct told_call *call);
/* Those that were taken make room. */
void call_rings__release(struct call_rings *rings);
/* What found no room, was given up or made no sense, of a processor, as of the last look. */
uint64_t call_rings__dropped(const struct call_rings *rings, uint32_t processor);

#endif
