/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_RAISING_H
#define KVIEW_RAISING_H

#include <stdbool.h>

/*
 * Whether an open file gives rights to whoever executes it: setuid, setgid, file capabilities; true
 * as well where it can't be told.  O_PATH is enough.
 */
bool file__gives_rights(int fd);

#endif
