/* SPDX-License-Identifier: GPL-2.0 */
/* The sites that tell of fork and exec. */
#ifndef KVIEW_MODULE_POLICY_H
#define KVIEW_MODULE_POLICY_H

#include "set.h"

/*
 * Where the hooks go of every view that is told of fork, exec and exit.  Found once: later somebody
 * may be writing there.
 */
struct kview_policy_places {
	unsigned long fork, exec, exit;		/* wake_up_new_task(), begin_new_exec(), do_exit() */
};

/* At loading.  @hook is called there.  -EOPNOTSUPP: there is no place for one; the log says so. */
int kview_policy_init(kview_callback_t hook);

/* After that.  Any context. */
const struct kview_policy_places *kview_policy_places(void);

/* The rest under kview_lock; they sleep. */

/*
 * Adds the sites to a view, as its @policy, unless it has them.  Errors are kview_set_create()'s;
 * then nothing is changed.
 */
int kview_policy_enable(struct kview_view *v);

/* Takes them out of a view that is not closed, when nobody wants them any more. */
void kview_policy_release(struct kview_view *v);

/*
 * A client's set: kview_set_prepare() and kview_set_show(), with the sites that it needs.  It does
 * not hold the view: the caller takes a reference, and calls kview_set_start().  Errors are theirs;
 * then there is no set.
 */
struct kview_set *kview_policy_set_create(struct kview_view *v, u32 kind, u32 flags, u32 returns,
					  const struct kview_place *place, u32 n, u32 *bad);

#endif
