/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording by jumps consists of; for this folder alone. */
#ifndef KVIEW_JUMP_STATE_H
#define KVIEW_JUMP_STATE_H

#include "mechanism/mechanism.h"
#include "place/prepare.h"
#include "place/stamp_cost.h"

/* Between two looks at the process: whether it is still that one, and what others did to its jumps. */
#define JUMPS_LOOK_NS	100000000
/* Each file has a mapping of its own in the process. */
#define JUMP_MAX_FILES	8

struct jump_file {
	char *binary;			/* as asked for */
	struct remote remote;
	struct wished_function *functions;	/* by their number in the mapping */
	uint32_t *points;		/* of each */
	uint32_t nr;
};

struct jumps {
	struct mechanism base;
	struct jump_file files[JUMP_MAX_FILES];
	size_t nr_files;
	const struct remote *prepared;	/* the last one; NULL: none */
	struct thread_clocks clocks;	/* what threads have run, for all files */
	const char **names;		/* by point; base.names */
	uint32_t *shares;		/* base.shares */
	bool *dropped;			/* by point: its jumps were taken out before the end */
	bool *taken;			/* base.taken, once attaching has failed so */
	size_t left;			/* functions that are left to others */
	size_t looked_at;		/* jumps, for traps that others put there */
	struct jump_events *events;	/* NULL: single calls are not told */
	struct stamp_cost cost;
	struct xp_cost costs[XP_COST_CLASSES];
	struct xp_calls *calls;		/* by point */
	struct xp_total *totals;	/* by point and set */
	struct xp_buckets *buckets;
	uint64_t *open;			/* by function of the file that is looked at: calls that run */
	uint64_t untold, untold_ns;	/* calls of which is not known why they were off their CPUs, and for how long */
	int memory;			/* of the process as it was attached to */
	bool knows_handlers;		/* it has a handler of faults, and no function is left that this may know by its address */
	bool has_ended;			/* it was detached */
	bool is_spoiled;		/* the process wrote over what its stamps count */
	char note[512], waits_note[4096];
};

/* Whether a function of the file is measured by jumps. */
static inline bool jump_file__measures(const struct jump_file *file, uint32_t function)
{
	return !file->functions[function].reason[0];
}

static inline struct jumps *jumps__of(const struct mechanism *mechanism)
{
	return (struct jumps *)mechanism;
}

extern const struct mechanism_ops jumps_ops;

/* Room for the figures of all points.  0, or -1 without memory. */
int jump_counts__init(struct jumps *jumps);
void jump_counts__free(struct jumps *jumps);
/* Takes over what the process has counted so far. */
void jump_counts__refresh(struct jumps *jumps);
/* Whether it is worth telling that of some calls the causes are not known. */
bool jump_counts__are_untold(const struct jumps *jumps);
/* Single calls are told: before the files are attached, and of each that is.  0, or -1 without memory. */
int jump_events__open(struct jumps *jumps);
void jump_events__lay_out(struct shared_layout *layout, size_t nr_files);
int jump_events__add(struct jumps *jumps, uint32_t file);
void jump_events__close(struct jumps *jumps);
/*
 * Where memory was taken as attaching began, or code is not that of the file, which check refuses: such functions are base.taken, to be measured
 * another way, unless that is all of them.
 */
void jump_others__note_taken(struct jumps *jumps, const struct jump_file *file);
int jump_others__check(struct jumps *jumps, const struct jump_file *file, struct error *error);
/* A point in whose windows somebody else has put a trap, or took one away there, comes off. */
void jump_others__find(struct jumps *jumps, struct mechanism_off *off);
/* Once the process has a handler of its own for faults, all points come off of which an instruction that may fault runs as a copy. */
void jump_handlers__find(struct jumps *jumps, struct mechanism_off *off);
/* Whether the process still has the file's jumps. */
bool jump_file__stands(const struct jump_file *file, int memory);
/* Ends of calls that were not seen to begin. */
uint64_t jump_counts__early(const struct jumps *jumps);

#endif
