/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_RAISING_H
#define KVIEW_RAISING_H

#include <stdbool.h>

/*
 * Whether an open file gives rights to those who execute it: setuid, setgid, file capabilities.
 * Also true if that is not known.  An O_PATH descriptor is enough.
 */
bool file__gives_rights(int fd);

#endif
