/* SPDX-License-Identifier: GPL-2.0 */
/* Other tracers' writes, repeated in copies. */
#ifndef KVIEW_MODULE_MIRROR_H
#define KVIEW_MODULE_MIRROR_H

#include <linux/types.h>

/*
 * To be called when the module is loaded, after hooks can be found and before there are views.
 * From then on, whatever others write to base text is written to the copies as well.  May sleep.
 * -EADDRNOTAVAIL, or ftrace's errors (-EBUSY: another has wrapped one of the functions): the log
 * says which, and nothing is wrapped.
 */
int kview_mirror_init(void);
/* At unloading, after the last view; waits for whoever is in one of the wraps. */
void kview_mirror_exit(void);

/* Switches this mechanism off, to prove that the tests then fail. */
extern bool kview_unsafe_no_mirror;

#endif
