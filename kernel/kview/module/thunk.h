/* SPDX-License-Identifier: GPL-2.0 */
/* The code of spots. */
#ifndef KVIEW_MODULE_THUNK_H
#define KVIEW_MODULE_THUNK_H

#include <linux/types.h>

void kview_thunks_init(const char *entry);	/* where every thunk ends up: entry.S */
int kview_thunk_get(u32 *id);
void kview_thunks_wait(void);
void kview_thunk_put(u32 id);
unsigned long kview_thunk_addr(u32 id);
void kview_thunks_exit(void);

#endif
