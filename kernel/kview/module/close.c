// SPDX-License-Identifier: GPL-2.0
/* The end of a view. */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "attach.h"
#include "close.h"
#include "flow.h"
#include "lock.h"
#include "set.h"
#include "view.h"

/* The view's fd is closed: nobody may be in it any more. */
void kview_view_close(struct kview_view *v)
{
	struct kview_set *own[2];	/* nobody adds one to a closed view */
	unsigned int i;

	mutex_lock(&kview_lock);
	v->closed = true;
	mutex_unlock(&kview_lock);
	kview_flows_stop(v);
	kview_detach_all(v);
	own[0] = v->policy;
	own[1] = v->borrow;
	mutex_lock(&kview_lock);
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i])
			kview_set_remove(own[i]);
	mutex_unlock(&kview_lock);
	if (own[0] || own[1])
		synchronize_rcu();
	mutex_lock(&kview_lock);
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i])
			kview_set_bury(own[i]);
	kview_view_put(v);
	mutex_unlock(&kview_lock);
}
