/* SPDX-License-Identifier: GPL-2.0 */
/* What sites a set has, and what each of them counted, for user space. */
#ifndef KVIEW_MODULE_SITES_H
#define KVIEW_MODULE_SITES_H

#include <linux/types.h>

struct kview_set;

/* KVIEW_HITS, KVIEW_LOSSES and KVIEW_SITES.  The caller holds the set's file, and no lock. */
long kview_sites_ioctl(struct kview_set *set, unsigned int cmd, void __user *user);

#endif
