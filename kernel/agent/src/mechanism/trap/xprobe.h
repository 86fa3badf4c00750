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

#include "lookup/functions.h"
#include "mechanism/figures.h"
#include "mechanism/split.h"
#include "mechanism/trap/bpf/xprobe.h"

/* In place of a process: all that are in the cgroup, or in the process tree. */
#define XPROBE_GROUP	0

/* Function ids beyond those of the recording, for calibration. */
#define XPROBE_SPARE_FUNCTIONS	XP_COST_CLASSES

struct xprobe_view;

struct xprobe_opts {
	size_t nr_functions;
	bool events;		/* per-call and scheduling events, to ring_fd */
	bool waits;		/* for what threads waited, and who woke them: to xprobe__wait_maps */
	bool wait_stacks;	/* and where in the kernel */
	bool ends_at_raise;	/* at an execve that gives the process rights, within the kernel */
	/* Of the kernel's memory, for maps, and as much for the states of threads; 0: no limit. */
	uint64_t max_bytes;
	size_t nr_places;	/* that will have probes, as far as known */
	uint32_t ring_bytes;	/* a power of two */
	int inner_fd;		/* as in struct mechanism_load; 0: there is none */
	int marks_fd;		/* likewise */
	/* No probes in files that give rights to whoever executes them. */
	bool no_raising_files;
	/*
	 * What none of the functions has, and nothing is loaded for: ends that are seen by replaced return
	 * addresses, calls of which it is known where they go on, jumps by a register.
	 */
	bool no_replaced_returns, no_going_on, no_register_jumps;
	const struct xp_condition *conditions;	/* by function, which calls are measured; NULL: all */
	const struct cgroup *cgroup;	/* as in struct mechanism_load, as is the tree; with either, members_fd */
	const struct process_tree *tree;
	int members_fd;
	bool pairs;			/* the functions are pairs of static probes */
	struct splits *splits;		/* of functions, the caller's, until the xprobe is freed; NULL: there are none */
	uint32_t measures;		/* what is counted beside time: 1 << enum xp_measure each */
	bool own_switches;		/* the process's own context-switch events tell of its switches, and nobody else's */
	struct xprobe_view *view;	/* what is at the scheduler's tracepoints else is in it; NULL: it is there */
};

struct xprobe_function {
	uint32_t id;			/* < nr_functions + XPROBE_SPARE_FUNCTIONS */
	const char *path;		/* through which the agent opens the binary */
	const struct fn_function *function;
	struct fn_file_id file;		/* that path has to lead to */
	/* Of a pair of static probes, else NULL: it begins at all places of one, and the function's sites are those of the other. */
	const struct static_probe *begins, *ends;
};

struct xprobe;

/* Loads the eBPF programs.  NULL: error says why (NO_PERMISSION, UNSUPPORTED, FAILED). */
struct xprobe *xprobe__new(const struct xprobe_opts *opts, struct error *error);
void xprobe__free(struct xprobe *xprobe);

/*
 * Attaches to functions of a process, exits before entries, so that no call is begun that
 * could not be seen ending.  Functions of one binary share links: nr may be large.
 * Returns 0, or -1 with error filled and nothing attached.
 */
int xprobe__attach(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
		   size_t nr, struct error *error);
/* These are its two steps: in the first, nothing is measured yet.  On failure nothing is attached. */
int xprobe__attach_only(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
			size_t nr, struct error *error);
int xprobe__begin(struct xprobe *xprobe, pid_t pid, struct error *error);
/* Nothing is measured from now on, though all is attached. */
void xprobe__end(struct xprobe *xprobe);

/*
 * Takes the probes off some functions while others go on; of the same process.  Calls of those
 * that come off count as lost if they are under way.  No call of the others is lost, unless the
 * kernel asks at each entry whether to replace the return address: then calls under way with a
 * replaced one are lost if they still run at the next xprobe__settle.  Returns 0, or -1 with error
 * filled and all probes as they were.
 */
int xprobe__drop(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *dropped,
		 size_t nr_dropped, const struct xprobe_function *kept, size_t nr_kept,
		 struct error *error);

/* Waits until no eBPF program runs any more.  Calls still running become unfinished. */
void xprobe__detach(struct xprobe *xprobe);

/*
 * Readable when the process, or a child of it that was not freed yet, has forked a child.  Then
 * xprobe__free_children is to be called, which gives children their own instructions back.
 */
int xprobe__children_fd(const struct xprobe *xprobe);
void xprobe__free_children(struct xprobe *xprobe);
/* Those that it forked so far, and the CPU time that they had until they were freed, or ended. */
struct xprobe_children {
	uint64_t nr, cpu_ns;
};
struct xprobe_children xprobe__children(const struct xprobe *xprobe);
/* How many could not be freed: they pay for the probes until the recording ends. */
uint64_t xprobe__children_kept(const struct xprobe *xprobe);
/* Called some time after xprobe__drop: removes the probes that it kept for calls under way. */
void xprobe__settle(struct xprobe *xprobe);
/*
 * Whether the kernel has not finished removing links that drop gave up: threads may still hit them, and drop and settle may have to
 * wait for it.  Where it takes long, this does something about it; so it is to be asked again and again.
 */
bool xprobe__is_closing(struct xprobe *xprobe);

/*
 * Of an xprobe with conditions: whether calls of the spare functions match the one that they have, which is as dear as any.
 * Returns 0, or -1 with error filled.
 */
int xprobe__set_spare_conditions(struct xprobe *xprobe, bool match, struct error *error);

struct place;

/*
 * Sees from now on, as it happens, what gives the process other code than it has: another
 * program, or a library.  Return addresses are replaced in code that was proven to allow it,
 * and in no other: that is for the caller to do, after this and before xprobe__attach, and again
 * whenever xprobe__children_fd tells of a change.  Where the kernel does not ask at each entry
 * they are replaced all the same.
 *
 * loader: where the process's dynamic loader tells of libraries, with the distance from there to
 * its r_debug as the cookie's site address; NULL: it has none.  Returns 0, or -1 with error
 * filled.  Ends with xprobe__detach.
 */
int xprobe__watch_code(struct xprobe *xprobe, pid_t pid, const struct place *loader,
		       struct error *error);
/* Of the code that the process has now; 0: it is proven, or the loader is not done with it. */
uint32_t xprobe__code_to_prove(const struct xprobe *xprobe);
/* version: asked for before the proof was begun. */
void xprobe__prove_code(struct xprobe *xprobe, uint32_t version);
/* Whether return addresses are replaced without a proof, until another program is executed. */
void xprobe__force_returns(struct xprobe *xprobe, bool force);
/* Whether the kernel asks at each call before it replaces the return address (Linux 6.13). */
bool xprobe__asks_at_entry(const struct xprobe *xprobe);
/* Whether the process has executed another program since xprobe__watch_code. */
bool xprobe__has_executed(const struct xprobe *xprobe);
/* The same by another thread than its first one: to the kernel no link is of it any more. */
bool xprobe__has_lost_process(const struct xprobe *xprobe);
/* Whether the probes end with the process's first thread. */
bool xprobe__is_by_thread(const struct xprobe *xprobe);

/*
 * Whether it is proven that no thread of the process goes on with another stack: then calls
 * are told apart by the stack pointer alone, which costs less.  To be said before attaching; an
 * execve takes it back.
 */
void xprobe__set_one_stack(struct xprobe *xprobe, bool one_stack);

/* The scheduler's eBPF programs alone, without a view, to measure what they cost others. Returns 0 or -1. */
int xprobe__attach_scheduler(struct xprobe *xprobe, struct error *error);

/* What is subtracted from now on for a class, XP_COST_CALL() or XP_COST_PASS(). */
void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost);
/* Likewise of calls that are not measured, as their condition is not true of them. */
void xprobe__set_unmatched_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost);
/* And what the first step in a process costs once more. */
void xprobe__set_step_page_cost(struct xprobe *xprobe, struct xp_once cost);
/* By how much more a thread's first call of each function makes figures uncertain. */
void xprobe__set_first_call_cost(struct xprobe *xprobe, uint64_t ns);
enum xp_entry_class xprobe__entry_class(const struct fn_function *function);
enum xp_exit_class xprobe__site_class(const struct fn_site *site);
/* The class of a function's most expensive exit. */
enum xp_exit_class xprobe__exit_class(const struct fn_function *function);

/* The id of the first of its spare functions. */
uint32_t xprobe__first_spare(const struct xprobe *xprobe);
/* What is counted; mapped while the eBPF programs write. */
struct figures xprobe__figures(const struct xprobe *xprobe);

struct xp_counters xprobe__counters(const struct xprobe *xprobe);
/* Those of the process since xprobe__reset_counters. */
struct xp_switches xprobe__switches(const struct xprobe *xprobe);
/*
 * How often, since load, the kernel did not run one of the eBPF programs because it was already
 * running on that CPU.  The kernel has that rule for the scheduler's tracepoints, and before
 * Linux 6.0 for single probes; probes that are set many at once are always run.
 */
uint64_t xprobe__missed_runs(const struct xprobe *xprobe);

/* What the probes met so far say of the ways into the kernel, by which waits within probes are told. */
struct xp_ways_in xprobe__ways_in(const struct xprobe *xprobe);

int xprobe__ring_fd(const struct xprobe *xprobe);
/* Only where waits are told. */
struct wait_maps xprobe__wait_maps(const struct xprobe *xprobe);
/* The states of threads, which begin with struct xp_thread_costs. */
int xprobe__threads_fd(const struct xprobe *xprobe);
/* Events that found no room in the ring, by CPU modulo XP_MAX_CPUS, since load. */
const uint64_t *xprobe__events_dropped(const struct xprobe *xprobe);

/* Forgets what calibration counted; to be called while nothing is attached. */
void xprobe__reset_counters(struct xprobe *xprobe);

/* Exit code of the traced process as wait() has it, or -1 while its first thread runs. */
int xprobe__leader_exit_code(const struct xprobe *xprobe);

#endif
