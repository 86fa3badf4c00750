/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that is watched: when it ends, and what it writes if it was launched here.
 * Its output is passed on in full: up to the end of the pipes, or, where something else
 * holds them open, up to what was in them when it ended.
 */
#ifndef KVIEW_TARGET_H
#define KVIEW_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/loop.h"
#include "processes/launch.h"

struct target;

struct target_opts {
	struct loop *loop;
	pid_t pid;
	struct launch *launch;		/* NULL for a process that runs anyway; ownership passes */
	/* Data is valid during the call. */
	void (*output)(void *context, struct target *target, bool error_stream,
		       const uint8_t *data, size_t length);
	/* After the last output.  known is false where only the fact is known. */
	void (*exited)(void *context, struct target *target, bool known, int wait_status);
	void *context;
};

/* NULL: the process does not exist (errno ESRCH), or another failure by errno. */
struct target *target__new(const struct target_opts *opts);
/* Kills a launched process that was never resumed. */
void target__free(struct target *target);

/* Tells of an end at once, not when its turn comes; target may be gone afterwards. */
void target__look(struct target *target);

pid_t target__pid(const struct target *target);
struct launch *target__launch(struct target *target);

/* While paused, output stays in the pipes and the process waits once they are full. */
void target__pause_output(struct target *target, bool pause);

#endif
