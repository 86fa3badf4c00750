/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the kernel sets no kprobe in. */
#ifndef KVIEW_MODULE_BARRED_H
#define KVIEW_MODULE_BARRED_H

#include <linux/types.h>

/*
 * When the module is loaded: looks up which these are, once.  -ENOMEM; on an error nothing is left.
 * Sleeps.
 */
int kview_barred_init(void);
/* At unloading, or after an error behind it. */
void kview_barred_exit(void);

/* Is this function of the kernel or of a module one of them?  Any context but NMI. */
bool kview_is_barred(unsigned long addr);

#endif
