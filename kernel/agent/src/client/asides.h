/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests that can take long and change nothing of the agent's but what is known of its probes' cost.  A child of the agent's answers
 * each of them, so that the loop serves others meanwhile; what it holds of memory, and what goes wrong with it, ends with it.
 */
#ifndef KVIEW_ASIDES_H
#define KVIEW_ASIDES_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct asides;
struct calibration;
struct postponed;

/*
 * The caller stays the owner of all: of the calibration, which calibrating fills, and of those that wait until nothing is measured.
 * NULL: no memory.
 */
struct asides *asides__new(struct loop *loop, struct wire *wire, struct calibration *calibration, struct postponed *postponed);
/* Ends the children; nothing is answered any more. */
void asides__free(struct asides *asides);

/* Whether it is such a request. */
bool asides__serve(struct asides *asides, const Kview__Wire__ToAgent *request);

/* Whether it is one that measures: what others measure on this host meanwhile is in its figures, and it in theirs. */
bool aside__measures(const Kview__Wire__ToAgent *request);

#endif
