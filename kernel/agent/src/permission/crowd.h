/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many agents one caller has on this host.  Each takes memory, that of a recording the kernel's,
 * and a recording makes each context switch of the host longer: a user who has an agent with more
 * rights than his own could take all of it.  Agents tell each other by their names (comm).
 */
#ifndef KVIEW_CROWD_H
#define KVIEW_CROWD_H

#include "permission/caller.h"

/* At once, of one caller; of more than that at the same instant all may be refused. */
#define CROWD_MAX_AGENTS	64
#define CROWD_MAX_RECORDINGS	16

/* Returns 0, or -1 with error filled where the caller has as many agents already. */
int crowd__enter(const struct caller *caller, struct error *error);
/* The same of recordings; this agent counts as one that records until it stops to. */
int crowd__begin_recording(const struct caller *caller, struct error *error);
void crowd__end_recording(void);

#endif
