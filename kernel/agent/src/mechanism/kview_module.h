/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel module that gives processes views of the kernel of their own. */
#ifndef KVIEW_MODULE_H
#define KVIEW_MODULE_H

#include <stddef.h>

struct kview;

/*
 * Opens it, if it is there, is one that this agent knows, and this user may use it.  NULL: why says what is
 * missing and how to mend that, as a sentence.
 */
struct kview *kview_module__open(char *why, size_t size);

#endif
