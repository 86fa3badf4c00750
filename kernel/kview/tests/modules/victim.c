// SPDX-License-Identifier: GPL-2.0
/* A module whose functions are traced: each read of its file in /proc calls each of them once. */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "victim.h"

#ifndef PROC
#define PROC	"kview-victim"
#endif

static noinline __noclone int kview_victim_twice(int n)
{
	asm volatile("" : "+r" (n));
	return n;
}

/* In the kernel image a function is called that, too. */
static noinline __noclone int read_zero(int n)
{
	asm volatile("" : "+r" (n));
	return n;
}

/* In the kernel image this is data. */
static noinline __noclone int zero_fops(int n)
{
	asm volatile("" : "+r" (n));
	return n;
}

static noinline __noclone ssize_t kview_victim_read(struct file *file, char __user *buf, size_t count,
					  loff_t *ppos)
{
	if (count < 1 || put_user('v', buf))
		return -EFAULT;
	return kview_victim_twice(0) + kview_victim_twin(1) + read_zero(0) + zero_fops(0);
}

static const struct proc_ops kview_victim_ops = {
	.proc_read = kview_victim_read,
};

static int __init kview_victim_init(void)
{
	return proc_create(PROC, 0444, NULL, &kview_victim_ops) ? 0 : -ENOMEM;
}

static void __exit kview_victim_exit(void)
{
	remove_proc_entry(PROC, NULL);
}

module_init(kview_victim_init);
module_exit(kview_victim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("For kview's tests: functions of a module");
