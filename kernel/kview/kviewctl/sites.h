/* SPDX-License-Identifier: GPL-2.0 */
/* The places that are counted: what the user names, and what becomes of it in a view. */
#ifndef KVIEWCTL_SITES_H
#define KVIEWCTL_SITES_H

#include <stdbool.h>
#include <stdio.h>

#include "libkview.h"

enum { MAX_NAMES = 4096 };

/* Names are the caller's, the sets its own. */
struct sites {
	const char *functions[MAX_NAMES];
	const char *modules[MAX_NAMES];		/* MODULE:FUNCTION, :FUNCTION: behind a filter */
	const char *tracepoints[MAX_NAMES];	/* SYSTEM:EVENT are trace events */
	size_t nfunctions, nmodules, ntracepoints;
	struct kview_set *f, *m;		/* NULL: not added */
	struct kview_set *t[MAX_NAMES];		/* one for each: they may be mixed */
};

/* Says on stderr what is wrong; what was added is to be freed all the same. */
bool sites__add(struct sites *s, struct kview_view *v);
/* Calls the sets that, and makes whoever calls it their owner. */
void sites__set_name(struct sites *s, const char *name);
/* A line each: how often, and the name; then one for each cause of calls that were not counted. */
void sites__print(const struct sites *s, FILE *out);
/* Frees the sets, once; the view may be gone already. */
void sites__free(struct sites *s);

#endif /* KVIEWCTL_SITES_H */
