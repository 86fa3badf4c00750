// SPDX-License-Identifier: GPL-2.0
/* Causes that add up to more than a call took are shortened to fit: what it took stays. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include "played_reads.h"

#undef bpf_core_field_exists
#undef bpf_core_enum_value_exists
#undef bpf_ksym_exists
#undef bpf_core_cast
#define bpf_core_field_exists(field)		1
#define bpf_ktime_get_ns()			0
#define bpf_get_smp_processor_id()		0
#define bpf_get_current_task_btf()		NULL
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_ksym_exists(function)		0
#define bpf_core_cast(pointer, type)		((type *)(pointer))

#include "mechanism/trap/bpf/xprobe.h"
#include "bpf/base.bpf.h"
#include "mechanism/bpf/thread.bpf.h"
#include "mechanism/bpf/scheduler.bpf.h"
#include "mechanism/bpf/moments.bpf.h"
#include "mechanism/bpf/excess.bpf.h"

#include "check.h"

#define OFF(cause)	end.off_ns[(cause) - XP_FIRST_CAUSE]

static struct ending end;

static void shorten(u64 preempted, u64 lock, u64 stolen, u64 excess)
{
	__builtin_memset(&end, 0, sizeof(end));
	OFF(XP_PREEMPTED) = preempted;
	OFF(XP_LOCK) = lock;
	OFF(XP_STEAL) = stolen;
	end.off_ns[OFF_IN_PROBE] = 7;
	causes__shorten(&end, excess);
	check(end.times.excess_ns == excess, "how much was too much is noted", end.times.excess_ns);
	check(OFF(XP_STEAL) == stolen && end.off_ns[OFF_IN_PROBE] == 7, "what others judge stays", OFF(XP_STEAL));
}

int main(void)
{
	shorten(100, 50, 9, 30);
	check(OFF(XP_PREEMPTED) == 70 && OFF(XP_LOCK) == 50, "what may be made up is shortened first", OFF(XP_PREEMPTED));
	shorten(100, 50, 9, 130);
	check(!OFF(XP_PREEMPTED) && OFF(XP_LOCK) == 20, "then the others", OFF(XP_LOCK));
	shorten(0, 50, 9, 50);
	check(!OFF(XP_LOCK), "and all of them at most", OFF(XP_LOCK));
	return failed;
}
