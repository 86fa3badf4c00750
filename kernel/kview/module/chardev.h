/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/kview. */
#ifndef KVIEW_MODULE_CHARDEV_H
#define KVIEW_MODULE_CHARDEV_H

int kview_chardev_init(void);
void kview_chardev_exit(void);

#endif
