/* SPDX-License-Identifier: GPL-2.0 */
/* Requests about programs that the agent starts.  They need no state of a connection. */
#ifndef KVIEW_PROGRAMS_H
#define KVIEW_PROGRAMS_H

#include "agent.pb-c.h"
#include "processes/launch.h"

/* Returns a launch, which the caller frees after launch__free(); NULL with error filled. */
struct launch *program__launch(const Kview__Wire__LaunchRequest *request, struct error *error);

/*
 * launch is NULL if no program with that pid was launched.  Both return 0, or -1 with error filled.
 */
int program__resume(struct launch *launch, const Kview__Wire__ResumeRequest *request,
		    struct error *error);
int program__end(struct launch *launch, const Kview__Wire__EndProgramRequest *request,
		 struct error *error);

#endif
