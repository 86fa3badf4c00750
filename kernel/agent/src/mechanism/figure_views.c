// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "mechanism/figure_views.h"

int figure_views__open(struct figure_views *views, const struct bpf_map *calls, const struct bpf_map *totals,
		       const struct bpf_map *buckets, struct figures *figures, struct error *error)
{
	if (map_view__open(&views->calls, calls, PROT_READ) ||
	    map_view__open(&views->totals, totals, PROT_READ) ||
	    map_view__open(&views->buckets, buckets, PROT_READ))
		return error__set(error, ERR_FAILED, "The counters could not be mapped: %s.", strerror(errno));
	figures->calls = views->calls.at;
	figures->totals = views->totals.at;
	figures->buckets = views->buckets.at;
	return 0;
}

void figure_views__close(struct figure_views *views)
{
	map_view__close(&views->calls);
	map_view__close(&views->totals);
	map_view__close(&views->buckets);
}
