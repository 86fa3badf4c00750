/* SPDX-License-Identifier: GPL-2.0 */
/* Whether what a client asks to be recorded makes sense, before anything is looked up. */
#ifndef KVIEW_REQUEST_H
#define KVIEW_REQUEST_H

#include "agent.pb-c.h"
#include "base/error.h"

/* Returns 0, or -1 with error filled. */
int request__check(const Kview__Wire__StartRecordingRequest *request, struct error *error);

#endif
