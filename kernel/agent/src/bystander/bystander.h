/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process of the agent's own that is not recorded, and sees for itself what a recording costs it:
 *
 *	bystander__start  ->  begin_before  ->  end_before  ->  (attach)  during  ->  end_of_rounds  ->  (detach)  after  ->  free
 *
 * It takes at most 0.5 % of a CPU while the recording goes on, and asks nobody.  It ends with the agent, however
 * that ends, and has none of its descriptors: so it can keep nothing attached, and no connection open.
 */
#ifndef KVIEW_BYSTANDER_H
#define KVIEW_BYSTANDER_H

#include <sys/types.h>

#include "bystander/rounds.h"

struct bystander {
	pid_t pid;		/* 0: there is none any more; failure says why, where that was before after */
	int pidfd, fd;
	/* What it did, once it has ended; NULL: nothing. */
	struct rounds *rounds;
	char failure[160];	/* a sentence, or "" */
	char why[128];		/* likewise, what is behind the colon there */
};

/* rounds: its operations.  Stays on that CPU.  Where it fails, the others do nothing. */
void bystander__start(struct bystander *bystander, const struct rounds *rounds, int cpu);
/* While nothing is attached.  Its rounds are done when fd is readable, or have failed where that takes BYSTANDER_BEFORE_NS: then end_before. */
#define BYSTANDER_BEFORE_NS	2000000000ULL
void bystander__begin_before(struct bystander *bystander);
void bystander__end_before(struct bystander *bystander);
/* From now on, until the next one. */
void bystander__during(struct bystander *bystander);
/*
 * Does not wait: what is attached must not stay for longer because this process gets no CPU.  A round that is under way does not
 * count.  May be called again.
 */
void bystander__end_of_rounds(struct bystander *bystander);
/* When nothing is attached any more: the last rounds, for a second at most.  Then it has ended. */
void bystander__after(struct bystander *bystander);
/*
 * In place of the others, for who measures in turns: one round of that phase, at once.  has_round waits for it, that long at most;
 * true also where the bystander has failed.
 */
void bystander__ask_round(struct bystander *bystander, enum rounds_phase phase);
bool bystander__has_round(struct bystander *bystander, uint64_t timeout_ms);
/* Ends it, in whatever it is; may be called again. */
void bystander__end(struct bystander *bystander);
/* Likewise, and its rounds are no more. */
void bystander__free(struct bystander *bystander);

#endif
