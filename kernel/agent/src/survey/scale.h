/* SPDX-License-Identifier: GPL-2.0 */
/* Brings the times of a tree into line with what is known exactly. */
#ifndef KVIEW_SURVEY_SCALE_H
#define KVIEW_SURVEY_SCALE_H

#include "survey/sampler.h"
#include "survey/tree.h"

/*
 * A sample stands for a fixed time, whatever the timers did, and short waits are in the tree by a sample of
 * them.  The sums by thread and reason are exact, so each thread's times are scaled to them.  What has no
 * stack at all counts at the root.
 */
void tree__scale(struct tree *tree, const struct sampler *sampler);

#endif
