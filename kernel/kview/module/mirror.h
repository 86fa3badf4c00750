/* SPDX-License-Identifier: GPL-2.0 */
/* Other tracers' writes, repeated in copies. */
#ifndef KVIEW_MODULE_MIRROR_H
#define KVIEW_MODULE_MIRROR_H

#include <linux/types.h>

int kview_mirror_init(void);
void kview_mirror_exit(void);

/* Turns it off, to prove that tests see it. */
extern bool kview_unsafe_no_mirror;

#endif
