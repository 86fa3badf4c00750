/* SPDX-License-Identifier: GPL-2.0 */
/* What this host can do, found by trying. */
#ifndef KVIEW_CAPABILITIES_H
#define KVIEW_CAPABILITIES_H

#include <stdbool.h>
#include <stddef.h>

#define CAPABILITIES_MAX	24

struct capability {
	const char *name;	/* stable, see agent.proto */
	bool available;
	bool required;
	char detail[256];	/* one sentence for the user */
};

/* Fills at most max; returns how many. */
size_t capabilities__find(struct capability *found, size_t max);

/* False in a container whose process ids the kernel does not know: no probe would match. */
bool capabilities__sees_host_pids(void);

#endif
