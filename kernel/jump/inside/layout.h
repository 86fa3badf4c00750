/* SPDX-License-Identifier: MIT */
/*
 * What is put into a measured process: one mapping, in this order.
 *
 *	control		private memory that a forked child finds empty: then its stamps do nothing
 *	code		the stamps, and behind them a stub for each window
 *	shared		the places of open calls, and the figures; others may map it as well
 *	clocks		what threads have run, which the process can only read; it may be missing
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
#define JUMP_CLOCKS 40			/* the address of the clocks, or 0: then only times by the wall's clock are taken */
#define JUMP_NR_CLOCKS 48
#define JUMP_RATE 56			/* ticks of the clock for each ns, times 2^32 */
#define JUMP_SETS 64			/* the first set; each has 128 bytes */

/* Offsets in the figures of one function in one shard. */
#define JUMP_TOTAL 0
#define JUMP_LONGEST 8
#define JUMP_ABANDONED 16
#define JUMP_LOST 24
#define JUMP_AWAY 32
#define JUMP_LONGEST_ON_CPU 40
#define JUMP_UNKNOWN 48
#define JUMP_UNKNOWN_TOTAL 56
#define JUMP_BEYOND 64
#define JUMP_COUNTS 128
#define JUMP_MOVED (JUMP_COUNTS + 8 * JUMP_BUCKETS)
#define JUMP_FIGURES_BYTES 10368	/* a multiple of a cache line */

/*
 * The clocks: a cache line for each processor, of the thread that runs on it.  By its FS base a thread knows that it is
 * meant; as the next one may have the same when it has ended, it has a number as well.  What it has run is the scheduler's clock less
 * what is here, in ns.
 */
#define JUMP_CLOCK_THREAD 0
#define JUMP_CLOCK_AWAY 8
#define JUMP_CLOCK_NUMBER 16
#define JUMP_CLOCK_SHIFT 6		/* of their size */
#define JUMP_MAX_CLOCKS 4096

#ifndef __ASSEMBLER__
#define JUMP_NO_THREAD (~0ull)		/* no address */

#include <stdint.h>

struct jump_set {
	uint64_t key[JUMP_WAYS];
	uint64_t began[JUMP_WAYS];	/* the clock at the entry; 0: a stamp is at it */
	uint64_t away[JUMP_WAYS];
	uint64_t thread[JUMP_WAYS];	/* its number; 0: what it had run is not known */
};

struct jump_clock {
	uint64_t thread;		/* JUMP_NO_THREAD: none of the process */
	uint64_t away_ns;
	uint64_t number;		/* 0: none ran here so far */
	uint64_t unused[5];
};

struct jump_shared {
	uint32_t shift, shard_mask;
	uint64_t figures;		/* their offset from here */
	uint64_t unmatched;		/* ends of calls that were not seen to begin */
	uint64_t backwards;		/* the clock was earlier at the end: the call counts as 0 */
	uint64_t far_places;		/* calls beyond the addresses of usual programs: they are lost */
	uint64_t clocks;		/* their address in the process, or 0 */
	uint32_t nr_clocks, unused;
	uint64_t rate;			/* ticks / ns, times 2^32 */
	struct jump_set sets[];
};

/*
 * The record of what was overwritten, from which any later process can restore everything: an entry
 * for each jump, at the end of the code.
 */
#define JUMP_MAGIC "kview jump 2\n"

/* At the beginning of the control page, which is mapped first. */
struct jump_control {
	uint64_t shared;		/* its address, or 0 */
	char magic[16];
	uint64_t id;			/* as the record's */
	uint64_t code_bytes, shared_bytes;
	uint64_t answer;		/* of a system call */
	uint64_t clocks_bytes;		/* that are to be mapped */
};

struct jump_record {
	char magic[16];
	uint64_t id;			/* at random */
	uint64_t nr;			/* entries */
	uint64_t code_bytes, shared_bytes;
	uint64_t clocks_bytes;		/* 0: they are not mapped */
	uint64_t unused;
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
	/* Of calls whose thread was away meanwhile, so that those of all others cost nothing. */
	uint64_t away_ns;		/* the sum, modulo 2^64; of calls that it is known of */
	uint64_t longest_on_cpu;	/* ticks; of all that it is known of */
	uint64_t unknown, unknown_total;	/* calls whose time on CPUs is not known, and their ticks */
	uint64_t beyond;		/* ticks by which single ones ran for less than 0 or more than they took */
	uint64_t unused[7];
	uint64_t count[JUMP_BUCKETS];
	/* The histogram of times on CPUs is count with this added, modulo 2^64. */
	uint64_t moved[JUMP_BUCKETS];
};

_Static_assert(sizeof(struct jump_set) == 128, "a set is two cache lines");
_Static_assert(sizeof(struct jump_clock) == 1 << JUMP_CLOCK_SHIFT, "a cache line");
_Static_assert(__builtin_offsetof(struct jump_shared, clocks) == JUMP_CLOCKS &&
	       __builtin_offsetof(struct jump_shared, nr_clocks) == JUMP_NR_CLOCKS &&
	       __builtin_offsetof(struct jump_shared, rate) == JUMP_RATE, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_figures, away_ns) == JUMP_AWAY &&
	       __builtin_offsetof(struct jump_figures, longest_on_cpu) == JUMP_LONGEST_ON_CPU &&
	       __builtin_offsetof(struct jump_figures, unknown) == JUMP_UNKNOWN &&
	       __builtin_offsetof(struct jump_figures, unknown_total) == JUMP_UNKNOWN_TOTAL &&
	       __builtin_offsetof(struct jump_figures, beyond) == JUMP_BEYOND &&
	       __builtin_offsetof(struct jump_figures, moved) == JUMP_MOVED, "as in the stamps");
_Static_assert(JUMP_STAMPS_BYTES + sizeof(struct jump_record) == JUMP_PAGE, "the stubs begin a page");
_Static_assert(__builtin_offsetof(struct jump_shared, sets) == JUMP_SETS, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_shared, far_places) == JUMP_FAR_PLACES, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_figures, count) == JUMP_COUNTS, "as in the stamps");
_Static_assert(sizeof(struct jump_figures) == JUMP_FIGURES_BYTES, "as in the stamps");
#endif

#endif
