/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watches whether a process executes a program that gives it rights (setuid, file capabilities), and
 * whether the agent goes on looking at what the process pays.
 */
#ifndef KVIEW_EXEC_WATCH_H
#define KVIEW_EXEC_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct exec_watch;

/*
 * Watches from now on; NULL with error filled.  When it happens, a separate thread closes all links
 * that cutoff.h knows.  There may be only one watch at a time.
 */
struct exec_watch *exec_watch__new(pid_t pid, struct error *error);
void exec_watch__free(struct exec_watch *watch);

/*
 * The agent looks at the costs, and will do so again before patience_ns have passed: if it doesn't, the
 * links are closed as well.  False: that has happened before.
 */
bool exec_watch__looks(struct exec_watch *watch, uint64_t patience_ns);

/* True from before the first instruction of such a program. */
bool exec_watch__was_raised(const struct exec_watch *watch);

#endif
