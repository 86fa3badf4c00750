/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel module that gives processes views of the kernel of their own. */
#ifndef KVIEW_MODULE_H
#define KVIEW_MODULE_H

#include <stdbool.h>
#include <stddef.h>

struct kview;
struct kview_info;

/* Has it what recordings use?  Its features say so, whatever its version, as its contract wants it. */
bool kview_module__serves(const struct kview_info *info);

/*
 * Opens it, if it is there, is one that this agent knows, and this user may use it.  NULL: why says what is
 * missing and how to mend that, as a sentence.
 */
struct kview *kview_module__open(char *why, size_t size);

/* Likewise, without trying whether this user may make a view: nothing is changed. */
struct kview *kview_module__look(char *why, size_t size);
/* Why a module that is loaded is of no use to this user, as a sentence. */
void kview_module__deny(char *why, size_t size);

#endif
