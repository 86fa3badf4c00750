/* SPDX-License-Identifier: GPL-2.0 */
/* Into what a call's time is divided. */
#ifndef KVIEW_METRICS_H
#define KVIEW_METRICS_H

/* The values of Metric in agent.proto. */
enum xp_metric {
	XP_WALL, XP_ON_CPU,
	XP_RUN_QUEUE, XP_PREEMPTED, XP_BLOCK_IO, XP_LOCK, XP_SLEEP, XP_NETWORK, XP_PAGE_FAULT,
	XP_STEAL, XP_OTHER, XP_THROTTLED, XP_STOPPED,
	XP_METRICS
};
#define XP_FIRST_CAUSE	XP_RUN_QUEUE
#define XP_CAUSES	(XP_METRICS - XP_FIRST_CAUSE)
/* Not of calls, but of hits of a tracepoint: the time between two of a thread. */
#define XP_BETWEEN	XP_METRICS
#define XP_TOLD_METRICS	(XP_BETWEEN + 1)

#endif
