/* SPDX-License-Identifier: GPL-2.0 */
/* By which values the figures of points are split, as a request says it. */
#ifndef KVIEW_SPLIT_H
#define KVIEW_SPLIT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/bpf/splits.h"

#define SPLITS_MOST	8	/* points of a recording */

struct bpf_map;

struct splits {
	struct xp_split *of;	/* by point; NULL: there are none */
	size_t nr_points;
	uint32_t nr;		/* tables; those of calibration share one more */
};

/*
 * Of a request's points, which have these names.  The client is not trusted.  Returns 0, or -1 with error filled; splits__free()
 * in either case.
 */
int splits__read(const Kview__Wire__StartRecordingRequest *request, const char *const *names, struct splits *splits,
		 struct error *error);
void splits__free(struct splits *splits);
/* How many functions' places they take in the figures; 0: there are none. */
uint32_t splits__places(const struct splits *splits);
uint32_t splits__tables(const struct splits *splits);
/* first: the place that follows those of functions, of which these are the points and nr_spare more, by which costs are measured. */
void splits__place(struct splits *splits, uint32_t first);
int splits__tell(const struct splits *splits, size_t nr_spare, struct bpf_map *map, struct error *error);
/* Whether a point's value is an argument. */
bool splits__reads_argument(const struct splits *splits, size_t point);
bool splits__has(const struct splits *splits, size_t point);

#endif
