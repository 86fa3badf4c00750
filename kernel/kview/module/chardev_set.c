// SPDX-License-Identifier: GPL-2.0
/*
 * Sets' part of /dev/kview: sites, their eBPF programs and counters by the fds that closing
 * undoes.
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "chardev_set.h"
#include "edit.h"
#include "event.h"
#include "filter.h"
#include "identity.h"
#include "ioctl.h"
#include "item.h"
#include "lock.h"
#include "memory.h"
#include "place.h"
#include "policy.h"
#include "prog.h"
#include "return.h"
#include "set.h"
#include "sites.h"
#include "switch.h"
#include "tally.h"
#include "tracepoint.h"
#include "view.h"

/*
 * Whatever has to be waited for, nobody waits for it with kview_lock held.  A set of a view that
 * was closed before has been waited for then, but for hooks in the base, which are others' text.
 */
static void kview_set_end(struct kview_set *set)
{
	bool events = set->kind == KVIEW_KIND_EVENT;
	struct kview_view *v = set->view;
	bool waits = !READ_ONCE(v->deserted) || set->flags & KVIEW_SET_FILTER;
	u64 start = ktime_get_ns();

	kview_filter_stop(set);
	if (waits)
		kview_flip_prepare();
	mutex_lock(&kview_lock);
	kview_set_remove(set);
	mutex_unlock(&kview_lock);
	/* so that its eBPF programs do not run any more when close() returns */
	if (waits)
		synchronize_rcu();
	mutex_lock(&kview_lock);
	kview_set_bury(set);
	v->destroy_ns = ktime_get_ns() - start;
	kview_view_put(v);
	mutex_unlock(&kview_lock);
	if (events)
		kview_buffers_put();
}

static int kview_set_release(struct inode *inode, struct file *file)
{
	kview_set_end(file->private_data);
	return 0;
}

static void kview_set_stat_fill(const struct kview_set *set, struct kview_set_stat *st)
{
	*st = (struct kview_set_stat){
		.sites = set->nsites,
		.places = set->nhooked,
		.missed = kview_set_lost(set, KVIEW_LOST_MISSED),
		.lost_irq = kview_set_lost(set, KVIEW_LOST_IRQ),
		.lost_nested = kview_set_lost(set, KVIEW_LOST_NESTED),
		.lost_borrowed = kview_set_lost(set, KVIEW_LOST_BORROWED),
		.lost_returns = kview_set_lost(set, KVIEW_LOST_RETURN),
		.lost_records = kview_set_lost(set, KVIEW_LOST_RECORD),
	};
}

static long kview_set_prog(struct kview_set *set, unsigned int cmd, void __user *user)
{
	struct kview_prog_add add;
	struct kview_prog_del del;
	struct kview_prog gone;
	bool adds = KVIEW_ANY_SIZE(cmd) == KVIEW_ANY_SIZE(KVIEW_PROG_ADD);
	u64 *cookies = NULL;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = adds ? kview_arg_get(cmd, &add, sizeof(add), user) :
		     kview_arg_get(cmd, &del, sizeof(del), user);
	if (ret)
		return ret;
	if (!adds && del.flags)
		return -EINVAL;
	/* before the lock: a page of the user's can take as long as it likes */
	if (adds && add.cookies) {
		cookies = kview_cookies_from_user(add.cookies, set->nsites);
		if (IS_ERR(cookies))
			return PTR_ERR(cookies);
	}
	mutex_lock(&kview_lock);
	if (set->view->closed)
		ret = -ENODEV;
	else if (adds)
		ret = kview_prog_add(set, &add, cookies);
	else
		ret = kview_prog_del(set, del.prog_fd, &gone);
	mutex_unlock(&kview_lock);
	if (!ret && !adds) {
		synchronize_rcu();
		kview_prog_release(&gone);
	}
	if (ret)
		kvfree(cookies);
	return ret;
}

static long kview_set_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct kview_set *set = file->private_data;
	void __user *user = (void __user *)arg;
	struct kview_set_stat st;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_PROG_ADD):
	case KVIEW_ANY_SIZE(KVIEW_PROG_DEL):
		return kview_set_prog(set, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_HITS):
	case KVIEW_ANY_SIZE(KVIEW_LOSSES):
	case KVIEW_ANY_SIZE(KVIEW_SITES):
		return kview_sites_ioctl(set, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_SET_STAT):
		kview_set_stat_fill(set, &st);
		return kview_arg_put(cmd, &st, sizeof(st), user);
	}
	return kview_item_ioctl(KVIEW_ITEM_SET, set, cmd, user);
}

static void kview_set_fdinfo(struct seq_file *m, struct file *file)
{
	kview_item_show(KVIEW_ITEM_SET, file->private_data, m);
}

static const struct file_operations kview_set_fops = {
	.owner = THIS_MODULE,
	.show_fdinfo = kview_set_fdinfo,
	.release = kview_set_release,
	.unlocked_ioctl = kview_set_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct kview_set *kview_set_try(struct kview_view *v, struct kview_set_create *arg,
				       const struct kview_places *places, u64 start)
{
	bool filter = arg->flags & KVIEW_SET_FILTER, wait;
	struct kview_set *set;
	int ret;

	kview_view_prepare(v);
	mutex_lock(&kview_lock);
	set = v->closed ? ERR_PTR(-ENODEV) :
	      kview_policy_set_create(v, arg->kind, arg->flags, arg->returns ?: KVIEW_RETURNS,
				      places->place, places->n, &arg->bad);
	if (!IS_ERR(set)) {
		kview_view_get(v);
		kview_identity_init(&set->who);
		v->create_ns = ktime_get_ns() - start;
	}
	/* several events can be at one place: then all hooks have to find all of them first */
	wait = v->nspaces && arg->kind == KVIEW_KIND_EVENT;
	if (!IS_ERR(set) && !wait && !filter)
		kview_set_start(set);
	mutex_unlock(&kview_lock);
	if (IS_ERR(set) || (!wait && !filter))
		return set;
	ret = filter ? kview_filter_start(set) : 0;
	if (ret) {
		kview_set_end(set);
		return ERR_PTR(ret);
	}
	if (wait)
		synchronize_rcu();
	mutex_lock(&kview_lock);
	kview_set_start(set);
	mutex_unlock(&kview_lock);
	return set;
}

static int kview_set_fd(struct kview_set *set)
{
	return kview_should_fail() ? -EMFILE :
	       anon_inode_getfd("[kview-set]", &kview_set_fops, set, O_RDWR | O_CLOEXEC);
}

static int kview_set_open(struct kview_view *v, struct kview_set_create *arg,
			  struct kview_places *places)
{
	u64 start = ktime_get_ns();
	struct kview_set *set;
	int ret;

	ret = kview_places_from_user(arg, places);
	if (!ret && arg->kind == KVIEW_KIND_EVENT)
		ret = kview_buffers_get();
	if (ret)
		return ret;
	do {
		set = kview_set_try(v, arg, places, start);
	} while (IS_ERR(set) && kview_places_skip(arg, places, PTR_ERR(set)));
	if (IS_ERR(set)) {
		if (arg->kind == KVIEW_KIND_EVENT)
			kview_buffers_put();
		return PTR_ERR(set);
	}
	set->owner = places->owner;
	set->nowners = places->count;
	places->owner = NULL;
	arg->added = places->n;
	ret = kview_places_report(arg, places);
	if (!ret)
		ret = kview_set_fd(set);
	if (ret < 0) {
		kview_set_end(set);
		kview_flip_prepare();
		mutex_lock(&kview_lock);
		kview_policy_release(v);	/* the caller's fd holds the view */
		mutex_unlock(&kview_lock);
	}
	return ret;
}

long kview_view_set_create(struct kview_view *v, unsigned int cmd, void __user *user)
{
	struct kview_set_create arg;
	struct kview_places places;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	ret = kview_set_open(v, &arg, &places);
	/* nothing could be used: why not */
	if (ret == -EADDRNOTAVAIL && arg.flags & KVIEW_SET_SKIP_UNUSABLE) {
		places.n = 0;
		if (kview_places_report(&arg, &places))
			ret = -EFAULT;
	}
	kview_places_free(&places);
	/* on success the fd is out already: a fault here only loses the count */
	if (kview_arg_put(cmd, &arg, sizeof(arg), user) && ret < 0)
		return -EFAULT;
	return ret;
}

/* Gets the sets' files: all of the view, none twice.  @n of them are to be put, on error too. */
static int kview_set_files_get(struct kview_view *v, const struct kview_sets_switch *arg,
			       struct file **file, struct kview_set **set, u32 *n)
{
	const s32 __user *user = u64_to_user_ptr(arg->sets);
	u32 i;
	s32 fd;

	for (*n = 0; *n < arg->count; (*n)++) {
		if (get_user(fd, user + *n))
			return -EFAULT;
		file[*n] = fget(fd);
		if (!file[*n])
			return -EBADF;
		set[*n] = file[*n]->private_data;
		if (file[*n]->f_op != &kview_set_fops || set[*n]->view != v) {
			fput(file[*n]);
			return -EINVAL;
		}
		for (i = 0; i < *n && set[i] != set[*n]; i++)
			;
		if (i < *n) {
			fput(file[*n]);
			return -EEXIST;
		}
	}
	return 0;
}

long kview_view_switch(struct kview_view *v, unsigned int cmd, const void __user *user)
{
	struct kview_sets_switch arg;
	struct kview_set **set;
	struct file **file;
	u32 n = 0;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.flags & ~KVIEW_SWITCH_ON || !arg.count)
		return -EINVAL;
	if (arg.count > KVIEW_SWITCH_MAX)
		return -E2BIG;
	set = kview_calloc(arg.count, sizeof(*set));
	file = kview_calloc(arg.count, sizeof(*file));
	ret = set && file ? kview_set_files_get(v, &arg, file, set, &n) : -ENOMEM;
	if (!ret)
		ret = kview_sets_switch(v, set, n, arg.flags & KVIEW_SWITCH_ON);
	while (n--)
		fput(file[n]);
	kvfree(file);
	kvfree(set);
	return ret;
}
