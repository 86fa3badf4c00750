// SPDX-License-Identifier: GPL-2.0
/*
 * What a thread's first call of a function costs more: half is taken off the calls around it, and all is in a bound.  Likewise
 * what a call costs more that comes long after the thread's last probe: nothing is taken off for that.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include "played_reads.h"

#undef bpf_core_field_exists
#undef bpf_core_enum_value_exists
#undef bpf_core_cast
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_core_cast(pointer, type)		((type *)(pointer))
#define bpf_core_field_exists(field)		1
#define bpf_ktime_get_ns()			0
#define bpf_get_smp_processor_id()		0
#define bpf_get_current_task_btf()		NULL
#define bpf_map_lookup_elem(map, key)		((void)(key), (void *)&sums)

#include "mechanism/trap/bpf/xprobe.h"

static struct xp_calls sums;

#include "bpf/base.bpf.h"
#include "mechanism/bpf/thread.bpf.h"
#include "mechanism/bpf/figures.bpf.h"
#include "mechanism/cost/bpf/cost.bpf.h"

#include "check.h"

static struct thread t;

/* As at the entry of a call. */
static struct frame begin(void)
{
	struct frame f = { .overhead_ns = t.overhead_ns, .uncertain_ns = t.uncertain_ns };

	return f;
}

#define START_NS	1000000000ULL

/* A call that begins so long after the last probe, within one that is open: what is uncertain in it, and in that one. */
static void check_rested(const char *what, u64 rest_ns, u64 inner_ns, u64 around_ns, u64 cost_ns)
{
	struct frame outer = begin(), inner = begin();

	t.probe_ns = START_NS;
	sums.rested_ns = 0;
	call__begins_at(&t, &inner, START_NS + rest_ns);
	printf("# %s\n", what);
	check(inner.begin_ns == t.probe_ns && t.probe_ns == START_NS + rest_ns, "it begins then", t.probe_ns);
	check(t.uncertain_ns - inner.uncertain_ns == inner_ns, "the call may be so much too long", t.uncertain_ns - inner.uncertain_ns);
	check(t.uncertain_ns - outer.uncertain_ns == around_ns, "and those around", t.uncertain_ns - outer.uncertain_ns);
	check(t.overhead_ns == inner.overhead_ns && inner.overhead_ns == outer.overhead_ns, "nothing more is taken off", 1);
	check(sums.rested_ns == cost_ns, "what it likely cost more is told", sums.rested_ns);
}

static void rested(void)
{
	struct frame first;

	costs[0] = (struct xp_cost){ .rested_inner_ns = 4000, .rested_call_ns = 16000, .rested_likely_ns = 12000 };
	check_rested("at once", XP_RESTING_NS - 1, 0, 0, 0);
	check_rested("after some time", XP_RESTED_MOST_NS / 4, 1000, 4000, 12000ULL * XP_RESTED_MOST_NS / 4 / XP_RESTED_NS);
	check_rested("after more", XP_RESTED_MOST_NS, 4000, 16000, 12000ULL * XP_RESTED_MOST_NS / XP_RESTED_NS);
	check_rested("after long", 100ULL * XP_RESTED_NS, 4000, 16000, 12000);
	t.probe_ns = 0;
	first = begin();
	call__begins_at(&t, &first, START_NS);
	check(t.uncertain_ns == first.uncertain_ns, "what a thread's first call costs is another price", 1);
}

int main(void)
{
	struct frame outer = begin(), inner = begin();

	first_call_ns = 4001;
	thread__pays_first(&t, &inner);
	check(t.overhead_ns - outer.overhead_ns == 2000, "half of it is taken off the calls around", t.overhead_ns - outer.overhead_ns);
	check(t.uncertain_ns - outer.uncertain_ns == 2001, "and the rest may be", t.uncertain_ns - outer.uncertain_ns);
	check(t.overhead_ns == inner.overhead_ns, "nothing is taken off the call itself", t.overhead_ns - inner.overhead_ns);
	check(t.uncertain_ns - inner.uncertain_ns == 4001, "where all of it may be", t.uncertain_ns - inner.uncertain_ns);
	first_call_ns = 0;
	inner = begin();
	thread__pays_first(&t, &inner);
	check(t.uncertain_ns == inner.uncertain_ns && t.overhead_ns == inner.overhead_ns, "where none was measured there is none", 1);
	rested();
	return failed;
}
