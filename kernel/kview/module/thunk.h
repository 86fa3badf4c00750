/* SPDX-License-Identifier: GPL-2.0 */
/* The code of spots. */
#ifndef KVIEW_MODULE_THUNK_H
#define KVIEW_MODULE_THUNK_H

#include <linux/types.h>

/* At loading. */
void kview_thunks_init(const char *entry);	/* where every thunk ends up: entry.S */

/*
 * A thunk that nobody has; @id: its number, 0..KVIEW_SITES_MAX-1.  Under kview_lock; sleeps.
 * -ENOSPC: all are taken; -ENOMEM; -ERANGE: no memory near enough to entry.S;
 * or an error of set_memory_ro() or set_memory_x().
 */
int kview_thunk_get(u32 *id);

/* Sleeps until nobody is in a thunk who was there before: RCU tasks.  Without kview_lock. */
void kview_thunks_wait(void);

/* Gives it back, after kview_thunks_wait().  Under kview_lock. */
void kview_thunk_put(u32 id);

/* Where it is, from kview_thunk_get() to kview_thunk_put().  The code stays for good. */
unsigned long kview_thunk_addr(u32 id);

/* At unloading, after kview_thunks_wait(): frees the code. */
void kview_thunks_exit(void);

#endif
