/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording costs processes that are not recorded, as a bystander finds it; see bystander/bystander.h. */
#ifndef KVIEW_COST_TO_OTHERS_H
#define KVIEW_COST_TO_OTHERS_H

#include "agent.pb-c.h"
#include "bystander/bystander.h"

struct cost_to_others;

/*
 * Before anything is loaded, so that the bystander has nothing of it.  Its rounds while nothing is attached begin.  NULL where the
 * request does not ask for it, or there is no memory: then all others do nothing.
 */
struct cost_to_others *cost_to_others__begin(const Kview__Wire__StartRecordingRequest *request);
/* Readable when these rounds are done; -1: nobody does any.  end_before is to be called then, or after COST_TO_OTHERS_BEFORE_NS. */
#define COST_TO_OTHERS_BEFORE_NS	BYSTANDER_BEFORE_NS
int cost_to_others__fd(const struct cost_to_others *cost);
void cost_to_others__end_before(struct cost_to_others *cost);
/* All is attached. */
void cost_to_others__during(struct cost_to_others *cost);
/* All is not attached any more from now on: nothing later counts as during the recording.  May be called again. */
void cost_to_others__point_comes_off(struct cost_to_others *cost);
/* It was not among what was attached: the rounds go on, and none of them is one of that point. */
void cost_to_others__point_was_never_on(struct cost_to_others *cost, uint32_t point);
/* All will be detached.  Does not wait. */
void cost_to_others__end_of_recording(struct cost_to_others *cost);
/* It is; takes a second.  Fills the message, which is valid until cost_to_others__free. */
void cost_to_others__tell(struct cost_to_others *cost, Kview__Wire__RecordingEnded *ended);
void cost_to_others__free(struct cost_to_others *cost);

#endif
