/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cpu-latency xprobe: its eBPF programs and maps, loaded and attached.
 *
 *	xprobe__new  ->  xprobe__attach  ->  xprobe__detach  ->  xprobe__free
 *
 * attach and detach may be repeated, for another process and other functions; counters go
 * on.  Everything ends with the process at the latest: links are descriptors.
 *
 * What is measured: calls by threads of the one process, not by children that it forks.  A
 * call's wall-clock time is on-CPU time plus off-CPU time by cause, exactly, after the probes'
 * own cost was taken off wall and on-CPU alike.  Interrupts count as on-CPU.  Returns of calls
 * that were under way at the start are told as early; calls under way at the end as unfinished.
 */
#ifndef KVIEW_XPROBE_H
#define KVIEW_XPROBE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/xprobe.h"
#include "functions.h"

/* Function ids beyond those of the recording, for calibration. */
#define XPROBE_SPARE_FUNCTIONS	XP_COST_CLASSES

struct xprobe_opts {
	size_t nr_functions;
	bool events;		/* per-call and scheduling events, to ring_fd */
	uint32_t ring_bytes;	/* a power of two */
};

struct xprobe_function {
	uint32_t id;			/* < nr_functions + XPROBE_SPARE_FUNCTIONS */
	const char *path;		/* through which the agent opens the binary */
	const struct fn_function *function;
};

struct xprobe;

/* Loads the programs.  NULL: error says why (NO_PERMISSION, UNSUPPORTED, FAILED). */
struct xprobe *xprobe__new(const struct xprobe_opts *opts, struct fn_error *error);
void xprobe__free(struct xprobe *xprobe);

/*
 * Attaches to functions of a process, exits before entries, so that no call is begun that
 * could not be seen ending.  Functions of one binary share links: nr may be large.
 * Returns 0, or -1 with error filled and nothing attached.
 */
int xprobe__attach(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
		   size_t nr, struct fn_error *error);

/*
 * Takes the probes off some functions while others go on, none of whose calls is lost; of the
 * same process.  Calls of those that come off count as lost if they are under way.  Returns 0,
 * or -1 with error filled and all probes as they were.
 */
int xprobe__drop(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *dropped,
		 size_t nr_dropped, const struct xprobe_function *kept, size_t nr_kept,
		 struct fn_error *error);

/* Entries first; waits until no program runs any more.  Calls still running become unfinished. */
void xprobe__detach(struct xprobe *xprobe);

/*
 * Readable when the process has forked a child, or a child of it that was not freed yet; and
 * what is to be done then: it gets its own instructions back.
 */
int xprobe__children_fd(const struct xprobe *xprobe);
void xprobe__free_children(struct xprobe *xprobe);
/* Whether xprobe__free_children learned that the process executed another program. */
bool xprobe__has_executed(const struct xprobe *xprobe);

/*
 * Whether it is proven that no thread of the process goes on with another stack: then calls
 * are told apart by the stack pointer alone, which costs less.  To be said before attaching; an
 * execve takes it back.
 */
void xprobe__set_one_stack(struct xprobe *xprobe, bool one_stack);

/* The scheduler's programs alone, to measure what they cost others. Returns 0 or -1. */
int xprobe__attach_scheduler(struct xprobe *xprobe, struct fn_error *error);

/*
 * When calls began to be measured, once everything was attached, and when that ended, before
 * anything was detached.
 */
uint64_t xprobe__begin_ns(const struct xprobe *xprobe);
uint64_t xprobe__end_ns(const struct xprobe *xprobe);

/* What is subtracted from now on for a class, XP_COST_CALL() or XP_COST_PASS(). */
void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost);
enum xp_entry_class xprobe__entry_class(const struct fn_function *function);
enum xp_exit_class xprobe__site_class(const struct fn_site *site);
/* The class of a function's most expensive exit. */
enum xp_exit_class xprobe__exit_class(const struct fn_function *function);

/* Counters, mapped read-only while the programs write; see bpf/xprobe.h for the index. */
struct xprobe_counts {
	const struct xp_calls *calls;
	const struct xp_total *totals;
	const struct xp_buckets *buckets;
	uint32_t slots;
	uint32_t functions;		/* spare ones included */
};
struct xprobe_counts xprobe__counts(const struct xprobe *xprobe);
/* In calls, and in totals divided by XP_METRICS. */
size_t xprobe_counts__index(const struct xprobe_counts *counts, uint32_t slot, size_t function);
/* Sums of a function over all slots; calls is read last. */
struct xp_calls xprobe_counts__calls(const struct xprobe_counts *counts, size_t function);
uint64_t xprobe_counts__timed(const struct xprobe_counts *counts, size_t function);

struct xp_counters xprobe__counters(const struct xprobe *xprobe);
/*
 * How often, since load, the kernel did not run one of the programs because it was already
 * running on that CPU.  The kernel has that rule for the scheduler's tracepoints, and before
 * Linux 6.0 for single probes; probes that are set many at once are always run.
 */
uint64_t xprobe__missed_runs(const struct xprobe *xprobe);

int xprobe__ring_fd(const struct xprobe *xprobe);
/* Events that found no room in the ring, by CPU modulo XP_MAX_CPUS, since load. */
const uint64_t *xprobe__events_dropped(const struct xprobe *xprobe);

/* Forgets what calibration counted; to be called while nothing is attached. */
void xprobe__reset_counters(struct xprobe *xprobe);

/* Exit code of the traced process as wait() has it, or -1 while its first thread runs. */
int xprobe__leader_exit_code(const struct xprobe *xprobe);

#endif
