/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rights that the agent has beyond its caller's, taken off for a while: what is opened and
 * asked meanwhile is judged by the kernel as if the caller did it, by user, groups, and no
 * capabilities.  One process, one caller; not for use by several threads.
 */
#ifndef KVIEW_RIGHTS_H
#define KVIEW_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/* The agent has more rights than this user, from now on.  Without it all of this does nothing. */
void rights__limit(uid_t uid, gid_t gid);

/*
 * Nests; nothing happens at a restore without a lower.  A failure to drop the rights, or to get
 * them back, ends the process.
 */
void rights__lower(void);
void rights__restore(void);
bool rights__are_lowered(void);
/* Whether it ever does something. */
bool rights__are_limited(void);

/* Whom the agent acts for. */
uid_t rights__caller(void);

/* Whether what is opened now is opened with more rights than the caller has. */
bool rights__exceed(void);

#endif
