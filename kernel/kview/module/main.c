// SPDX-License-Identifier: GPL-2.0
/* Loading and unloading. */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/module.h>
#include <linux/rcupdate.h>

#include "barred.h"
#include "borrow.h"
#include "cgroup.h"
#include "chardev.h"
#include "escape.h"
#include "follow.h"
#include "handler.h"
#include "memory.h"
#include "mirror.h"
#include "pgtable.h"
#include "policy.h"
#include "retire.h"
#include "space.h"
#include "spot.h"
#include "symbols.h"
#include "syscall.h"
#include "thunk.h"

static int __init kview_init(void)
{
	int ret;

	ret = kview_symbols_resolve();
	if (ret)
		return ret;
	ret = kview_pgtable_check();
	if (ret)
		return ret;
	kview_thunks_init(kview_entry);
	ret = kview_policy_init(kview_follow_hook);
	if (ret)
		return ret;
	ret = kview_borrow_check();
	if (ret)
		return ret;
	kview_spots_init();
	ret = kview_barred_init();
	if (ret)
		return ret;
	ret = kview_spaces_init();
	if (ret)
		goto barred;
	ret = kview_mirror_init();
	if (ret)
		goto spaces;
	ret = kview_escape_init();
	if (ret)
		goto mirror;
	ret = kview_chardev_init();
	if (ret)
		goto escape;
	if (kview_unsafe_no_mirror || kview_unsafe_no_escape || kview_unsafe_keep_global)
		pr_warn("a safety mechanism is off: for tests only\n");
	return 0;
escape:
	kview_escape_exit();
mirror:
	kview_mirror_exit();
spaces:
	kview_spaces_exit();
barred:
	kview_barred_exit();
	return ret;
}

/* No file is open, so there are no views; what they left behind may still run. */
static void __exit kview_exit(void)
{
	kview_chardev_exit();
	kview_cgroup_exit();
	kview_spaces_exit();
	kview_retire_exit();
	kview_spots_exit();
	kview_escape_exit();
	kview_mirror_exit();
	kview_syscalls_shutdown();
	/* a task may have been preempted in entry.S, or at the end of a callback */
	kview_thunks_wait();
	kview_thunks_exit();
	kview_barred_exit();
	rcu_barrier();
}

module_init(kview_init);
module_exit(kview_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Per-process kernel views");
MODULE_VERSION("1");
