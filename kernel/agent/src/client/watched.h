/* SPDX-License-Identifier: GPL-2.0 */
/* The processes that a connection watches: those that it launched, and the one that it records. */
#ifndef KVIEW_WATCHED_H
#define KVIEW_WATCHED_H

#include "agent.pb-c.h"
#include "base/error.h"
#include "base/loop.h"
#include "client/wire.h"
#include "processes/traced.h"

struct watched;

struct watched_opts {
	struct loop *loop;
	struct wire *wire;
	/*
	 * Called before the end of a process is told.  May set how it ended, as a status of
	 * waitpid.
	 */
	void (*exiting)(void *context, struct traced *traced, bool *known, int *wait_status);
	void *context;
};

/* NULL: no memory. */
struct watched *watched__new(const struct watched_opts *opts);
/* Kills programs that were launched and never resumed. */
void watched__free(struct watched *watched);

/* The process, which is watched from now on; NULL with error filled. */
struct traced *watched__get(struct watched *watched, pid_t pid, struct error *error);

/* Handles requests to start programs, to let them run and to end them.  False: it is another one. */
bool watched__serve(struct watched *watched, const Kview__Wire__ToAgent *request);

/* Passes the programs' output on or holds it back, depending on whether the wire is congested. */
void watched__control_output(struct watched *watched);

#endif
