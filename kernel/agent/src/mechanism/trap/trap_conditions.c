// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "base/error.h"
#include "mechanism/condition.h"
#include "mechanism/own_switches.h"
#include "mechanism/trap/trap_state.h"

int trap__read_conditions(struct trap *trap, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	if (conditions__read(request, probes__names(trap->probes), &trap->conditions, error))
		return -1;
	if (splits__read(request, probes__names(trap->probes), &trap->splits, error) || measures__read(request, &trap->measures, error))
		return -1;
	for (i = 0; i < request->n_probes; i++)
		if (((trap->conditions && condition__reads_arguments(&trap->conditions[i])) ||
		     splits__reads_argument(&trap->splits, i)) && probes__enter_first(trap->probes, i, error))
			return -1;
	return 0;
}

void trap__tell_measures(struct trap *trap)
{
	if (trap->base.filter_note != trap->filter_note)
		snprintf(trap->filter_note, sizeof(trap->filter_note), "%s", trap->base.filter_note);
	own_switches__tell_why(trap->why_host, trap->filter_note, sizeof(trap->filter_note));
	measures__tell_others(trap->measures, trap->filter_note, sizeof(trap->filter_note));
	trap->base.filter_note = trap->filter_note;
}
