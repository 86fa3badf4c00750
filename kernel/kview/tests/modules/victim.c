// SPDX-License-Identifier: GPL-2.0
/* A module whose functions are traced: each read of /proc/kview-victim calls each of them once. */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "victim.h"

static noinline __noclone int kview_victim_twice(int n)
{
	asm volatile("" : "+r" (n));
	return n;
}

static noinline __noclone ssize_t kview_victim_read(struct file *file, char __user *buf, size_t count,
					  loff_t *ppos)
{
	if (count < 1 || put_user('v', buf))
		return -EFAULT;
	return kview_victim_twice(0) + kview_victim_twin(1);
}

static const struct proc_ops kview_victim_ops = {
	.proc_read = kview_victim_read,
};

static int __init kview_victim_init(void)
{
	return proc_create("kview-victim", 0444, NULL, &kview_victim_ops) ? 0 : -ENOMEM;
}

static void __exit kview_victim_exit(void)
{
	remove_proc_entry("kview-victim", NULL);
}

module_init(kview_victim_init);
module_exit(kview_victim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("For kview's tests: functions of a module");
