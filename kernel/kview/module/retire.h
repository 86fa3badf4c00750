/* SPDX-License-Identifier: GPL-2.0 */
/* What a hook or a CPU may still be using for a moment. */
#ifndef KVIEW_MODULE_RETIRE_H
#define KVIEW_MODULE_RETIRE_H

#include <linux/list.h>

/* Part of what is retired; on a list of retire.c's until @free is called. */
struct kview_retired {
	struct list_head node;
	void (*free)(struct kview_retired *r);
};

/*
 * Calls @free once a grace period of RCU has passed, in a kernel thread, under kview_lock; @free
 * may retire other objects.  Under kview_lock; cannot fail.
 */
void kview_retire(struct kview_retired *r, void (*free)(struct kview_retired *r));
/* At unloading: all that is retired is freed when it returns.  Without kview_lock. */
void kview_retire_exit(void);

#endif
