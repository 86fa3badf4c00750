// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "mechanism/mechanism.h"
#ifdef KVIEW_HAS_JUMPS
#include "mechanism/jump/jump.h"
#endif
#include "mechanism/syscall/syscall.h"
#include "mechanism/trap/trap.h"

/* Jumps serve only who asks for them, and leave to traps what they can't measure. */
const struct mechanism_kind *const mechanism_kinds[] = {
#ifdef KVIEW_HAS_JUMPS
	&jump_kind,
#endif
	&trap_kind, &syscall_kind, NULL
};

#ifndef KVIEW_HAS_JUMPS
bool mechanism__has_jumps(char *detail, size_t size)
{
	snprintf(detail, size, "Functions can't be measured by jumps on this kind of processor.");
	return false;
}

int mechanism__check_unchanged(pid_t pid, struct error *error)
{
	return 0;
}

int mechanism__clean(pid_t pid, uint64_t *restored, struct error *error)
{
	*restored = 0;
	return 0;
}
#endif
