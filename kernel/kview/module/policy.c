// SPDX-License-Identifier: GPL-2.0
/*
 * The sites of the module's own by which it learns of fork and execve in a view, so that no
 * other process pays for it.  What then happens: follow.c.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/err.h>
#include <linux/list.h>
#include <linux/printk.h>

#include "kview.h"
#include "attach.h"
#include "place.h"
#include "policy.h"
#include "set.h"
#include "symbols.h"
#include "view.h"

static kview_callback_t kview_policy_hook;
static struct kview_policy_places kview_policy_at;

const struct kview_policy_places *kview_policy_places(void)
{
	return &kview_policy_at;
}

/* When the module is loaded: can the three be hooked in this kernel?  @hook is called there. */
int kview_policy_init(kview_callback_t hook)
{
	kview_policy_hook = hook;
	kview_policy_at.fork = kview_entry_ip(kview_sym.wake_up_new_task);
	kview_policy_at.exec = kview_entry_ip(kview_sym.begin_new_exec);
	kview_policy_at.exit = kview_entry_ip(kview_sym.do_exit);
	if (!kview_policy_at.fork || !kview_policy_at.exec || !kview_policy_at.exit ||
	    kview_pretend_missing("hooks")) {
		pr_err("wake_up_new_task, begin_new_exec or do_exit has no place for a hook\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Adds the sites to a view, once.  Under kview_lock. */
int kview_policy_enable(struct kview_view *v)
{
	struct kview_place place[] = {
		{ .ip = kview_policy_at.fork },
		{ .ip = kview_policy_at.exec },
		{ .ip = kview_policy_at.exit },
	};
	struct kview_set *set;

	if (v->policy)
		return 0;
	set = kview_set_create(v, KVIEW_KIND_ENTRY, place, ARRAY_SIZE(place), kview_policy_hook);
	if (IS_ERR(set))
		return PTR_ERR(set);
	v->policy = set;
	return 0;
}

/* Takes them out again, after an error, when nobody else wants them.  Under kview_lock. */
void kview_policy_release(struct kview_view *v)
{
	struct kview_attachment *att;

	if (!v->policy || v->nsyscalls)
		return;
	list_for_each_entry(att, &v->attachments, node)
		if (att->flags)
			return;
	kview_set_destroy(v->policy);
	v->policy = NULL;
}

/* A client's set, see kview_set_prepare(), and what it needs at fork and execve. */
struct kview_set *kview_policy_set_create(struct kview_view *v, u32 kind, u32 flags, u32 returns,
					  const struct kview_place *place, u32 n, u32 *bad)
{
	struct kview_set *set = kview_set_prepare(v, kind, flags, returns, place, n, bad);
	bool syscalls;
	int ret = 0;

	if (IS_ERR(set))
		return set;
	/* who leaves the view by fork or execve must lose the flag */
	syscalls = set->syscalls;
	if (syscalls)
		ret = kview_policy_enable(v);
	if (ret) {
		kview_set_free(set);
		return ERR_PTR(ret);
	}
	ret = kview_set_show(set);
	if (!ret)
		return set;
	if (syscalls)
		kview_policy_release(v);
	return ERR_PTR(ret);
}
