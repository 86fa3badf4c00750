// SPDX-License-Identifier: GPL-2.0
/* Loaded, it has done what the kernel does by itself where its TSC seems to be unstable. */
#include <linux/module.h>
#include <asm/tsc.h>

static int __init kview_clock_init(void)
{
	mark_tsc_unstable("of a test");
	return 0;
}

static void __exit kview_clock_exit(void)
{
}

module_init(kview_clock_init);
module_exit(kview_clock_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("lets the kernel give up its TSC, for tests");
