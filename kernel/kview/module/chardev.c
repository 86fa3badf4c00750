// SPDX-License-Identifier: GPL-2.0
/* /dev/kview and the file descriptors it hands out; the contract is uapi/kview.h. */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "chardev.h"
#include "chardev_attach.h"
#include "chardev_set.h"
#include "close.h"
#include "identity.h"
#include "ioctl.h"
#include "item.h"
#include "lock.h"
#include "memory.h"
#include "stats.h"
#include "symbols.h"
#include "view.h"

/* ---- a view's fd ---- */

static int kview_view_release(struct inode *inode, struct file *file)
{
	kview_view_close(file->private_data);
	return 0;
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
	case KVIEW_ANY_SIZE(KVIEW_SETS_SWITCH):
		return kview_view_switch(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH):
		return kview_view_attach(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH_CGROUP):
		return kview_view_attach_cgroup(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_ATTACH_FLOW):
		return kview_view_attach_flow(v, cmd, user);
	case KVIEW_ANY_SIZE(KVIEW_VIEW_STAT):
		return kview_view_stat(v, cmd, user);
	}
	return kview_item_ioctl(KVIEW_ITEM_VIEW, v, cmd, user);
}

static void kview_view_fdinfo(struct seq_file *m, struct file *file)
{
	kview_item_show(KVIEW_ITEM_VIEW, file->private_data, m);
}

static const struct file_operations kview_view_fops = {
	.owner = THIS_MODULE,
	.show_fdinfo = kview_view_fdinfo,
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
	mutex_lock(&kview_lock);
	kview_identity_init(&v->who);
	mutex_unlock(&kview_lock);
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
			    KVIEW_FEATURE_ANY_SIZE | KVIEW_FEATURE_RESULTS |
			    KVIEW_FEATURE_LOSSES | KVIEW_FEATURE_ITEMS |
			    KVIEW_FEATURE_SWITCH | KVIEW_FEATURE_RECORDS |
			    KVIEW_FEATURE_MODULES | KVIEW_FEATURE_MODULE_NAMES |
			    KVIEW_FEATURE_SHARED | KVIEW_FEATURE_VFORK |
			    KVIEW_FEATURE_SITES,
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
	case KVIEW_ANY_SIZE(KVIEW_LIST):
		return kview_items_list(cmd, user);
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
