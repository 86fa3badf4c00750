/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of this program.  Root may have given the file rights (by a rule of sudo's, or by
 * capabilities).  Then whoever can change the file has these rights for any program.
 */
#ifndef KVIEW_OWN_PROGRAM_H
#define KVIEW_OWN_PROGRAM_H

#include "base/error.h"

/*
 * Whether nobody but root can write to it, or put another one in its place: the file and each
 * folder on the way to it are root's, and not for others to write.  A folder where others may
 * make files but not rename root's (sticky, as /tmp) counts.  Returns 0, or -1 with error filled.
 *
 * This only warns an administrator of a mistake: whoever changed the file can have removed this check.
 */
int own_program__check(struct error *error);

#endif
