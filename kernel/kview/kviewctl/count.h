/* SPDX-License-Identifier: GPL-2.0 */
/* kviewctl count: a view for as long as the command runs. */
#ifndef KVIEWCTL_COUNT_H
#define KVIEWCTL_COUNT_H

#include "sites.h"
#include "target.h"

/* seconds: 0 for no limit; command: to be started as the target, or NULL.  An exit code. */
int count(struct kview *k, struct sites *s, struct target *t, unsigned int seconds, char **command);

#endif /* KVIEWCTL_COUNT_H */
