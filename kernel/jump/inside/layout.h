/* SPDX-License-Identifier: MIT */
/*
 * What is put into a measured process: one mapping, in this order.
 *
 *	control		private memory that a forked child finds empty: then its stamps do nothing
 *	code		the stamps, and behind them a stub for each window
 *	shared		the places of open calls, and the figures; others may map it as well
 *
 * Included by C and by assembly.
 */
#ifndef KVIEW_JUMP_LAYOUT_H
#define KVIEW_JUMP_LAYOUT_H

#define JUMP_PAGE 4096
#define JUMP_CONTROL_BYTES JUMP_PAGE	/* its first eight bytes: the address of the shared part, or 0 */
#define JUMP_STAMPS_BYTES 4032		/* of the code; behind them its record, and then the stubs */

/*
 * A place is where a call's return address stands: at any moment it belongs to one call only, whatever thread or
 * coroutine runs it.  Open calls are found by it, in a table of sets of four.  A key is the place / 8 in the lower
 * 44 bits, and the function in the upper 20; 0: free.
 */
#define JUMP_WAYS 4
#define JUMP_PLACE_BITS 44
#define JUMP_MAX_FUNCTIONS (1 << 20)
#define JUMP_HASH 0x9e3779b1		/* multiplies the lower 32 bits of place / 8; the upper bits choose the set */

/* Buckets of a histogram: 16 for each power of two of the clock's ticks. */
#define JUMP_BUCKETS 640

/* Offsets in the shared part. */
#define JUMP_SHIFT 0			/* 32 - the binary logarithm of the number of sets */
#define JUMP_SHARD_MASK 4		/* the number of shards, a power of two, - 1 */
#define JUMP_FIGURES 8			/* where the figures are */
#define JUMP_UNMATCHED 16
#define JUMP_BACKWARDS 24
#define JUMP_FAR_PLACES 32
#define JUMP_SETS 64			/* the first set; each has 64 bytes */

/* Offsets in the figures of one function in one shard. */
#define JUMP_TOTAL 0
#define JUMP_LONGEST 8
#define JUMP_ABANDONED 16
#define JUMP_LOST 24
#define JUMP_COUNTS 32
#define JUMP_FIGURES_BYTES 5184		/* a multiple of a cache line */

#ifndef __ASSEMBLER__
#include <stdint.h>

struct jump_set {
	uint64_t key[JUMP_WAYS];
	uint64_t began[JUMP_WAYS];	/* the clock at the entry; 0: a stamp is at it */
};

struct jump_shared {
	uint32_t shift, shard_mask;
	uint64_t figures;		/* their offset from here */
	uint64_t unmatched;		/* ends of calls that were not seen to begin */
	uint64_t backwards;		/* the clock was earlier at the end: the call counts as 0 */
	uint64_t far_places;		/* calls beyond the addresses of usual programs: they are lost */
	uint64_t unused[3];
	struct jump_set sets[];
};

/*
 * What was overwritten, so that whoever comes finds this mapping and can restore all: an entry for each jump, at the end of
 * the code.
 */
#define JUMP_MAGIC "kview jump 1\n"

/* At the beginning of the control page, which is mapped first. */
struct jump_control {
	uint64_t shared;		/* its address, or 0 */
	char magic[16];
	uint64_t id;			/* as the record's */
	uint64_t code_bytes, shared_bytes;
	uint64_t answer;		/* of a system call */
};

struct jump_record {
	char magic[16];
	uint64_t id;			/* at random */
	uint64_t nr;			/* entries */
	uint64_t code_bytes, shared_bytes;
	uint64_t unused[2];
};

struct jump_record_entry {
	uint64_t address;
	uint8_t was[5], is[5], unused[6];
};

/* Of one function in one shard: a call is counted in that of the processor that it ends on. */
struct jump_figures {
	uint64_t total, longest;	/* ticks */
	uint64_t abandoned;		/* another call began at the place of this one */
	uint64_t lost;			/* no free way in its set, its place too far, or it was left within a stamp */
	uint64_t count[JUMP_BUCKETS];
	uint64_t unused[4];
};

_Static_assert(sizeof(struct jump_set) == 64, "a set is a cache line");
_Static_assert(JUMP_STAMPS_BYTES + sizeof(struct jump_record) == JUMP_PAGE, "the stubs begin a page");
_Static_assert(__builtin_offsetof(struct jump_shared, sets) == JUMP_SETS, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_shared, far_places) == JUMP_FAR_PLACES, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_figures, count) == JUMP_COUNTS, "as in the stamps");
_Static_assert(sizeof(struct jump_figures) == JUMP_FIGURES_BYTES, "as in the stamps");
#endif

#endif
