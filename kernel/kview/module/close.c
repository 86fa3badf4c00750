// SPDX-License-Identifier: GPL-2.0
/* The end of a view. */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "attach.h"
#include "close.h"
#include "flow.h"
#include "lock.h"
#include "return.h"
#include "set.h"
#include "space.h"
#include "tracepoint.h"
#include "view.h"

/*
 * Nobody comes into hooks of the view any more, nor does anybody who returns come into its eBPF
 * programs.  Returns whether somebody may still be in one, until a grace period is over.
 */
static bool kview_view_desert(struct kview_view *v, struct kview_set **own, unsigned int n,
			      struct list_head *left)
{
	struct kview_set *set;
	bool used = false;
	unsigned int i;

	kview_leave_all(v, left);
	for (i = 0; i < n; i++)
		if (own[i]) {
			kview_set_remove(own[i]);
			used = true;
		}
	list_for_each_entry(set, &v->sets, node) {
		kview_returns_stop(set);
		used = true;
	}
	return used || !list_empty(left);
}

/*
 * The view's fd is closed: nobody may be in it any more.  One grace period is waited for, here, on
 * behalf of all its sets and processes.
 */
void kview_view_close(struct kview_view *v)
{
	struct kview_set *own[2];	/* nobody adds one to a closed view */
	LIST_HEAD(left);
	unsigned int i;
	bool used;

	mutex_lock(&kview_lock);
	v->closed = true;
	mutex_unlock(&kview_lock);
	kview_flows_stop(v);
	kview_flip_prepare();
	mutex_lock(&kview_lock);
	own[0] = v->policy;
	own[1] = v->borrow;
	used = kview_view_desert(v, own, ARRAY_SIZE(own), &left);
	mutex_unlock(&kview_lock);
	if (used)
		kview_spaces_free(&left);
	mutex_lock(&kview_lock);
	WRITE_ONCE(v->deserted, true);
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i])
			kview_set_bury(own[i]);
	kview_view_put(v);
	mutex_unlock(&kview_lock);
}
