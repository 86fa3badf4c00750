// SPDX-License-Identifier: GPL-2.0
/* What a thread's first call of a function costs more: half is taken off the calls around it, and all is in a bound. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#undef bpf_core_field_exists
#undef BPF_CORE_READ
#undef bpf_core_enum_value_exists
#undef bpf_core_cast
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_core_cast(pointer, type)		((type *)(pointer))
#define bpf_core_field_exists(field)		1
#define BPF_CORE_READ(of, field)		((of)->field)
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
	return failed;
}
