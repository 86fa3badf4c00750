/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before a process is measured in a view: whether it is within an execve that does not end.  It is let into an empty view and out again,
 * beside the agent, which has others to serve meanwhile.  What else may keep it out is found out when it is to be measured.
 */
#ifndef KVIEW_VIEW_TRIAL_H
#define KVIEW_VIEW_TRIAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "agent.pb-c.h"
#include "base/error.h"

/*
 * How long whoever asks for it waits for a process to come into a view.  An execve takes milliseconds, on an emulated machine that is
 * busy otherwise seconds.
 */
#define VIEW_PATIENCE_S		30
#define VIEW_PATIENCE_NS	(VIEW_PATIENCE_S * 1000000000ULL)

struct view_trial;

/* Whether the recording may be made in a view, as far as that is known before. */
bool view_trial__is_wanted(const Kview__Wire__StartRecordingRequest *request);
/* NULL: there is nothing to wait for, as there is no module, or this user may not use it. */
struct view_trial *view_trial__begin(pid_t pid);
/* Readable when it is known. */
int view_trial__fd(const struct view_trial *trial);
/* Frees it.  Fills no_view where the process has not come in by now. */
void view_trial__end(struct view_trial *trial, struct error *no_view);

#endif
