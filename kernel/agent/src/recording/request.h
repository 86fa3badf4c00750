/* SPDX-License-Identifier: GPL-2.0 */
/* Whether what a client asks to be recorded makes sense, before anything is looked up. */
#ifndef KVIEW_REQUEST_H
#define KVIEW_REQUEST_H

#include "agent.pb-c.h"
#include "base/error.h"

/*
 * Both return 0, or -1 with error filled.  What needs no look at the process comes first: it costs nothing, and
 * tells nothing of other people's processes.
 */
int request__check(const Kview__Wire__StartRecordingRequest *request, struct error *error);
int request__check_process(const Kview__Wire__StartRecordingRequest *request,
			   struct error *error);

#endif
