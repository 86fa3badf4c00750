/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a process has executed a program that gives it rights (setuid, file capabilities). */
#ifndef KVIEW_EXEC_WATCH_H
#define KVIEW_EXEC_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct exec_watch;

/*
 * From now on; NULL with error filled.  When it happens all links that cutoff.h knows are closed, by
 * a thread of its own.  One at a time.
 */
struct exec_watch *exec_watch__new(pid_t pid, struct error *error);
void exec_watch__free(struct exec_watch *watch);

/* Set before the first instruction of such a program. */
bool exec_watch__was_raised(const struct exec_watch *watch);

#endif
