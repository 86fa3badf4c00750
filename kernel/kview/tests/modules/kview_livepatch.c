// SPDX-License-Identifier: GPL-2.0
/*
 * A live patch: reads of /dev/zero are served here, and those of the tests' programs counted.
 * To be unloaded it is disabled first: 0 to /sys/kernel/livepatch/kview_livepatch/enabled.
 */
#include <linux/atomic.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static atomic_long_t calls;

static ssize_t kview_livepatch_read_zero(struct file *file, char __user *buf, size_t count,
					 loff_t *ppos)
{
	size_t left = clear_user(buf, count);

	if (!strcmp(current->comm, "kview-test"))
		atomic_long_inc(&calls);
	return count && left == count ? -EFAULT : count - left;
}

static int calls_get(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%ld\n", atomic_long_read(&calls));
}

static const struct kernel_param_ops calls_ops = { .get = calls_get };
module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "reads so far");

static struct klp_func funcs[] = {
	{ .old_name = "read_zero", .new_func = kview_livepatch_read_zero },
	{ }
};

static struct klp_object objs[] = {
	{ .funcs = funcs },
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objs,
};

static int __init kview_livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit kview_livepatch_exit(void)
{
}

module_init(kview_livepatch_init);
module_exit(kview_livepatch_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("For kview's tests: a live patch");
MODULE_INFO(livepatch, "Y");
