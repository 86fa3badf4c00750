// SPDX-License-Identifier: GPL-2.0
/* What is wrong in the kernel: it writes where nothing is. */
#include <linux/compiler.h>
#include <linux/module.h>

static int __init kview_oops_init(void)
{
	int *nowhere = NULL;

	OPTIMIZER_HIDE_VAR(nowhere);
	WRITE_ONCE(*nowhere, 1);
	return 0;
}

module_init(kview_oops_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("For the guest's tests: a kernel that goes wrong");
