/* SPDX-License-Identifier: GPL-2.0 */
/* Whether this kernel lets its own functions be probed. */
#ifndef KVIEW_KERNEL_WAYS_H
#define KVIEW_KERNEL_WAYS_H

#include "base/error.h"

/* Tries it, by a request as recordings make it (kprobe.multi).  Returns 0, or -1 with error filled. */
int kernel_probes__try(struct error *error);

#endif
