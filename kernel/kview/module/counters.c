// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/percpu.h>

#include "counters.h"
#include "moment.h"

DEFINE_PER_CPU(struct kview_counters, kview_counters);
atomic64_t kview_mirrored;
u64 kview_moment;
