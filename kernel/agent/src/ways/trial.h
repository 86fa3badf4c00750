/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one way of measuring costs: two processes of the agent's own make the same calls in turn, before the way is attached to
 * one of them, while it is, and after that.  The other one sees what processes pay that are not recorded.
 */
#ifndef KVIEW_WAYS_TRIAL_H
#define KVIEW_WAYS_TRIAL_H

#include "agent.pb-c.h"
#include "base/error.h"

struct way_trial;

/*
 * Takes half a second or so, a few seconds at most where the processes get no CPU; nothing stays attached.  Fills reply, which is
 * valid until way_trial__free.  NULL: error says why.
 */
struct way_trial *way_trial__run(const Kview__Wire__MeasureWayRequest *request, Kview__Wire__MeasureWayReply *reply,
				 struct error *error);
void way_trial__free(struct way_trial *trial);

#endif
