// SPDX-License-Identifier: GPL-2.0
#include "recording/filter.h"

#include "base/error.h"

/* Whether it can be had is found out when it is made. */
static int view__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if (request->probes[i]->point_case != KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION &&
		    request->probes[i]->point_case != KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL &&
		    request->probes[i]->point_case != KVIEW__WIRE__PROBE__POINT_TRACEPOINT)
			return error__set(error, ERR_UNSUPPORTED,
					  "Only functions of the kernel, system calls and tracepoints can be measured in a kernel view of the process, and others pay for the rest: record them by themselves, or with --filter auto, which still puts them into a view where that can be had, or --filter in.");
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
