/* SPDX-License-Identifier: GPL-2.0 */
/* Waits beside the loop until a process can come into a view of the kernel, see view_trial.h: for whoever wants to measure it there. */
#ifndef KVIEW_TRYING_H
#define KVIEW_TRYING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/loop.h"

struct view_trial;

/* Of zeros: nobody waits. */
struct trying {
	struct loop *loop;
	struct view_trial *trial;
	struct loop_source answer, timer;
	/* no_view: as in struct mechanism_load. */
	void (*done)(void *context, const struct error *no_view);
	void *context;
};

/* Stays in place until done is called or it is broken off.  done may be called before this returns. */
void trying__begin(struct trying *trying, struct loop *loop, pid_t pid, void (*done)(void *context, const struct error *no_view),
		   void *context);
bool trying__is_on(const struct trying *trying);
/* done is not called. */
void trying__break_off(struct trying *trying);

#endif
