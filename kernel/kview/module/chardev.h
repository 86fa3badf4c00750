/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/kview, and the files of views.  What each request does and returns: uapi/kview.h. */
#ifndef KVIEW_MODULE_CHARDEV_H
#define KVIEW_MODULE_CHARDEV_H

/* The last step of loading: clients come from then on.  A negative errno: there is no device. */
int kview_chardev_init(void);
/* The first of unloading; no file is open, since each holds the module. */
void kview_chardev_exit(void);

#endif
