/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many agents one caller has on this host.  Each takes memory, that of a recording the kernel's,
 * and a recording makes each context switch of the host longer: a user who has an agent with more
 * rights than his own could take all of it.  Agents tell each other by their names (comm).
 */
#ifndef KVIEW_CROWD_H
#define KVIEW_CROWD_H

#include "permission/caller.h"

/*
 * How many one caller may have at the same time.  If more than that begin at the same instant, all of
 * these may be refused.
 */
#define CROWD_MAX_AGENTS	64
#define CROWD_MAX_RECORDINGS	16

/* Returns 0, or -1 with error filled if the caller has that many agents already. */
int crowd__enter(const struct caller *caller, struct error *error);
/* The same for recordings.  The agent counts as one that records until crowd__end_recording. */
int crowd__begin_recording(const struct caller *caller, struct error *error);
void crowd__end_recording(void);

#endif
