/* SPDX-License-Identifier: GPL-2.0 */
/* Other tracers' writes, repeated in copies. */
#ifndef KVIEW_MODULE_MIRROR_H
#define KVIEW_MODULE_MIRROR_H

#include <linux/types.h>

/*
 * At loading, when hooks can be found and before there are views: from now on what others write to
 * base text is repeated in copies.  May sleep.  -EADDRNOTAVAIL, or ftrace's errors (-EBUSY: another
 * has wrapped one of the functions): the log says which, and nothing is wrapped.
 */
int kview_mirror_init(void);
/* At unloading, after the last view; waits for whoever is in one of the wraps. */
void kview_mirror_exit(void);

/* Turns it off, to prove that tests see it. */
extern bool kview_unsafe_no_mirror;

#endif
