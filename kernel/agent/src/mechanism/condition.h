/* SPDX-License-Identifier: GPL-2.0 */
/* Which calls of a point are measured, as a request says it. */
#ifndef KVIEW_CONDITION_H
#define KVIEW_CONDITION_H

#include <linux/types.h>
#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/bpf/conditions.h"

/*
 * For eBPF programs.  The client is not trusted: what they could not end with, or would not understand, is refused.
 * Returns 0, or -1 with error filled.
 */
int condition__read(const Kview__Wire__Condition *message, struct xp_condition *condition, struct error *error);
/*
 * Those of a request's probes, which have these names, by their index; all stays NULL where there are none.  Else the caller
 * frees it.  Returns 0, or -1 with error filled.
 */
int conditions__read(const Kview__Wire__StartRecordingRequest *request, const char *const *names, struct xp_condition **all,
		     struct error *error);
struct bpf_map;

/* Tells eBPF programs of those of nr points; NULL: there are none.  Returns 0, or -1 with error filled. */
int conditions__tell(const struct xp_condition *all, size_t nr, struct bpf_map *map, struct error *error);
/* What a test is of, and how that is a number.  Returns 0, or -1 with error filled. */
int condition__read_value(const Kview__Wire__ConditionTest *message, struct xp_test *test, struct error *error);
/* Whether some test is of an argument. */
bool condition__reads_arguments(const struct xp_condition *condition);
/*
 * To measure what conditions cost: the dearest one of nr, without what it decides.  A call goes through all of its tests, and
 * matches; or those of its beginning, and does not.
 */
struct xp_condition condition__dearest(const struct xp_condition *all, size_t nr, bool matches);

#endif
