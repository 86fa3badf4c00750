/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long the agent waits for a process to come into a view.  What is waited for is the end of an execve that the process may
 * be within: it takes milliseconds, on an emulated machine that is busy otherwise seconds.  Meanwhile the agent does nothing else.
 */
#ifndef KVIEW_VIEW_PATIENCE_H
#define KVIEW_VIEW_PATIENCE_H

#include <stdbool.h>

#define VIEW_PATIENCE_S	30

/* Whether there is something to read at fd within that time.  A signal does not end it. */
bool view_patience__await(int fd);

#endif
