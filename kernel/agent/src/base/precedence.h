/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precedence of the agent's thread over ordinary ones, so that it reads events in time where very many threads want a
 * CPU.  It is bounded: PRECEDENCE_MOST_NS on a CPU at a time, and one tick of the kernel more, and of all time one part in
 * PRECEDENCE_SHARE; what the thread takes beyond, it takes as any other.  The kernel's timer of the thread's CPU time
 * sees to that, whatever the agent does meanwhile.
 */
#ifndef KVIEW_PRECEDENCE_H
#define KVIEW_PRECEDENCE_H

#include <stdbool.h>

#define PRECEDENCE_MOST_NS	10000000L
#define PRECEDENCE_SHARE	2

/* 0, or an errno: why the agent can't have it.  Children of the agent never have it. */
int precedence__try(void);
/* Likewise; then it has it until precedence__end, which may be called in any case. */
int precedence__begin(void);
void precedence__end(void);

/* To be called now and then while there is work: a new window begins where the last one is over. */
void precedence__renew(void);
/*
 * To be called before the thread waits: so that it has precedence when that is over.  Where it has taken all that there is in this window,
 * it waits here for the next one.
 */
void precedence__before_wait(void);

#endif
