/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that is watched: for its end and, if it was launched here, for its output.
 * The whole output is passed on: up to the end of the pipes or, if other processes hold them
 * open, up to what was in them when the process ended.
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
	struct launch *launch;		/* is owned from then on; NULL if not launched here */
	/* data is valid during the call. */
	void (*output)(void *context, struct traced *traced, bool error_stream,
		       const uint8_t *data, size_t length);
	/* Called after the last output.  known is false if how it ended is not known. */
	void (*exited)(void *context, struct traced *traced, bool known, int wait_status);
	void *context;
};

/* NULL with errno; ESRCH if the process does not exist. */
struct traced *traced__new(const struct traced_opts *opts);
/* Kills a launched process that was never resumed. */
void traced__free(struct traced *traced);

/* Checks for the end at once, not when the loop comes to it.  traced may be freed afterwards. */
void traced__look(struct traced *traced);

pid_t traced__pid(const struct traced *traced);
struct launch *traced__launch(struct traced *traced);

/* While paused, output stays in the pipes; the process has to wait once they are full. */
void traced__pause_output(struct traced *traced, bool pause);

#endif
