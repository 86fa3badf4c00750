/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process of the agent's own that is not recorded, and sees for itself what a recording costs it:
 *
 *	bystander__start  ->  before  ->  (attach)  during  ->  end_of_recording  ->  (detach)  after  ->  end
 *
 * It takes at most 0.5 % of a CPU while the recording goes on, and asks nobody.  It ends with the agent, however
 * that ends, and has none of its descriptors: so it can keep nothing attached, and no connection open.
 */
#ifndef KVIEW_BYSTANDER_H
#define KVIEW_BYSTANDER_H

#include <sys/types.h>

#include "bystander/rounds.h"

struct bystander {
	pid_t pid;		/* 0: there is none any more, and failure says why */
	int pidfd, fd;
	char failure[128];	/* a sentence, or "" */
};

/* rounds: its operations; it is filled at the end.  Stays on that CPU.  Where it fails, the others do nothing. */
void bystander__start(struct bystander *bystander, const struct rounds *rounds, int cpu);
/* While nothing is attached.  Returns when its rounds are done. */
void bystander__before(struct bystander *bystander);
/* From now on, until the next one. */
void bystander__during(struct bystander *bystander);
/* No round is under way when it returns. */
void bystander__end_of_recording(struct bystander *bystander);
/* When nothing is attached any more: the last rounds, and then all that were done. */
void bystander__after(struct bystander *bystander, struct rounds *rounds);
/* Ends it, in whatever it is; may be called again. */
void bystander__end(struct bystander *bystander);

#endif
