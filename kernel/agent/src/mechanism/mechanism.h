/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A mechanism is one way to measure calls of points in a process.  A new one defines a struct
 * mechanism_kind and is named in mechanism.c; nothing in recording/ changes for it.  Recordings
 * know mechanisms.h alone, where one or several of them measure the points of a recording:
 *
 *	find  ->  load  ->  calibrate  ->  attach  ->  begin  ->  end  ->  detach  ->  recheck  ->  free
 *
 * The ids of points are the mechanism's own here: 0 .. nr - 1.
 */
#ifndef KVIEW_MECHANISM_H
#define KVIEW_MECHANISM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/figures.h"

struct calibration;
struct cgroup;
struct process_tree;
struct fn_function;
struct fn_known_code;
struct fn_query;
struct mechanism;
struct point_names;
struct shared_view;
struct xp_event;

/* What tells when threads leave their CPUs, as requests have it. */
enum mechanism_switches {
	SWITCHES_AUTO,		/* so far all switches of the host */
	SWITCHES_PROCESS,	/* the process's own context-switch events, see own_switches.h */
	SWITCHES_HOST,		/* all switches of the host */
};

struct mechanism_load {
	enum mechanism_switches switches;
	bool events;		/* of calls and of the scheduler, to the ring */
	uint32_t ring_bytes;	/* a power of two */
	bool waits;		/* for what calls waited, and who woke them, to wait_maps */
	bool wait_stacks;	/* then, where in the kernel they waited as well */
	/* Of the kernel's memory, for maps, and as much for the states of threads; 0: no limit. */
	uint64_t max_bytes;
	/*
	 * Of another mechanism that was loaded before, as threads_fd in struct mechanism: its calls are
	 * told of the probes that lie within them.  -1: there is none.
	 */
	int threads_fd;
	int more_threads_fd;	/* likewise, of one that was loaded before that one */
	/*
	 * Of the one that is_inner, likewise, as inner_fd in struct mechanism: what its probes take within calls of this
	 * mechanism is in there, and its eBPF programs are told there of those of this one.
	 */
	int inner_fd;
	/*
	 * Where hits of tracepoints are counted as well: the map in which eBPF programs mark the threads that they run on, see
	 * bpf/program-mark.bpf.h.  -1: there is none.
	 */
	int marks_fd;
	/* All processes in it are measured, and no other; NULL: the one process is. */
	const struct cgroup *cgroup;
	/* The process is measured with its children, and theirs: for mechanisms, tree.  One of this and the cgroup at most. */
	bool with_children;
	const struct process_tree *tree;
	int members_fd;			/* where one of them is not NULL: the map of processes that came to points, see bpf/scope.bpf.h */
	/* The process's own view of the kernel, for those that can measure in it; NULL: it may not be in one. */
	struct shared_view *view;
	const struct error *no_view;	/* the process can't come into one, and why; NULL or of zeros: it is tried */
};

/* Where events come from.  What each CPU's record says of others, see struct xp_event, holds within it. */
struct mechanism_ring {
	int fd;				/* -1: there are none */
	const uint64_t *dropped;	/* events without room, by CPU modulo XP_MAX_CPUS */
};

/*
 * Events that are in no ring of eBPF programs: the mechanism has them itself, and hands them over as the records of a ring
 * are.  It vouches for them: types that there are, and no time that is yet to come.
 */
struct mechanism_reader {
	/* Some of what there is.  now_ns: a look at the clock, just before.  False: there is nothing for now. */
	bool (*read)(struct mechanism *mechanism, uint64_t now_ns,
		     void (*take)(void *context, const struct xp_event *event, size_t bytes), void *context);
	/* No event that it still has to hand over is older. */
	uint64_t (*settled_ns)(const struct mechanism *mechanism);
	/* Events without room, of a CPU modulo XP_MAX_CPUS. */
	uint64_t (*dropped)(const struct mechanism *mechanism, uint32_t cpu);
	/* Readable when much waits to be read; read makes it unreadable.  NULL: it is read ten times a second. */
	int (*fd)(const struct mechanism *mechanism);
};

/* What probes cost on this host, by their kinds. */
struct mechanism_prices {
	Kview__Wire__ProbeCost rows[XP_COST_CALLS];
	size_t nr;
	uint64_t switch_ns;	/* of each context switch of other processes */
	const char *note;	/* the calibration's: one sentence where they did not settle, or "" */
};

/* Code in a file. */
struct code_place {
	uint64_t device, inode, file_offset, size_bytes;
};

/* Points whose probes have to come off, and why, as a sentence. */
struct mechanism_off {
	uint32_t *points;	/* room for all */
	size_t nr;
	bool were_never_on;	/* what was attached stays so */
	char why[512];
};

/* Children that the process forked with probes in their code. */
struct mechanism_children {
	uint64_t nr;
	uint64_t cpu_ns;	/* that they had until they were freed, or ended */
};

/*
 * Each returns 0 or true, or -1 with error filled, where nothing else is said.  Those from recheck on
 * are NULL where a mechanism has nothing to do or to say.
 */
struct mechanism_ops {
	/* May be called in any state: before load, and also while attached. */
	void (*free)(struct mechanism *mechanism);
	/* Loads what runs in the kernel, and fills figures.  Nothing is measured yet. */
	int (*load)(struct mechanism *mechanism, const struct mechanism_load *opts,
		    struct error *error);
	/*
	 * Measures what the probes cost, and stores it in latest as well.  If some of it is
	 * uncertain, note says so.
	 */
	void (*calibrate)(struct mechanism *mechanism, struct calibration *latest);
	/* Nothing is measured yet.  On failure nothing is attached. */
	int (*attach)(struct mechanism *mechanism, struct error *error);
	/* Calls are measured from now on. */
	int (*begin)(struct mechanism *mechanism, struct error *error);
	/* And from now on no more. */
	void (*end)(struct mechanism *mechanism);
	/*
	 * After attach, whether or not calls began to be measured.  Waits until no eBPF program runs
	 * any more.  Calls still running become unfinished.
	 */
	void (*detach)(struct mechanism *mechanism);
	/*
	 * Fills all fields except function_id and measured.  The caller frees goes_on_to; all else
	 * belongs to the mechanism.
	 */
	void (*describe)(const struct mechanism *mechanism, size_t point,
			 Kview__Wire__AttachedProbe *message);
	/*
	 * Takes the probes off some points while others go on, if there are any.  Calls of those that
	 * come off count as lost if they are under way.  On failure all probes are as they were.
	 */
	int (*drop)(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		    const uint32_t *kept, size_t nr_kept, struct error *error);

	/* Before figures are read, where they are not written by the kernel's side as calls end. */
	void (*refresh)(struct mechanism *mechanism);
	/* The code that it changes, so that others may put nothing into it.  False: index is too high. */
	bool (*changes)(const struct mechanism *mechanism, size_t index, struct code_place *place);
	/*
	 * Before load: another mechanism changes that code.  Nothing is put there for calls that go on in it; -1 with error where
	 * a point can't be measured without.
	 */
	int (*avoid)(struct mechanism *mechanism, const struct code_place *place, struct error *error);
	/*
	 * Code that it has put into memory of the process without a file, if that is still there as it was put: to be added to
	 * others' as known.
	 */
	void (*own_code)(const struct mechanism *mechanism, struct fn_known_code *known);
	/* Before load: whoever judges the code of the process asks that other mechanism for its own_code, each time. */
	void (*know)(struct mechanism *mechanism, const struct mechanism *other);
	/*
	 * After detach, and once the last figures were read: measures the costs again.  Where they
	 * have changed, note tells.
	 */
	void (*recheck)(struct mechanism *mechanism);
	/*
	 * To be called before costs are looked at.  Returns true if a better estimate of a call's
	 * cost is used from now on, with which the calls counted so far are charged again.
	 */
	bool (*reprice)(struct mechanism *mechanism);
	/*
	 * What the process has paid since attach in addition to the cost of the points (what that
	 * is, beside says).  It goes on when some points lose their probes.
	 */
	uint64_t (*beside_ns)(const struct mechanism *mechanism);
	/*
	 * The error bound of a sum from which removed_ns was subtracted.  It is the uncertain_ns
	 * that was counted for the calls, widened for random disturbances and, after recheck, for
	 * the change of cost that recheck saw.
	 */
	uint64_t (*uncertain_ns)(const struct mechanism *mechanism, uint64_t removed_ns,
				 uint64_t uncertain_ns);
	/*
	 * To be called when changes_fd is readable, and once after attach.  Fills off with the
	 * points whose probes have to be removed because the code of the process has changed.
	 * Returns NULL, or why the recording has to end.
	 */
	const char *(*follow)(struct mechanism *mechanism, struct mechanism_off *off);
	/* NULL, or why the recording has failed if no other function reports it. */
	const char *(*has_failed)(const struct mechanism *mechanism);
	/*
	 * Of nr points that cost too much, some may become cheap enough when the next drop removes
	 * only a part of their probes.  Moves these to kept, which has room for nr.  Returns how
	 * many remain in points.
	 */
	size_t (*relieve)(struct mechanism *mechanism, uint32_t *points, size_t nr, uint32_t *kept);
	/*
	 * Whether probes that points lost may still be hit, because the kernel has not finished
	 * removing them.  Until then drop and settle may have to wait.
	 */
	bool (*is_relieving)(const struct mechanism *mechanism);
	/* Called some time after drop: removes the probes that drop kept for calls under way. */
	void (*settle)(struct mechanism *mechanism);
	/* Removes the probes from forked children for which there was no time earlier. */
	void (*free_children)(struct mechanism *mechanism);
	struct mechanism_children (*children)(const struct mechanism *mechanism);

	/* Adds losses that belong to no point. */
	void (*losses)(const struct mechanism *mechanism, Kview__Wire__Losses *losses);
	/* Exit code of the process as wait() has it, or -1 while its first thread runs. */
	int (*exit_code)(const struct mechanism *mechanism);

	/* The files that points are in; a file may come more than once.  False: index is too high. */
	bool (*file)(const struct mechanism *mechanism, size_t index, Kview__Wire__Binary *message);
	/* Checks which of the files that were not loaded at first the process has loaded by now. */
	void (*look_for_loaded)(struct mechanism *mechanism);
	/* Whether the point's file has never been seen loaded. */
	bool (*is_awaited)(const struct mechanism *mechanism, size_t point);
};

/* What is public of each; only the mechanism itself writes it. */
struct mechanism {
	const struct mechanism_ops *ops;
	pid_t pid;
	size_t nr;			/* of points, whose ids are 0 .. nr - 1 */
	const char *const *names;	/* of points, by id */
	/* Where find left some of the request's probes to other kinds: the probe of each point; NULL: it took all. */
	const uint32_t *shares;
	const char *filter_note;	/* one sentence: where is filtered, and what others pay for it */
	const char *beside;		/* "system calls that are not measured": what beside_ns is of */
	const char *note;		/* one sentence where the costs are not known surely, or "" */
	bool counts_hits;		/* of what eBPF programs of all others come to as well, see marks_fd */
	bool is_inner;			/* its probes are met within calls and eBPF programs of all others; at most one is */
	const char *waits_note;		/* where waits within probes are in doubt, from calibrate on; NULL: nowhere */

	/* From load on. */
	struct figures figures;
	struct mechanism_ring ring;
	const struct mechanism_reader *reader;	/* of events beside the ring's; NULL: there are none */
	int threads_fd;			/* a task storage that begins with struct xp_thread_costs; -1: none */
	int inner_fd;			/* where is_inner: one that begins with struct xp_thread_inner; else not set */
	bool tells_waits;
	struct wait_maps wait_maps;	/* then */
	int changes_fd;			/* readable when follow has to be called; -1: never */
	bool by_thread;			/* the probes end with the process's first thread */
	bool in_view;			/* they are in the process's own view of the kernel: nobody else pays */
	const char *kind;		/* for those that can be: "System calls" */
	/*
	 * Where attach failed, as the process is another one than when the points were looked up, or as its code is not the file's: those that it
	 * can't measure so, by point; another time it may measure the rest.  NULL: it failed for another reason.
	 */
	const bool *taken;
};

struct mechanism_kind {
	bool takes_conditions;	/* of which calls are measured, and splits by values; else it serves no probe that has one */
	bool takes_measures;	/* counts beside time what a request asks for; else it serves no request that asks for it */
	/* Whether the probe is this kind's.  Where several would serve it, it is the first one's. */
	bool (*serves)(const Kview__Wire__StartRecordingRequest *request,
		       const Kview__Wire__Probe *probe);
	/*
	 * Looks up the points of a request that was checked, all of which it serves.  Some of them may be left to the kinds
	 * behind it, see shares.  Probes of other
	 * kinds are not in it, and the ids are 0 .. n_probes - 1.  NULL: error says what is wrong.
	 */
	struct mechanism *(*find)(const Kview__Wire__StartRecordingRequest *request,
				  struct error *error);
};

/* Whether functions can be measured by jumps here, as a sentence for the user. */
bool mechanism__has_jumps(char *detail, size_t size);
/*
 * Before functions of a process are measured: -1 with error if its code has jumps, of another recording or of one that was killed.
 * Traps in the same places would break the program.
 */
int mechanism__check_unchanged(pid_t pid, struct error *error);
/*
 * Where threads of a process are in its program that run what jumps lead to, see place/origins.h: as the program has no rules for
 * how to get from there to callers.  NULL: it has no jumps.
 */
struct origins;
struct frame_state;
struct frame_memory;
struct origins *mechanism__origins(pid_t pid);
void mechanism__free_origins(struct origins *origins);
bool mechanism__are_current(const struct origins *origins, pid_t pid);
void mechanism__leave_jumps(const struct origins *origins, const struct frame_memory *memory, struct frame_state *state);
/* Takes out of a process what recordings by jumps left that were killed; how many places of its code were restored. */
int mechanism__clean(pid_t pid, uint64_t *restored, struct error *error);

/* All that there are, by preference; NULL follows the last one. */
extern const struct mechanism_kind *const mechanism_kinds[];

/*
 * An empty store for what is known about the cost of probes; recordings add to it.  NULL: no
 * memory.  The caller frees it.
 */
struct calibration *calibration__new(void);
/*
 * For a child of the agent's: an empty store that both have.  What the child has put into it is taken over once the child has ended
 * well, so that nobody reads a cost of which a part is still the old one; it is freed in any case.  NULL: no memory.
 */
struct calibration *calibration__lend(void);
void calibration__take_back(struct calibration *calibration, struct calibration *lent, bool ended_well);
/* Measures all kinds of probes on functions, with a child of the agent's own. */
int mechanism__measure_prices(struct calibration *calibration, struct mechanism_prices *prices,
			      struct error *error);
/*
 * To be called before functions are searched for, with the agent's own rights: what this kernel can do
 * decides which of them can be probed, and how.
 */
void mechanism__prepare(struct fn_query *query);
/*
 * Of a function that can be probed: fills in how the kernel runs its most expensive exit, and the
 * predicted cost of a call if known.
 */
void mechanism__price(const struct calibration *calibration, const struct fn_function *function,
		      Kview__Wire__Function *body);
/*
 * Points of the kernel by their names.  Returns 0, or -1 with error filled; found has to be freed in any
 * case.
 */
int mechanism__find_points(const Kview__Wire__FindPointsRequest *request, struct point_names *found,
			   struct error *error);

#endif
