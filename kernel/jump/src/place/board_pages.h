/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of springboards in a process, for a struct remote while all threads stand: see stopped__work. */
#ifndef KVIEW_JUMP_BOARD_PAGES_H
#define KVIEW_JUMP_BOARD_PAGES_H

#include "place/remote.h"

/*
 * As many as there is time for, from remote->next_board on; the process has the record already, by which they are found again, and which
 * says how far this has come.
 */
int board_pages__map(struct stopped *stopped, void *remote, struct error *error);
/* The same, once no thread is in them, or in code that leads there; but for what is not there, or no longer. */
int board_pages__unmap(struct stopped *stopped, void *remote, struct error *error);
/* Of those that it should have, by its record, leaves what is there: what the process mapped in a place is its own, whatever that has. */
void board_pages__find(struct remote *remote, int memory, const struct regions *regions);
/* -1 with error: a thread is in the code or on a springboard, or comes back there. */
int board_pages__check(const struct remote *remote, const struct stopped *stopped, const struct regions *regions, struct error *error);

#endif
