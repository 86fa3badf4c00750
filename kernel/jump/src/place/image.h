/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be put into a process, made for the addresses where it will be: the code behind the stamps, and the jumps
 * to it.  Nothing here touches a process.
 */
#ifndef KVIEW_JUMP_IMAGE_H
#define KVIEW_JUMP_IMAGE_H

#include "arch/relocate.h"
#include "decide/plan.h"
#include "layout.h"
#include "place/boards.h"

struct image_patch {
	uint64_t address;	/* in the process */
	uint64_t file_offset;
	uint32_t function;
	uint8_t kept;		/* bytes before it that belong to it: of the function's first instruction, which stays */
	bool is_left;		/* it could not be put, or be restored */
	bool is_unwanted;	/* it is to be restored before the others */
	bool may_fault;		/* an instruction of its window */
	bool is_taken;		/* another has mapped something where one of its springboards was to be */
	uint8_t was[PUN_BYTES], is[PUN_BYTES];
	uint8_t changed, inner;	/* as in struct pun and its place */
	uint64_t stub;		/* where the jump leads */
	uint8_t file[JUMP_MAX_WINDOW];	/* what the file has in the whole window, of which copies are made */
	/* The window, and where each of its instructions has its copy. */
	uint32_t bytes, nr;
	uint8_t offset[JUMP_MAX_WINDOW];	/* of the instructions, from address */
	uint64_t copy[JUMP_MAX_WINDOW];
	uint64_t behind;		/* where what runs behind them is */
	uint32_t copies, nr_copies;	/* of one that was found: where the list of these is in the code */
};

struct image {
	uint64_t address;	/* of the mapping: of its control page */
	struct emitter code;	/* with the stamps at its beginning */
	size_t recorded;	/* bytes that the record will take */
	struct image_patch *patches;
	size_t nr, room;
	struct boards boards;
	const struct board_space *space;	/* while functions are added; NULL: there is no room for springboards */
};

/* For code_bytes of code, whole pages.  Returns 0, or -1 without memory.  Free in both cases. */
int image__init(struct image *image, uint64_t address, size_t code_bytes);
void image__free(struct image *image);
/* Whether it is in its code: springboards there need no memory of their own. */
static inline bool image__has(const struct image *image, uint64_t address)
{
	return address - image->code.address < image->code.room;
}

/*
 * Adds a function, whose plan fits, by its number.  bias: what its file's addresses differ by in the process.  Returns 0, or
 * -1 if there is no room for it or its springboards, something is out of reach, a jump would lie where one is already, or
 * without memory; then nothing was added.
 */
int image__add(struct image *image, uint32_t function, const struct plan *plan, const struct code *code,
	       uint64_t bias);

/* The bytes of a run of springboards' pages, and of traps around them. */
void image__write_boards(const struct boards *boards, const struct board_run *run, uint8_t *bytes);

/* A function that does nothing, measured as number 0, and the same that is not: where each begins. */
void image__add_empty(struct image *image, uint64_t *measured, uint64_t *bare);

/* Notes what is overwritten, and gives back the room that is not needed.  Nothing can be added behind that. */
int image__write_record(struct image *image, uint64_t id, size_t shared_bytes);

/* How the shared part is divided: powers of two but functions.  What lies in it of that is the stamps' and never read here. */
struct shared_layout {
	uint32_t functions, shards, sets;
	uint32_t rings, slots;		/* of single calls: rings, and slots of each; 0: none are told */
};

/* Of all rings at most, without what lies around the slots. */
#define SHARED_RINGS_BYTES (64u << 20)

/* The size of the shared part, whole pages. */
size_t shared__bytes(const struct shared_layout *layout);
struct shared_costs {
	uint64_t rate;		/* the ns of each tick, times 2^32 */
	/* Ticks that the stamps add to a call's own time, and to that of the call that it is in; both are taken off. */
	uint64_t inner, call;
};
/* Fills in what the stamps need; its memory is 0. */
void shared__init(struct jump_shared *shared, const struct shared_layout *layout, const struct shared_costs *costs);
/* One of the rings. */
struct jump_ring *shared__ring(struct jump_shared *shared, const struct shared_layout *layout, uint32_t number);
/* From now on calls' times on CPUs are taken, too: where the process has the clocks. */
void shared__use_clocks(struct jump_shared *shared, uint64_t clocks, uint32_t nr);

/* What is known of one function's calls, of all shards. */
struct call_counts {
	uint64_t timed, total, longest;	/* ns */
	uint64_t abandoned, lost, open;	/* open: they still run, or were left and no other call came to their place */
	/*
	 * Where clocks are used: timed calls ran for total - unknown_total - away_ns, without those of which that is not known.  A
	 * single one may seem to have run for less than nothing, or more than it took: by so much, all together.
	 */
	int64_t away_ns;
	uint64_t longest_on_cpu, unknown, unknown_total, beyond;
	/*
	 * By why they did not run; other has all of the time of calls of which it is not known how long they ran.  Of untold ones only why
	 * is not known, and other has all that they did not run.
	 */
	uint64_t cause_total[JUMP_CAUSES], cause_longest[JUMP_CAUSES], untold, untold_total;
	/* Calls that took less than what the stamps add count as 0; by so many ticks they were shorter. */
	uint64_t is_short, missing;
	/* Measured calls within them; and the ticks of those of which that is not known: they ended on another thread, or without clocks. */
	uint64_t nested, unnested;
};
void shared__count(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
		   struct call_counts *counts);
/* The same without open; and open of all functions at once, to be read behind that: the whole table is looked through for it. */
void shared__count_ended(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
			 struct call_counts *counts);
void shared__open(const struct jump_shared *shared, const struct shared_layout *layout, uint64_t *open);

/* How many timed calls took, ran and were away for so long; the last modulo 2^32. */
struct call_buckets {
	uint64_t wall[JUMP_BUCKETS], on_cpu[JUMP_BUCKETS];
	uint32_t cause[JUMP_CAUSES][JUMP_BUCKETS];
};
void shared__buckets(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
		     struct call_buckets *buckets);

/* By architecture: the calls of the stamps.  pushed: by how much the stack has grown since the call, with nothing in it that a stamp may write over. */
void emit__stamp(struct emitter *to, uint64_t stamp, uint32_t function, uint32_t pushed);
void emit__return(struct emitter *to);
/* How far the stack has grown by a stamp's call, at an instruction of a piece of a stub: what is before the copy of one instruction, and that. */
int64_t stub__pushed(const uint8_t *piece, size_t nr, size_t at);
/* Words at most that a stamp has on the stack below where it returns to. */
#define STAMP_WORDS 12
extern const uint8_t jump_stamps_start[], jump_stamps_end[], jump_stamp_entry[], jump_stamp_end[];

#endif
