/* SPDX-License-Identifier: GPL-2.0 */
/* Where a recording leaves out what belongs to other processes. */
#ifndef KVIEW_FILTER_H
#define KVIEW_FILTER_H

#include "agent.pb-c.h"
#include "base/error.h"

/* Whether this agent can filter so on this host; returns -1 with error where not. */
int filter__check(const Kview__Wire__StartRecordingRequest *request, struct error *error);

#endif
