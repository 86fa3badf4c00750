/* SPDX-License-Identifier: GPL-2.0 */
/* What a hook or a CPU may still be using for a moment. */
#ifndef KVIEW_MODULE_RETIRE_H
#define KVIEW_MODULE_RETIRE_H

#include <linux/list.h>

struct kview_retired {
	struct list_head node;
	void (*free)(struct kview_retired *r);
};

void kview_retire(struct kview_retired *r, void (*free)(struct kview_retired *r));
void kview_retire_exit(void);

#endif
