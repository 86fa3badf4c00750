// SPDX-License-Identifier: GPL-2.0
#include "base/error.h"
#include "mechanism/condition.h"
#include "mechanism/trap/trap_state.h"

int trap__read_conditions(struct trap *trap, const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	if (conditions__read(request, probes__names(trap->probes), &trap->conditions, error))
		return -1;
	for (i = 0; trap->conditions && i < request->n_probes; i++)
		if (condition__reads_arguments(&trap->conditions[i]) && probes__enter_first(trap->probes, i, error))
			return -1;
	return 0;
}
