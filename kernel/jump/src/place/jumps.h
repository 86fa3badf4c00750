/* SPDX-License-Identifier: GPL-2.0 */
/* The bytes of the jumps themselves, for a struct remote while all threads stand: see stopped__work. */
#ifndef KVIEW_JUMP_JUMPS_H
#define KVIEW_JUMP_JUMPS_H

#include "place/image.h"
#include "place/stopped.h"

struct remote;

/* As many as there is time for, from remote->next on. */
int jumps__put(struct stopped *stopped, void *remote, struct error *error);
/*
 * Whether there is memory for copies of what the process shares with processes that it forked or was forked from: without it the kernel
 * would end it, even for being stopped, as its threads are woken.  So this is asked before.
 */
int jumps__check_memory(const struct remote *remote, struct error *error);
/* As many as there is time for, from remote->next on.  With the first one the counting ends. */
int jumps__restore(struct stopped *stopped, void *remote, struct error *error);
/* Those that are unwanted; the code that they lead to stays for who is in it. */
int jumps__drop(struct stopped *stopped, void *remote, struct error *error);
/*
 * Whether somebody else has put a trap into the window, or took one away there.  The program is right all the same, but calls may not be
 * counted, and who put the trap may wait for it in vain.
 */
bool jumps__is_disturbed(const struct image_patch *patch, int memory);
/* Whether the jump is there, if with others' traps in it. */
bool jumps__stands(const struct image_patch *patch, int memory);
/* The counting begins, and ends. */
int jumps__count(struct stopped *stopped, void *remote, struct error *error);
int jumps__count_no_more(struct stopped *stopped, void *remote, struct error *error);

#endif
