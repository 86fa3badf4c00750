/* SPDX-License-Identifier: GPL-2.0 */
/* A line for each thing that a test looks at, as tests/run.sh counts them. */
#ifndef KVIEW_TESTS_CHECK_H
#define KVIEW_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>

/* What main() returns. */
static int failed;

static inline void check(bool good, const char *name, unsigned long long figure)
{
	printf("%s %s: %llu\n", good ? "ok" : "not ok", name, figure);
	failed |= !good;
}

#endif
