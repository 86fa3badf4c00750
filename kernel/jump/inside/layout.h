/* SPDX-License-Identifier: MIT */
/*
 * What is put into a measured process: one mapping, in this order.
 *
 *	control		private memory that a forked child finds empty: then its stamps do nothing
 *	code		the stamps, and behind them a stub for each window
 *	shared		the places of open calls, and the figures; others may map it as well
 *	nothing		a page without any rights
 *	clocks		what threads have run, which the process can only read; it may be missing, and a forked child does not have it
 *	zeros		a page that grows down, as stacks do: a child that goes on within a stamp gets empty memory where the clocks were
 *
 * Included by C and by assembly.
 */
#ifndef KVIEW_JUMP_LAYOUT_H
#define KVIEW_JUMP_LAYOUT_H

#define JUMP_PAGE 4096
#define JUMP_CONTROL_BYTES JUMP_PAGE	/* its first eight bytes: the address of the shared part, or 0 */
#define JUMP_STAMPS_BYTES 4024		/* of the code; behind them its record, and then the stubs */

/*
 * A place is where a call's return address stands: at any moment it belongs to one call only, whatever thread or
 * coroutine runs it.  Open calls are found by it, in a table of sets of four.  A key is the place / 8 in the lower
 * 44 bits, and the function in the upper 20; 0: free.
 */
#define JUMP_WAYS 4
#define JUMP_PLACE_BITS 44
#define JUMP_MAX_FUNCTIONS (1 << 20)
#define JUMP_HASH 0x9e3779b1		/* multiplies the lower 32 bits of place / 8; the upper bits choose the set */

/* Buckets of a histogram: 16 for each power of two of the ns. */
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
#define JUMP_RATE 56			/* ns of each tick of the clock, times 2^32 */
#define JUMP_INNER 64			/* ticks that the stamps add to each call, which are taken off */
#define JUMP_CALL 72			/* ticks that a measured call takes longer, which are taken off what it is called in */
#define JUMP_THREADS 80			/* where the threads are */
#define JUMP_RINGS 88			/* where the first ring is, or 0: single calls are not told */
#define JUMP_RING_BYTES 96		/* from one ring to the next */
#define JUMP_RING_SLOTS 104		/* of each, a power of two */
#define JUMP_RING_MASK 112		/* the number of rings, a power of two, - 1 */
#define JUMP_SETS 128			/* the first set */
#define JUMP_SET_BYTES 704		/* whole cache lines */
#define JUMP_SNAPSHOTS 192		/* in a set: of each way */
#define JUMP_SNAPSHOT_BYTES 128

/* Why threads are off their CPUs, in the order of enum xp_metric (bpf/metrics.h) from run queue on. */
#define JUMP_CAUSES 11
#define JUMP_CAUSE_OTHER 8

/*
 * How many measured calls each thread has entered, so that a call knows how many there were in it.  By a thread's number;
 * where two threads share a slot each takes it from the other, and the count goes up by more than there can be calls.
 */
#define JUMP_THREAD_SHIFT 4		/* of a slot's size */
#define JUMP_THREAD_SLOTS 4096
#define JUMP_THREAD_TAKEN 32		/* the bit that is added to the count */

/*
 * Where single calls are told there is a ring for each processor, or for several, in which any thread may write at any moment.  Who
 * wants to tell something takes the slot at the head by one instruction, before it reads the clock: so what is told in later slots is
 * not older than the moment at which a slot was not taken yet.  A slot that is written to its end has its number, from 1 on, in its
 * first word; until then the highest bits say what it is for as well.  The reader moves the tail.
 *
 * A thread that took a slot may never write it: a handler leaves it by longjmp, or the thread is killed.  So as not to wait for ever the
 * reader may give a slot up, which nobody takes again then, as that thread might still write there.
 */
#define JUMP_RING_HEAD 0		/* how many slots were taken */
#define JUMP_RING_DROPPED 8		/* what found no room */
#define JUMP_RING_TAIL 64		/* how many were read */
#define JUMP_RING_FIRST 128		/* the first slot; behind the last one a byte for each, not 0: it is given up */
#define JUMP_SLOT_SHIFT 6		/* of a slot's size */
#define JUMP_MAX_RING_SLOTS (1 << 20)

/* What it is for: an entry or an end; causes of an end, which has a slot of its own. */
#define JUMP_SLOT_CALL 2
#define JUMP_SLOT_OF_CAUSES 3

/* Offsets in a slot. */
#define JUMP_SLOT_READY 0
#define JUMP_SLOT_KEY 8			/* as in the table of places; 0: this slot tells nothing, or has causes */
#define JUMP_SLOT_TICKS 16
#define JUMP_SLOT_THREAD 24		/* 0: not known */
#define JUMP_SLOT_PROCESSOR 28		/* and from bit JUMP_SLOT_BORN on the lowest bits of the time when that thread began */
#define JUMP_SLOT_BORN 12
#define JUMP_SLOT_BASE 32
#define JUMP_SLOT_MORE 40
#define JUMP_SLOT_BEGAN 48		/* not 0: it is an end */
#define JUMP_SLOT_WALL 56
#define JUMP_SLOT_CAUSES 16		/* of one that has causes */
#define JUMP_CAUSES_IN_SLOT 6

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
#define JUMP_MISSING 72
#define JUMP_SHORT 80
#define JUMP_NESTED 88
#define JUMP_UNNESTED 96
#define JUMP_UNTOLD 104
#define JUMP_UNTOLD_TOTAL 112
#define JUMP_COUNTS 128
#define JUMP_MOVED (JUMP_COUNTS + 8 * JUMP_BUCKETS)
#define JUMP_CAUSE_TOTALS (JUMP_MOVED + 8 * JUMP_BUCKETS)
#define JUMP_CAUSE_LONGEST (JUMP_CAUSE_TOTALS + 8 * JUMP_CAUSES)
#define JUMP_CAUSE_COUNTS (JUMP_CAUSE_LONGEST + 8 * JUMP_CAUSES)
#define JUMP_CAUSE_BYTES (4 * JUMP_BUCKETS)
#define JUMP_FIGURES_BYTES 38720	/* a multiple of a cache line */

/*
 * The clocks: some cache lines for each processor, of the thread that runs on it.  By its FS base a thread knows that it is
 * meant; as the next one may have the same when it has ended, it has a number as well.  What it has run is the scheduler's clock less
 * what is here, in ns; and that, but for where it began, is the sum of what it was away for each cause.
 *
 * For one thread and one time away the causes are always the same.  Who changes them writes thread first, with no thread, then the
 * causes, away, and thread again.  Who reads them takes away first, then the causes, thread, and away again.
 */
#define JUMP_CLOCK_THREAD 0
#define JUMP_CLOCK_AWAY 8
#define JUMP_CLOCK_NUMBER 16
#define JUMP_CLOCK_CAUSES 24
#define JUMP_CLOCK_SHIFT 8		/* of their size */
#define JUMP_MAX_CLOCKS 4096

#ifndef __ASSEMBLER__
#define JUMP_NO_THREAD (~0ull)		/* no address */

#include <stdint.h>

struct jump_set {
	uint64_t key[JUMP_WAYS];
	uint64_t began[JUMP_WAYS];	/* the clock at the entry; 0: a stamp is at it */
	uint64_t away[JUMP_WAYS];
	uint64_t thread[JUMP_WAYS];	/* its number; 0: what it had run is not known */
	uint64_t entered[JUMP_WAYS];	/* measured calls by this thread, with this one */
	uint64_t unused[JUMP_WAYS];
	/*
	 * For what that thread had been away by then, if it is not 0.  It stays when a call ends, and is right for the way's next one
	 * if that is of the same thread, which was not away in between.
	 */
	uint64_t snapshot[JUMP_WAYS][JUMP_SNAPSHOT_BYTES / 8];
};

struct jump_clock {
	uint64_t thread;		/* JUMP_NO_THREAD: none of the process */
	uint64_t away_ns;
	uint64_t number;		/* 0: none ran here so far */
	uint64_t cause_ns[JUMP_CAUSES];
	uint64_t unused[18];
};

struct jump_thread {
	uint64_t number, entered;
};

struct jump_ring_slot {
	uint64_t ready;
	uint64_t key;
	uint64_t ticks;
	uint32_t thread, processor_and_born;
	uint64_t base;			/* the thread's FS base */
	/* Where two slots with its causes are, from here, modulo 2^32; 0: it has none. */
	uint32_t more[2];
	uint64_t began, wall_ns;	/* of an end; of an entry whatever was there */
};

struct jump_ring {
	uint64_t head, dropped, unused[6];
	uint64_t tail, unused_too[7];
	struct jump_ring_slot slots[];
};

struct jump_shared {
	uint32_t shift, shard_mask;
	uint64_t figures;		/* their offset from here */
	uint64_t unmatched;		/* ends of calls that were not seen to begin */
	uint64_t backwards;		/* the clock was earlier at the end: the call counts as 0 */
	uint64_t far_places;		/* calls beyond the addresses of usual programs: they are lost */
	uint64_t clocks;		/* their address in the process, or 0 */
	uint32_t nr_clocks, unused;
	uint64_t rate;			/* ns / tick, times 2^32 */
	uint64_t inner, call;		/* ticks */
	uint64_t threads;		/* their offset from here */
	uint64_t rings, ring_bytes, ring_slots, ring_mask;
	uint64_t rest;
	struct jump_set sets[];
};

/*
 * The record of what was overwritten, from which any later process can restore everything: an entry
 * for each jump, at the end of the code.
 */
/* The record begins so in all versions of what is laid out here. */
#define JUMP_MAGIC_OF_ALL "kview jump "
#define JUMP_MAGIC JUMP_MAGIC_OF_ALL "3\n"

/* At the beginning of the control page, which is mapped first. */
struct jump_control {
	uint64_t shared;		/* its address, or 0 */
	char magic[16];
	uint64_t id;			/* as the record's */
	uint64_t code_bytes, shared_bytes;
	uint64_t answer;		/* of a system call */
	uint64_t clocks_bytes;		/* that are to be mapped, with the pages around the clocks */
};

struct jump_record {
	char magic[16];
	uint64_t id;			/* at random */
	uint64_t nr;			/* entries */
	uint64_t code_bytes, shared_bytes;
	uint64_t clocks_bytes;		/* 0: they are not mapped */
	uint64_t file;			/* the inode of what was mapped where the jumps are; 0: not known */
	/* The run of springboards' pages that was to be mapped next, of those that follow each other upwards; UINT64_MAX: all are mapped. */
	uint64_t boards_begun;
};

#define JUMP_WRITTEN_BYTES 6		/* the most that a jump has, and that it depends on */
struct jump_record_entry {
	uint64_t address;
	uint32_t stub;			/* where it leads, in the code */
	/* Copies of the window's instructions, and what runs behind them: how many there are, and where the list of them is in the code. */
	uint32_t copies;
	uint8_t nr_copies;
	uint8_t was[JUMP_WRITTEN_BYTES], is[JUMP_WRITTEN_BYTES];
	uint8_t changed;		/* bytes that were overwritten; is has the file's behind them */
	uint8_t inner;			/* bit n: others may put a trap at byte n as well as at the first */
	uint8_t unused;
};
struct jump_copy {
	uint16_t at;			/* from where the jump leads to */
	uint8_t offset;			/* of the original, from where the jump is */
	uint8_t unused;
};

/* Of one function in one shard: a call is counted in that of the processor that it ends on. */
struct jump_figures {
	uint64_t total, longest;	/* ns */
	uint64_t abandoned;		/* another call began at the place of this one */
	uint64_t lost;			/* no free way in its set, its place too far, or it was left within a stamp */
	/* Of calls whose thread was away meanwhile, so that those of all others cost nothing. */
	uint64_t away_ns;		/* the sum, modulo 2^64; of calls that it is known of */
	uint64_t longest_on_cpu;	/* ns; of all that it is known of */
	uint64_t unknown, unknown_total;	/* calls whose time on CPUs is not known, and their ns */
	uint64_t beyond;		/* ns by which single ones ran for less than 0 or more than they took */
	uint64_t missing;		/* ticks that could not be taken off, as calls were shorter than what the stamps take */
	uint64_t is_short;		/* calls that count as 0 for that */
	uint64_t nested;		/* measured calls within timed ones, whose cost was taken off */
	uint64_t unnested;		/* ticks of calls of which it is not known how many were in them */
	uint64_t untold, untold_total;	/* calls of which it is known for how long they were off CPUs, but not why, and these ns */
	uint64_t unused;
	uint64_t count[JUMP_BUCKETS];
	/* The histogram of times on CPUs is count with this added, modulo 2^64. */
	uint64_t moved[JUMP_BUCKETS];
	/*
	 * Times off CPUs, by cause, of the calls that had any: all that calls did not run.  Where it is not known, all of a call's time is
	 * under other.  The counts are modulo 2^32: whoever reads them does so more often than that.
	 */
	uint64_t cause_total[JUMP_CAUSES], cause_longest[JUMP_CAUSES];
	uint32_t cause_count[JUMP_CAUSES][JUMP_BUCKETS];
	uint32_t padding[4];
};

_Static_assert(sizeof(struct jump_set) == JUMP_SET_BYTES, "as in the stamps");
_Static_assert(sizeof(struct jump_thread) == 1 << JUMP_THREAD_SHIFT, "as in the stamps");
_Static_assert(sizeof(struct jump_clock) == 1 << JUMP_CLOCK_SHIFT, "whole cache lines");
_Static_assert(__builtin_offsetof(struct jump_clock, cause_ns) == JUMP_CLOCK_CAUSES &&
	       __builtin_offsetof(struct jump_set, snapshot) == JUMP_SNAPSHOTS &&
	       sizeof(((struct jump_set *)0)->snapshot[0]) == JUMP_SNAPSHOT_BYTES, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_shared, clocks) == JUMP_CLOCKS &&
	       __builtin_offsetof(struct jump_shared, nr_clocks) == JUMP_NR_CLOCKS &&
	       __builtin_offsetof(struct jump_shared, rate) == JUMP_RATE &&
	       __builtin_offsetof(struct jump_shared, inner) == JUMP_INNER &&
	       __builtin_offsetof(struct jump_shared, call) == JUMP_CALL &&
	       __builtin_offsetof(struct jump_shared, threads) == JUMP_THREADS &&
	       __builtin_offsetof(struct jump_shared, rings) == JUMP_RINGS &&
	       __builtin_offsetof(struct jump_shared, ring_bytes) == JUMP_RING_BYTES &&
	       __builtin_offsetof(struct jump_shared, ring_slots) == JUMP_RING_SLOTS &&
	       __builtin_offsetof(struct jump_shared, ring_mask) == JUMP_RING_MASK, "as in the stamps");
_Static_assert(sizeof(struct jump_ring_slot) == 1 << JUMP_SLOT_SHIFT &&
	       __builtin_offsetof(struct jump_ring, dropped) == JUMP_RING_DROPPED &&
	       __builtin_offsetof(struct jump_ring, tail) == JUMP_RING_TAIL &&
	       __builtin_offsetof(struct jump_ring, slots) == JUMP_RING_FIRST &&
	       __builtin_offsetof(struct jump_ring_slot, key) == JUMP_SLOT_KEY &&
	       __builtin_offsetof(struct jump_ring_slot, ticks) == JUMP_SLOT_TICKS &&
	       __builtin_offsetof(struct jump_ring_slot, thread) == JUMP_SLOT_THREAD && 1 << JUMP_SLOT_BORN == JUMP_MAX_CLOCKS &&
	       __builtin_offsetof(struct jump_ring_slot, processor_and_born) == JUMP_SLOT_PROCESSOR &&
	       __builtin_offsetof(struct jump_ring_slot, base) == JUMP_SLOT_BASE &&
	       __builtin_offsetof(struct jump_ring_slot, more) == JUMP_SLOT_MORE &&
	       __builtin_offsetof(struct jump_ring_slot, began) == JUMP_SLOT_BEGAN &&
	       __builtin_offsetof(struct jump_ring_slot, wall_ns) == JUMP_SLOT_WALL &&
	       JUMP_SLOT_CAUSES + 8 * JUMP_CAUSES_IN_SLOT == sizeof(struct jump_ring_slot) &&
	       2 * JUMP_CAUSES_IN_SLOT >= JUMP_CAUSES, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_figures, away_ns) == JUMP_AWAY &&
	       __builtin_offsetof(struct jump_figures, longest_on_cpu) == JUMP_LONGEST_ON_CPU &&
	       __builtin_offsetof(struct jump_figures, unknown) == JUMP_UNKNOWN &&
	       __builtin_offsetof(struct jump_figures, unknown_total) == JUMP_UNKNOWN_TOTAL &&
	       __builtin_offsetof(struct jump_figures, beyond) == JUMP_BEYOND &&
	       __builtin_offsetof(struct jump_figures, missing) == JUMP_MISSING &&
	       __builtin_offsetof(struct jump_figures, is_short) == JUMP_SHORT &&
	       __builtin_offsetof(struct jump_figures, nested) == JUMP_NESTED &&
	       __builtin_offsetof(struct jump_figures, unnested) == JUMP_UNNESTED &&
	       __builtin_offsetof(struct jump_figures, untold) == JUMP_UNTOLD &&
	       __builtin_offsetof(struct jump_figures, untold_total) == JUMP_UNTOLD_TOTAL &&
	       __builtin_offsetof(struct jump_figures, cause_total) == JUMP_CAUSE_TOTALS &&
	       __builtin_offsetof(struct jump_figures, cause_longest) == JUMP_CAUSE_LONGEST &&
	       __builtin_offsetof(struct jump_figures, cause_count) == JUMP_CAUSE_COUNTS &&
	       __builtin_offsetof(struct jump_figures, moved) == JUMP_MOVED, "as in the stamps");
_Static_assert(JUMP_STAMPS_BYTES + sizeof(struct jump_record) == JUMP_PAGE, "the stubs begin a page");
_Static_assert(__builtin_offsetof(struct jump_shared, sets) == JUMP_SETS, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_shared, far_places) == JUMP_FAR_PLACES, "as in the stamps");
_Static_assert(__builtin_offsetof(struct jump_figures, count) == JUMP_COUNTS, "as in the stamps");
_Static_assert(sizeof(struct jump_figures) == JUMP_FIGURES_BYTES, "as in the stamps");
#endif

#endif
