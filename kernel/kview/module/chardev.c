// SPDX-License-Identifier: GPL-2.0
/* /dev/kview and the file descriptors it hands out; the contract is uapi/kview.h. */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "chardev.h"
#include "chardev_attach.h"
#include "ioctl.h"
#include "lock.h"
#include "memory.h"
#include "place.h"
#include "policy.h"
#include "prog.h"
#include "set.h"
#include "stats.h"
#include "symbols.h"
#include "view.h"

bool kview_capable(void)
{
	/* what is hooked here is what kprobes could hook */
	if (security_locked_down(LOCKDOWN_KPROBES))
		return false;
	return capable(CAP_SYS_ADMIN) || (capable(CAP_BPF) && capable(CAP_PERFMON));
}

/* ---- a set's fd ---- */

static int kview_set_release(struct inode *inode, struct file *file)
{
	struct kview_set *set = file->private_data;
	struct kview_view *v = set->view;
	u64 start = ktime_get_ns();

	mutex_lock(&kview_lock);
	kview_set_remove(set);
	mutex_unlock(&kview_lock);
	/* so that its programs do not run any more when close() returns */
	synchronize_rcu();
	mutex_lock(&kview_lock);
	kview_set_bury(set);
	v->destroy_ns = ktime_get_ns() - start;
	kview_view_put(v);
	mutex_unlock(&kview_lock);
	return 0;
}

static int kview_hits_to_user(struct kview_set *set, const struct kview_hits *arg)
{
	u64 __user *buf = u64_to_user_ptr(arg->buf);
	unsigned int cpu;
	u32 i;

	if (arg->reserved)
		return -EINVAL;
	if (arg->first > set->nsites || arg->count > set->nsites - arg->first)
		return -ERANGE;
	if (arg->cpu < -1 || (arg->cpu >= 0 && (arg->cpu >= (s32)nr_cpu_ids ||
						!cpu_possible(arg->cpu))))
		return -ERANGE;
	for (i = 0; i < arg->count; i++) {
		u64 sum = 0;

		if (arg->cpu >= 0)
			sum = kview_set_hits(set, arg->first + i, arg->cpu);
		else
			for_each_possible_cpu(cpu)
				sum += kview_set_hits(set, arg->first + i, cpu);
		if (put_user(sum, buf + i))
			return -EFAULT;
		cond_resched();
	}
	return 0;
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
	struct kview_hits hits;
	int ret;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_PROG_ADD):
	case KVIEW_ANY_SIZE(KVIEW_PROG_DEL):
		return kview_set_prog(set, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_HITS):
		ret = kview_arg_get(cmd, &hits, sizeof(hits), user);
		return ret ? ret : kview_hits_to_user(set, &hits);
	case KVIEW_ANY_SIZE(KVIEW_SET_STAT):
		st = (struct kview_set_stat){
			.sites = set->nsites,
			.places = set->nlinks,
			.missed = atomic64_read(&set->missed),
		};
		return kview_arg_put(cmd, &st, sizeof(st), user);
	}
	return -ENOTTY;
}

static const struct file_operations kview_set_fops = {
	.owner = THIS_MODULE,
	.release = kview_set_release,
	.unlocked_ioctl = kview_set_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* ---- a view's fd ---- */

static int kview_view_release(struct inode *inode, struct file *file)
{
	kview_view_close(file->private_data);
	return 0;
}

static struct kview_set *kview_set_try(struct kview_view *v, struct kview_set_create *arg,
				       const struct kview_places *places, u64 start)
{
	struct kview_set *set;

	mutex_lock(&kview_lock);
	set = v->closed ? ERR_PTR(-ENODEV) :
	      kview_set_create(v, arg->kind, arg->flags, places->place, places->n, NULL,
			       &arg->bad);
	if (!IS_ERR(set)) {
		kview_view_get(v);
		v->create_ns = ktime_get_ns() - start;
	}
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
	if (ret)
		return ret;
	do {
		set = kview_set_try(v, arg, places, start);
	} while (IS_ERR(set) && kview_places_skip(arg, places, PTR_ERR(set)));
	if (IS_ERR(set))
		return PTR_ERR(set);
	arg->added = places->n;
	ret = kview_places_report(arg, places);
	if (!ret)
		ret = kview_set_fd(set);
	if (ret < 0) {
		mutex_lock(&kview_lock);
		kview_set_destroy(set);
		kview_policy_release(v);
		kview_view_put(v);
		mutex_unlock(&kview_lock);
	}
	return ret;
}

static long kview_view_set_create(struct kview_view *v, unsigned int cmd, void __user *user)
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

static long kview_view_stat(struct kview_view *v, unsigned int cmd, void __user *user)
{
	struct kview_view_stat st;

	mutex_lock(&kview_lock);
	kview_view_stat_fill(v, &st);
	mutex_unlock(&kview_lock);
	return kview_arg_put(cmd, &st, sizeof(st), user);
}

static long kview_view_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct kview_view *v = file->private_data;
	void __user *user = (void __user *)arg;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_SET_CREATE):
		return kview_view_set_create(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH):
		return kview_view_attach(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH_CGROUP):
		return kview_view_attach_cgroup(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH_FLOW):
		return kview_view_attach_flow(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_VIEW_STAT):
		return kview_view_stat(v, cmd, user);
	}
	return -ENOTTY;
}

static const struct file_operations kview_view_fops = {
	.owner = THIS_MODULE,
	.release = kview_view_release,
	.unlocked_ioctl = kview_view_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* ---- /dev/kview ---- */

static long kview_dev_view_create(unsigned int cmd, void __user *user)
{
	struct kview_view_create arg;
	struct kview_view *v;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.flags || arg.reserved)
		return -EINVAL;
	v = kview_view_create();
	if (IS_ERR(v))
		return PTR_ERR(v);
	ret = kview_should_fail() ? -EMFILE :
	      anon_inode_getfd("[kview-view]", &kview_view_fops, v, O_RDWR | O_CLOEXEC);
	if (ret < 0)
		kview_view_close(v);
	return ret;
}

static long kview_dev_info(unsigned int cmd, void __user *user)
{
	struct kview_info info = {
		.api_version = KVIEW_API_VERSION,
		.features = KVIEW_FEATURE_ENTRY | KVIEW_FEATURE_TRACEPOINT |
			    KVIEW_FEATURE_SYSCALL | KVIEW_FEATURE_RETURN |
			    KVIEW_FEATURE_EVENT | KVIEW_FEATURE_FILTER |
			    KVIEW_FEATURE_CGROUP | KVIEW_FEATURE_FLOW |
			    KVIEW_FEATURE_ANY_SIZE | KVIEW_FEATURE_RESULTS,
	};

	if (capable(CAP_SYSLOG)) {	/* as /proc/kallsyms */
		info.text_start = kview_sym.text_start;
		info.text_end = kview_sym.text_end;
	}
	return kview_arg_put(cmd, &info, sizeof(info), user);
}

static long kview_dev_stat(unsigned int cmd, void __user *user)
{
	struct kview_stat st;

	kview_stat_fill(&st);
	return kview_arg_put(cmd, &st, sizeof(st), user);
}

static long kview_dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_INFO):
		return kview_dev_info(cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_STAT):
		return kview_dev_stat(cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_VIEW_CREATE):
		return kview_dev_view_create(cmd, user);
	}
	return -ENOTTY;
}

static const struct file_operations kview_dev_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = kview_dev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* Everyone may ask; creating a view takes a capability. */
static struct miscdevice kview_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "kview",
	.mode = 0666,
	.fops = &kview_dev_fops,
};

int kview_chardev_init(void)
{
	return misc_register(&kview_device);
}

void kview_chardev_exit(void)
{
	misc_deregister(&kview_device);
}
