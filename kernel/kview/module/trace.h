/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own trace event.  event.c needs one that costs nobody anything:
 * while a perf event is there, so are perf's buffers for records.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kview

#if !defined(KVIEW_MODULE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KVIEW_MODULE_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(kview_processes,

	TP_PROTO(unsigned int processes),

	TP_ARGS(processes),

	TP_STRUCT__entry(
		__field(unsigned int, processes)
	),

	TP_fast_assign(
		__entry->processes = processes;
	),

	TP_printk("processes=%u", __entry->processes)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
