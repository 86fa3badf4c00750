/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that is watched: when it ends, and what it writes if it was launched here.
 * Its output is passed on in full: up to the end of the pipes, or, where something else
 * holds them open, up to what was in them when it ended.
 */
#ifndef KVIEW_TRACED_H
#define KVIEW_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/loop.h"
#include "processes/launch.h"

struct traced;

struct traced_opts {
	struct loop *loop;
	pid_t pid;
	struct launch *launch;		/* NULL for a process that runs anyway; ownership passes */
	/* Data is valid during the call. */
	void (*output)(void *context, struct traced *traced, bool error_stream,
		       const uint8_t *data, size_t length);
	/* After the last output.  known is false where only the fact is known. */
	void (*exited)(void *context, struct traced *traced, bool known, int wait_status);
	void *context;
};

/* NULL: the process does not exist (errno ESRCH), or another failure by errno. */
struct traced *traced__new(const struct traced_opts *opts);
/* Kills a launched process that was never resumed. */
void traced__free(struct traced *traced);

/* Tells of an end at once, not when its turn comes; traced may be gone afterwards. */
void traced__look(struct traced *traced);

pid_t traced__pid(const struct traced *traced);
struct launch *traced__launch(struct traced *traced);

/* While paused, output stays in the pipes and the process waits once they are full. */
void traced__pause_output(struct traced *traced, bool pause);

#endif
