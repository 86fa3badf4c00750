/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/kview. */
#ifndef KVIEW_MODULE_CHARDEV_H
#define KVIEW_MODULE_CHARDEV_H

#include <linux/types.h>

/* Whether the caller may use the module at all: CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN. */
bool kview_capable(void);

int kview_chardev_init(void);
void kview_chardev_exit(void);

#endif
