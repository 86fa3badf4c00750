// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "mechanism/trap/entry_code.h"
#include "mechanism/trap/preemption.h"
#include "mechanism/trap/waits_note.h"

/* NULL, or what follows "because". */
static const char *ways_in__unknown(struct xp_ways_in ways_in)
{
	if (entry_code__unknown() || ways_in.known)
		return entry_code__unknown();
	return ways_in.looked ?
		"threads enter this kernel in other ways than the agent knows from its symbols (for example FRED)" :
		"the agent could not find out how threads enter the kernel";
}

void waits_note__tell(char *note, size_t size, struct xp_ways_in ways_in, bool may_be_its_own)
{
	const char *unknown = ways_in__unknown(ways_in);
	size_t length = 0;

	note[0] = 0;
	if (unknown)
		length = snprintf(note, size, "Waits within probes were not all told apart on this host, because %s: the others count as preempted.",
				  unknown);
	if (may_be_its_own)
		snprintf(note + length, size - length,
			 "%s%s: all of the time that was subtracted as waits within probes is uncertain, because it may be the functions' own.",
			 unknown ? " " : "", preemption__find() == PREEMPTION_LAZY ?
			 "This kernel preempts lazily" : "Whether this kernel preempts lazily is not known");
}
