/* SPDX-License-Identifier: GPL-2.0 */
/* The maps that eBPF programs count calls in, as figures.h reads them. */
#ifndef KVIEW_FIGURE_VIEWS_H
#define KVIEW_FIGURE_VIEWS_H

#include "mechanism/figures.h"
#include "mechanism/map_view.h"

struct error;

struct figure_views {
	struct map_view calls, totals, buckets;
};

/* Maps them, and sets where figures has them.  Returns 0, or -1; figure_views__close() is due in either case. */
int figure_views__open(struct figure_views *views, const struct bpf_map *calls, const struct bpf_map *totals,
		       const struct bpf_map *buckets, struct figures *figures, struct error *error);
void figure_views__close(struct figure_views *views);

#endif
