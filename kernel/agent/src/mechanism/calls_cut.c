// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "mechanism/calls_cut.h"

void calls_cut__tell(char *note, size_t size, bool watches, uint64_t times)
{
	size_t length = strlen(note);
	const char *space = length ? " " : "";

	if (!watches)
		snprintf(note + length, size - length,
			 "%sWhether another tracer of system calls ended meanwhile can't be seen: then calls may be missing of some ms each time.", space);
	else if (times)
		snprintf(note + length, size - length,
			 "%sOther tracers of system calls ended meanwhile (the kernel took a last probe off a tracepoint of theirs %llu time%s): calls may be missing of some ms each time.",
			 space, (unsigned long long)times, times == 1 ? "" : "s");
}
