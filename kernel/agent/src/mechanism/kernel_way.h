/* SPDX-License-Identifier: GPL-2.0 */
/* How this kernel lets its own functions be probed, found by trying. */
#ifndef KVIEW_KERNEL_WAY_H
#define KVIEW_KERNEL_WAY_H

#include "base/error.h"

enum kernel_way {
	KERNEL_WAY_MULTI,	/* many by one request (kprobe.multi) */
	KERNEL_WAY_SINGLE,	/* one by one */
	KERNEL_WAY_VIEW,	/* in the process's own view; never chosen here */
};

/* One by one, setting and removing takes ms for each. */
#define KERNEL_SINGLE_MOST	128

/* One of the first two, by a request as recordings make it: 0, or the errno by which the kernel refuses it. */
int kernel_way__try(enum kernel_way way);
/* The first that works, with probes that all processes pass.  Returns 0, or -1 with error filled. */
int kernel_way__find(enum kernel_way *way, struct error *error);
/* From now on find finds this one of the two, or none; KERNEL_WAY_VIEW: as ever.  To compare them. */
void kernel_way__force(enum kernel_way way);

#endif
