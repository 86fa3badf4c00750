/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU variables that assembly reads, and where kernels have them. */
#ifndef KVIEW_MODULE_COMPAT_H
#define KVIEW_MODULE_COMPAT_H

#include <linux/percpu.h>
#include <linux/version.h>
#include <asm/current.h>
#include <asm/preempt.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define KVIEW_PREEMPT_COUNT	pcpu_hot.preempt_count
#define KVIEW_CURRENT		pcpu_hot.current_task
#else
#define KVIEW_PREEMPT_COUNT	__preempt_count
#define KVIEW_CURRENT		current_task
#endif

#ifndef __my_cpu_var		/* before the compiler knew about per-CPU memory */
#define __my_cpu_var(var)	(var)
#endif

#endif
