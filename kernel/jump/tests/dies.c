// SPDX-License-Identifier: GPL-2.0
/* Linked into kview-jump for a test: it is killed at the step that KVIEW_JUMP_DIES_AT names. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "place/stopped.h"

static long step, last = -1;

static void count_step(void)
{
	if (step++ == last)
		kill(getpid(), SIGKILL);
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("KVIEW_JUMP_DIES_AT");

	if (at)
		last = atol(at);
	place__step = count_step;
}
