// SPDX-License-Identifier: GPL-2.0
#include "recording/filter.h"

#include "base/error.h"

/* Whether it can be had is found out when it is made. */
static int view__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	for (i = 0; request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP && i < request->n_probes; i++)
		if (request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_USER_FUNCTION)
			return error__set(error, ERR_UNSUPPORTED,
					  "Functions that are measured by jumps can't be measured in a kernel view of the process, and others pay for them: record them by traps, or with --filter in.");
	return 0;
}

int filter__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	switch (request->filter) {
	case KVIEW__WIRE__FILTER__FILTER_AUTO:
	case KVIEW__WIRE__FILTER__FILTER_IN:
		return 0;
	case KVIEW__WIRE__FILTER__FILTER_VIEW:
		return view__check(request, error);
	case KVIEW__WIRE__FILTER__FILTER_POST:
		return error__set(error, ERR_UNSUPPORTED,
				  "Filtering after collection would slow every process of the host, and this agent gains nothing by it: record with --filter in, or auto.");
	default:
		return error__set(error, ERR_BAD_REQUEST, "The filter %d is unknown.", request->filter);
	}
}
