/* SPDX-License-Identifier: GPL-2.0 */
/* The bytes of the jumps themselves, for a struct remote while all threads stand: see stopped__work. */
#ifndef KVIEW_JUMP_JUMPS_H
#define KVIEW_JUMP_JUMPS_H

#include "place/stopped.h"

/* As many as there is time for, from remote->next on.  With the last one the counting begins. */
int jumps__put(struct stopped *stopped, void *remote, struct error *error);
/* As many as there is time for, from remote->next on.  With the first one the counting ends. */
int jumps__restore(struct stopped *stopped, void *remote, struct error *error);

#endif
