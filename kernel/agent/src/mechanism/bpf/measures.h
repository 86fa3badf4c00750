/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted within calls beside their time, by measures that a recording chooses: what eBPF programs and the agent
 * share.  A new measure has a name and its quantities here, an eBPF file, and a description: see mechanism/measure/measures.h.
 */
#ifndef KVIEW_MEASURES_LAYOUT_H
#define KVIEW_MEASURES_LAYOUT_H

#include "mechanism/bpf/figures.h"

enum xp_measure { XP_MEASURE_ALLOC, XP_MEASURE_IO, XP_MEASURE_COUNTERS, XP_MEASURES };

/* Those of all measures, one measure's after the other. */
enum xp_quantity {
	XP_MINOR_FAULTS, XP_MAJOR_FAULTS,
	XP_IO_REQUESTS, XP_IO_READ_BYTES, XP_IO_WRITTEN_BYTES,
	XP_IO_DEVICE_NS,	/* not grown within calls, but counted for each request */
	XP_IO_UNTIMED,		/* likewise: those whose time is not known */
	XP_CYCLES, XP_INSTRUCTIONS, XP_CACHE_MISSES,
	XP_COUNTERS_UNREAD,	/* of a call that has any, the three before are not counted */
	XP_QUANTITIES
};

/* Of the processor. */
#define XP_COUNTERS	(XP_COUNTERS_UNREAD - XP_CYCLES)

/*
 * The quantities of a function are to the figures a function of their own, in which they stand where causes are: like
 * these they are counted for calls in which they are not 0.
 */
#define XP_QUANTITY_SET(quantity)	(XP_FIRST_CAUSE + (quantity))
_Static_assert(XP_QUANTITIES <= XP_CAUSES, "quantities stand in the places of causes");

#endif
