/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs for tracepoints and the agent share. */
#ifndef KVIEW_TRACEPOINT_LAYOUT_H
#define KVIEW_TRACEPOINT_LAYOUT_H

#include "mechanism/bpf/hits.h"

/* A point's id, and whether the way into system calls becomes longer for it: its class of costs. */
#define TP_SYSTEM_CALL	0x10000U
#define TP_ID(point)	((point) & 0xffffU)
#define TP_CLASS(point)	((point) & TP_SYSTEM_CALL ? 1 : 0)
/* An id that nothing is counted for. */
#define TP_NOBODY	0xffffU

/* System calls by number: the mark of the point at their entry, and at their exit; 0: there is none. */
#define TP_NUMBERS	1024	/* a power of two, above all numbers of the kernel */
#define TP_SIDES	2
enum tp_side { TP_ENTRY, TP_EXIT };
#define TP_SET		0x80000000U

/* Stands in the code for the point, and is replaced in each copy of the program. */
#define TP_POINT	0x6b767470

#endif
