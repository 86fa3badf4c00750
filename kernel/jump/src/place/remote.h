/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jumps in another, running process.  Whoever does this may die at any moment: the process goes on unharmed, with the jumps
 * that were put, and who comes next finds and restores them.
 */
#ifndef KVIEW_JUMP_REMOTE_H
#define KVIEW_JUMP_REMOTE_H

#include "place/clock.h"
#include "place/image.h"
#include "place/inject.h"
#include "place/stopped.h"
#include "threads/clocks.h"

struct remote {
	struct process_id process;
	uint64_t id;			/* of the record */
	uint64_t device, inode;		/* of the file that it was prepared for */
	uint64_t mapped;		/* its inode as the process's list of mappings has it; 0: not known */
	struct image image;
	uint64_t reserved;		/* bytes that it may need, from the image on */
	const struct remote *beside;	/* prepared before for another file of the process */
	struct shared_layout layout;
	size_t shared_bytes;
	struct call_code calls;
	struct jump_shared *shared;	/* mapped here too; NULL: not */
	struct thread_clocks *clocks;	/* open, and for all files of one process; NULL: times on CPUs are not wished */
	struct clock_pair since;	/* when it was prepared */
	struct shared_costs costs;	/* but for the rate; 0: nothing is taken off */
	struct error without_clocks;	/* why clocks are not used; code 0: they are, or there are none */
	size_t clocks_bytes;		/* with the pages around them; 0: not mapped there */
	uint64_t longest_ns;		/* that a thread stood */
	size_t next;			/* the first patch that is not yet put, or restored */
	uint64_t boards_begun;		/* as in the record */
	size_t next_board;		/* and the first springboard that is not yet mapped, or unmapped */
	/* Jumps that could not be restored and stay in the process. */
	size_t left;
	bool is_copy;			/* it was found in a process that was forked */
	bool is_mapped;			/* there may be something in the process */
	/* It was not attached, as the process has mapped something in a place that was free before; of springboards, is_taken says for what functions. */
	bool is_taken;
};

/*
 * The image must have its functions, and no record yet.  When this returns, all jumps are put, and nothing is
 * counted yet.  A function whose code in the process differs from the file is skipped: its patches
 * have is_left set.  Returns 0, or -1 with error; then all is as before, as far as remote__detach
 * could.
 */
int remote__attach(struct remote *remote, const struct shared_layout *layout, struct error *error);
/* Calls are counted from now on, and no more. */
int remote__begin(struct remote *remote, struct error *error);
int remote__end(struct remote *remote, struct error *error);
/* Restores the code of a function, while others go on. */
int remote__drop(struct remote *remote, uint32_t function, struct error *error);
/*
 * Restores every byte, and removes the mapping once no thread is in it.  Returns 0, or -1 with error: what it says stays there.  The
 * figures can be read up to remote__free.
 */
int remote__detach(struct remote *remote, struct error *error);
void remote__free(struct remote *remote);

/*
 * Finds what another left in a process, in it or in one that it forked from.  Returns 1, 0: there is nothing, or -1 with
 * error.
 */
int remote__find(struct remote *remote, pid_t pid, struct error *error);

/* Whether another version of this put jumps there: only that one reads its record. */
bool remote__is_of_other_version(pid_t pid);

/* The one whose code is the first from an address on; false: there is none. */
bool remote__find_next(struct remote *remote, pid_t pid, uint64_t from);

/* The same in a process that was forked from that one, directly or not; false: it has none. */
bool remote__find_copy(struct remote *copy, pid_t pid, const struct remote *of);

/* Whether what is there is what the record says.  All threads stand. */
bool remote__is_there(const struct remote *remote, int memory);
bool remote__has_record(const struct remote *remote, int memory);
/* Whether it was put there, and not into a process that this one was forked from: a child finds the control page empty. */
bool remote__is_original(const struct remote *remote, int memory);
uint64_t remote__bytes(const struct remote *remote);	/* of the mapping */
uint64_t remote__shared_at(const struct remote *remote);
uint64_t remote__clocks_at(const struct remote *remote);

#endif
