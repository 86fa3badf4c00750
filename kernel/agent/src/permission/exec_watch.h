/* SPDX-License-Identifier: GPL-2.0 */
/* Watches whether a process executes a program that gives it rights (setuid, file capabilities). */
#ifndef KVIEW_EXEC_WATCH_H
#define KVIEW_EXEC_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct exec_watch;

/*
 * Watches from now on; NULL with error filled.  When it happens, a separate thread closes all links
 * that cutoff.h knows.  There may be only one watch at a time.
 */
struct exec_watch *exec_watch__new(pid_t pid, struct error *error);
void exec_watch__free(struct exec_watch *watch);

/* True from before the first instruction of such a program. */
bool exec_watch__was_raised(const struct exec_watch *watch);

#endif
