// SPDX-License-Identifier: GPL-2.0
/* What is loaded: all views, sets and attachments, and each by its file. */
#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "attach.h"
#include "identity.h"
#include "ioctl.h"
#include "item.h"
#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "set.h"
#include "space.h"
#include "stats.h"
#include "view.h"

static struct kview_identity *kview_item_identity(u32 type, void *object)
{
	switch (type) {
	case KVIEW_ITEM_VIEW:
		return &((struct kview_view *)object)->who;
	case KVIEW_ITEM_SET:
		return &((struct kview_set *)object)->who;
	default:
		return &((struct kview_attachment *)object)->who;
	}
}

static void kview_item_of_view(struct kview_view *v, struct kview_item *item)
{
	struct kview_view_stat st;
	struct kview_set *set;

	kview_view_stat_fill(v, &st);
	item->view = v->who.id;
	item->flags = v->closed ? KVIEW_ITEM_CLOSED : 0;
	item->processes = v->nspaces;
	item->memory = st.memory;
	item->text_pages = st.text_pages;
	item->text_pages_shared = st.text_pages_shared;
	item->table_pages = st.table_pages;
	item->took_ns = st.create_ns;
	item->ended_ns = st.destroy_ns;
	list_for_each_entry(set, &v->sets, node)
		if (set->who.id)
			item->sites += set->nsites;
}

static void kview_item_of_set(const struct kview_set *set, struct kview_item *item)
{
	item->view = set->view->who.id;
	item->kind = set->kind;
	item->flags = (set->linked ? 0 : KVIEW_ITEM_OFF) |
		      (set->flags & KVIEW_SET_FILTER ? KVIEW_ITEM_FILTER : 0);
	item->sites = set->nsites;
	item->memory = kview_set_memory(set);
}

static void kview_item_of_attachment(const struct kview_attachment *att, struct kview_item *item)
{
	item->view = att->view->who.id;
	item->kind = att->cgrp ? KVIEW_TARGET_CGROUP : att->flow ? KVIEW_TARGET_FLOW :
							KVIEW_TARGET_PROCESS;
	item->processes = att->nspaces;
	item->memory = sizeof(*att) + att->nspaces * (sizeof(struct kview_space) +
						      sizeof(struct kview_follow));
	item->attach_flags = att->flags;
	item->joined = att->joined;
	item->join_failed = atomic_read(&att->join_failed);
	item->left = att->left;
	item->elsewhere = READ_ONCE(att->elsewhere);
	item->took_ns = att->attach_ns;
	item->target_pid = kview_pid_seen(att->target);
	if (att->cgrp)
		item->target_cgroup = cgroup_id(att->cgrp);
}

/* Under kview_lock. */
static void kview_item_fill(u32 type, void *object, struct kview_item *item)
{
	memset(item, 0, sizeof(*item));
	item->type = type;
	kview_identity_tell(kview_item_identity(type, object), item);
	if (type == KVIEW_ITEM_VIEW)
		kview_item_of_view(object, item);
	else if (type == KVIEW_ITEM_SET)
		kview_item_of_set(object, item);
	else
		kview_item_of_attachment(object, item);
}

/* Who has an address space in the view, as long as that is so; else it is as it was. */
void kview_item_of_mm(struct mm_struct *mm, const struct kview_view *v, struct kview_item *item)
{
	struct kview_attachment *att;

	mutex_lock(&kview_lock);
	/* it is not freed without the lock */
	att = kview_attachment_in(mm, v);
	/* one without an id has no file yet: who asks may come again */
	if (att && att->who.id)
		kview_item_fill(KVIEW_ITEM_ATTACHMENT, att, item);
	mutex_unlock(&kview_lock);
}

static long kview_item_rename(u32 type, void *object, unsigned int cmd, const void __user *user)
{
	struct kview_name name;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &name, sizeof(name), user);
	if (ret)
		return ret;
	mutex_lock(&kview_lock);
	ret = kview_identity_name(kview_item_identity(type, object), &name);
	mutex_unlock(&kview_lock);
	return ret;
}

long kview_item_ioctl(u32 type, void *object, unsigned int cmd, void __user *user)
{
	struct kview_item item;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_ITEM):
		mutex_lock(&kview_lock);
		kview_item_fill(type, object, &item);
		mutex_unlock(&kview_lock);
		return kview_arg_put(cmd, &item, sizeof(item), user);
	case KVIEW_ANY_SIZE(KVIEW_NAME):
		return kview_item_rename(type, object, cmd, user);
	}
	return -ENOTTY;
}

/* Its fdinfo. */
void kview_item_show(u32 type, void *object, struct seq_file *m)
{
	static const char *const types[] = {
		[KVIEW_ITEM_VIEW] = "view",
		[KVIEW_ITEM_SET] = "set",
		[KVIEW_ITEM_ATTACHMENT] = "attachment",
	};
	struct kview_item item;

	mutex_lock(&kview_lock);
	kview_item_fill(type, object, &item);
	mutex_unlock(&kview_lock);
	seq_printf(m, "kview-type:\t%s\nkview-id:\t%llu\nkview-view:\t%llu\nkview-kind:\t%u\n",
		   types[type], item.id, item.view, item.kind);
	seq_printf(m, "kview-name:\t%s\nkview-owner-pid:\t%u\nkview-owner-uid:\t%u\n", item.name,
		   item.owner_pid, item.owner_uid);
	seq_printf(m, "kview-since-ns:\t%llu\nkview-memory:\t%llu\nkview-processes:\t%u\n",
		   item.since_ns, item.memory, item.processes);
	seq_printf(m, "kview-sites:\t%u\nkview-target-pid:\t%u\nkview-target-cgroup:\t%llu\n",
		   item.sites, item.target_pid, item.target_cgroup);
}

struct kview_listing {
	struct kview_item *item;
	u32 room, n;
};

static void kview_list_add(struct kview_listing *l, u32 type, void *object)
{
	if (!kview_item_identity(type, object)->id)
		return;
	if (l->n < l->room)
		kview_item_fill(type, object, &l->item[l->n]);
	l->n++;
}

/* Under kview_lock. */
static void kview_list_all(struct kview_listing *l)
{
	struct kview_attachment *att;
	struct kview_view *v;
	struct kview_set *set;

	list_for_each_entry(v, &kview_views, node) {
		kview_list_add(l, KVIEW_ITEM_VIEW, v);
		list_for_each_entry(set, &v->sets, node)
			kview_list_add(l, KVIEW_ITEM_SET, set);
		list_for_each_entry(att, &v->attachments, node)
			kview_list_add(l, KVIEW_ITEM_ATTACHMENT, att);
	}
}

static int kview_list_take(struct kview_listing *l, u32 room)
{
	struct kview_listing count = {};
	int ret = 0;

	mutex_lock(&kview_lock);
	kview_list_all(&count);
	l->room = min(room, count.n);
	if (l->room)
		l->item = kview_calloc(l->room, sizeof(*l->item));
	if (l->room && !l->item)
		ret = -ENOMEM;
	else
		kview_list_all(l);
	mutex_unlock(&kview_lock);
	return ret;
}

long kview_items_list(unsigned int cmd, void __user *user)
{
	struct kview_listing l = {};
	struct kview_list arg;
	int ret;
	u32 i;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.reserved || !arg.item_size)
		return -EINVAL;
	ret = kview_list_take(&l, arg.count);
	for (i = 0; i < l.room && !ret; i++) {
		ret = kview_element_put(arg.buf, i, arg.item_size, &l.item[i], sizeof(l.item[i]));
		cond_resched();
	}
	kvfree(l.item);
	arg.total = l.n;
	return ret ? ret : kview_arg_put(cmd, &arg, sizeof(arg), user);
}
