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
		"threads come into this kernel by other ways than the symbols say that the agent knows (FRED, for one)" :
		"the agent could not try by what ways threads come into the kernel";
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
			 "%s%s: what was removed as waits within probes may have been the functions' own, and is uncertain in full.",
			 unknown ? " " : "", preemption__find() == PREEMPTION_LAZY ?
			 "This kernel preempts lazily" : "Whether this kernel preempts lazily is not known");
}
