/* SPDX-License-Identifier: GPL-2.0 */
/* The requests about programs that are started here, without the connection they are of. */
#ifndef KVIEW_PROGRAMS_H
#define KVIEW_PROGRAMS_H

#include "agent.pb-c.h"
#include "processes/launch.h"

/* The caller's, to be freed after launch__free(); NULL with error filled. */
struct launch *program__launch(const Kview__Wire__LaunchRequest *request, struct error *error);

/* Launch may be NULL: no program of that number was launched.  Return 0, or -1 with error filled. */
int program__resume(struct launch *launch, const Kview__Wire__ResumeRequest *request,
		    struct error *error);
int program__end(struct launch *launch, const Kview__Wire__EndProgramRequest *request,
		 struct error *error);

#endif
