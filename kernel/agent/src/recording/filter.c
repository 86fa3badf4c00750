// SPDX-License-Identifier: GPL-2.0
#include "recording/filter.h"

#include <unistd.h>

#include "base/error.h"

int filter__check(Kview__Wire__Filter filter, struct error *error)
{
	switch (filter) {
	case KVIEW__WIRE__FILTER__FILTER_AUTO:
	case KVIEW__WIRE__FILTER__FILTER_IN:
		return 0;
	case KVIEW__WIRE__FILTER__FILTER_VIEW:
		if (access("/dev/kview", F_OK))
			return error__set(error, ERR_UNSUPPORTED,
					  "A per-process kernel view was asked for and the kview module is not loaded (/dev/kview is missing): load it, or record with --filter in (or auto): other processes are then told apart in the eBPF program.");
		return error__set(error, ERR_UNSUPPORTED,
				  "This agent can't drive a per-process kernel view yet: record with --filter in, or auto.");
	case KVIEW__WIRE__FILTER__FILTER_POST:
		return error__set(error, ERR_UNSUPPORTED,
				  "Filtering after collection would slow every process of the host, and this agent gains nothing by it: record with --filter in, or auto.");
	default:
		return error__set(error, ERR_BAD_REQUEST, "The filter %d is unknown.", filter);
	}
}
