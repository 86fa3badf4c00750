/* SPDX-License-Identifier: GPL-2.0 */
/* kviewctl count: a view for as long as the command runs. */
#ifndef KVIEWCTL_COUNT_H
#define KVIEWCTL_COUNT_H

#include "sites.h"
#include "target.h"

/*
 * Counts in a new view, until the target ends, seconds are over (0: no limit), or SIGINT or SIGTERM
 * comes, which stay blocked; prints the counts on stdout.  command: to be started, as t's process,
 * or NULL; it is not ended here.  Frees the sites' sets.  Returns an exit code, having said on
 * stderr what failed.
 */
int count(struct kview *k, struct sites *s, struct target *t, unsigned int seconds, char **command);

#endif /* KVIEWCTL_COUNT_H */
