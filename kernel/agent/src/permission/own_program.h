/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of this very program.  Where root gave the file rights (a rule of sudo's, capabilities)
 * who can change it has them for whatever program.
 */
#ifndef KVIEW_OWN_PROGRAM_H
#define KVIEW_OWN_PROGRAM_H

#include "base/error.h"

/*
 * Whether nobody but root can write to it, or put another one in its place: the file and each
 * folder on the way to it are root's, and not for others to write.  A folder where others may
 * make files but not rename root's (sticky, as /tmp) counts.  Returns 0, or -1 with error filled.
 *
 * It tells a careful administrator of a mistake.  Who has changed the file has changed this too.
 */
int own_program__check(struct error *error);

#endif
