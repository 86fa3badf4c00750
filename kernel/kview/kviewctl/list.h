/* SPDX-License-Identifier: GPL-2.0 */
/* kviewctl list -a: what is loaded, by whoever. */
#ifndef KVIEWCTL_LIST_H
#define KVIEWCTL_LIST_H

#include "libkview.h"

/* Prints a line each on stdout; it takes the capabilities that making a view takes. */
int list_all(struct kview *k);		/* an exit code */

#endif /* KVIEWCTL_LIST_H */
