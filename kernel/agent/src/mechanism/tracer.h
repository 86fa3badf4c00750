/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Some mechanisms have eBPF programs that the kernel itself calls, at its tracepoints or functions.  Here is
 * what these mechanisms share: the maps of figures and events, the eBPF programs at the scheduler's
 * tracepoints, and what all of them cost.
 *
 *	tracer__plan -> TRACER_CHOOSE -> load the skeleton -> TRACER_BIND -> tracer__open
 */
#ifndef KVIEW_TRACER_H
#define KVIEW_TRACER_H

#include <linux/types.h>

#include "bpf/events.h"
#include "mechanism/bpf/thread.h"
#include "mechanism/figure_views.h"
#include "mechanism/mechanism.h"
#include "mechanism/own_switches.h"
#include "mechanism/scope.h"
#include "mechanism/view_hooks.h"

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct bpf_program;
struct shared_view;

struct tracer {
	struct bpf_object *object;
	/* Parts of the eBPF programs' data, which is mapped. */
	__u32 *target_tgid, *active, *nr_threads;
	int *exit_code;
	struct xp_counters *counters;
	bool *running_unseen;
	struct xp_switches *switches;
	__u64 *dropped;
	struct xp_cost *costs;

	struct figure_views views;
	size_t more_bytes;		/* of each slot and function, set before tracer__plan(): maps of the mechanism's own */
	uint32_t more_places;		/* in the figures, as of so many more points; likewise */
	struct bpf_link **links;
	size_t nr_links;
	/* Where the process is measured in its own view of the kernel, that view, else NULL; and the hooks there in place of links. */
	struct shared_view *view;
	struct view_hooks hooks;
	bool has_entered;
	uint64_t missed_in_view, missed_in_view_before;	/* in all; before calls were measured */
	/* In place of the programs at the scheduler's tracepoints; while it is linked. */
	bool own_switches;
	struct own_switches switches_of_threads;
	char why_host[200];			/* why not; "": it is so, or was asked for otherwise */
	uint32_t functions, slots;
	double switch_ns[XP_SWITCH_KINDS];	/* what it costs that a thread leaves its CPU and comes back */
	uint64_t missed_before;			/* before calls were measured */
	uint64_t max_bytes;			/* of the kernel's memory, as in struct mechanism_load */
	uint32_t ring_bytes;
	bool events;
	const struct cgroup *cgroup;		/* as in struct mechanism_load */
	__u64 *target_cgroup;
	const struct process_tree *tree;	/* likewise */
	bool *measures_tree;
};

/*
 * How much of the kernel's memory to take for nr points, which are called what, and one more that the costs
 * are measured with.  Returns 0, or -1 with error filled: the caller may not have as much.
 */
int tracer__plan(struct tracer *tracer, const struct mechanism_load *load, size_t nr,
		 const char *what, struct error *error);

/* The skeleton is open: sets what has to be known before it is loaded. */
#define TRACER_CHOOSE(tracer, skel) do {						\
	(tracer)->object = (skel)->obj;							\
	(skel)->rodata->nr_functions = (tracer)->functions;				\
	(skel)->rodata->slot_mask = (tracer)->slots - 1;				\
	(skel)->rodata->with_events = (tracer)->events;					\
	(skel)->rodata->wake_bytes = (tracer)->ring_bytes / 4;				\
	(skel)->rodata->stops_at_raise = permission__ends_at_raise();			\
	(skel)->rodata->max_threads = tracer__max_threads(tracer);			\
	(skel)->rodata->in_view = (tracer)->view != NULL;				\
	(skel)->rodata->own_switches = (tracer)->own_switches;				\
	causes__fill((skel)->rodata->cause_of_syscall);					\
	SCOPE_CHOOSE(skel, (tracer)->cgroup);						\
	SCOPE_CHOOSE_TREE(skel, (tracer)->tree);					\
	tracer__set_maps(tracer);							\
	tracer__choose_view_programs(tracer);						\
	own_switches__choose((tracer)->object, (tracer)->own_switches);			\
} while (0)
/* How many threads may have a state at a time; 0: as many as there are. */
uint32_t tracer__max_threads(const struct tracer *tracer);
void tracer__set_maps(struct tracer *tracer);
/* The programs that are not needed in a view, or only there, are not loaded. */
void tracer__choose_view_programs(struct tracer *tracer);

/* The skeleton is loaded. */
#define TRACER_BIND(tracer, skel) do {							\
	(tracer)->target_tgid = &(skel)->bss->target_tgid;				\
	(tracer)->target_cgroup = &(skel)->bss->target_cgroup;				\
	(tracer)->measures_tree = &(skel)->bss->measures_tree;				\
	(tracer)->active = &(skel)->bss->active;					\
	(tracer)->nr_threads = &(skel)->bss->nr_threads;				\
	(tracer)->exit_code = &(skel)->data->leader_exit_code;				\
	(tracer)->counters = &(skel)->bss->counters;					\
	(tracer)->running_unseen = &(skel)->bss->running_unseen;			\
	(tracer)->switches = (skel)->bss->switches;					\
	(tracer)->dropped = (skel)->bss->events_dropped;				\
	(tracer)->costs = (skel)->bss->costs;						\
} while (0)

/* Maps the figures, and tells the mechanism of them.  Returns 0, or -1 with error filled. */
int tracer__open(struct tracer *tracer, struct mechanism *mechanism, struct error *error);
/* Before the skeleton is destroyed. */
void tracer__close(struct tracer *tracer);

/* Attaches a program where its section says.  Returns 0, or -1 with errno. */
int tracer__link(struct tracer *tracer, struct bpf_program *program);
/* Takes over a link; NULL: it failed, with errno. */
int tracer__add_link(struct tracer *tracer, struct bpf_link *link);
/* The programs at the scheduler's tracepoints, or at the own events of target_tgid, if that is somebody.  Returns 0, or -1 with errno. */
int tracer__link_scheduler(struct tracer *tracer);
/* Returns once what was attached is closed; programs may still run. */
void tracer__unlink(struct tracer *tracer);
/* Waits for an RCU grace period: eBPF programs that run have ended. */
void tracer__wait(void);

/*
 * Whether it is measured in its own view: tracer->view is set then.  add: as in struct view_user, for the hooks at the points,
 * and those of the scheduler come to them.  Before the skeleton is loaded.  Returns 0, or -1 with error filled.
 */
int tracer__choose_view(struct tracer *tracer, struct shared_view *view, bool begins,
			int (*add)(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error),
			void *context, struct error *error);
/* What tells of the process's switches, once it is known whether it is in a view.  Likewise. */
int tracer__choose_switches(struct tracer *tracer, const struct mechanism_load *load, pid_t pid, struct error *error);
/* The kernel refused the programs: true where it may be due to these, and they are loaded for all switches of the host now. */
bool tracer__give_up_own_switches(struct tracer *tracer, const struct mechanism_load *load);
/* The process comes into the view, in place of links.  Returns 0, or -1 with error filled. */
int tracer__enter_view(struct tracer *tracer, struct error *error);

/* Forgets what calibration counted, and whom; before calls of that process are measured. */
void tracer__reset(struct tracer *tracer, pid_t pid);
void tracer__set_active(struct tracer *tracer, bool active);
/*
 * After that it is not active any more: what is still under way is counted by the iterator's program, while ends of
 * threads are seen, so that each thread is looked at in one of the two.  Then everything is detached, and the view left.
 */
void tracer__stop(struct tracer *tracer, const struct figures *figures, struct bpf_program *count_running);

/*
 * Measures switch_ns while target_tgid is the agent: of threads that have no state, or of those that have.  Where the
 * process is measured in a view, the agent leaves its CPU in one to another process of its own, that is in none.
 * Elsewhere, while it is 0: what others pay for a switch, into others_ns.  Returns 0 or -1.
 */
int tracer__price_switches(struct tracer *tracer, enum xp_switch kind);
int tracer__price_others_switches(struct tracer *tracer, uint64_t *others_ns);
/* The agent's thread has no state in these maps from here on. */
void tracer__forget_agent(struct tracer *tracer, struct bpf_map *const *maps, size_t nr);
/* What the context switches of the process cost since tracer__reset. */
double tracer__switches_ns(const struct tracer *tracer);
void tracer__losses(const struct tracer *tracer, Kview__Wire__Losses *losses);
int tracer__exit_code(const struct tracer *tracer);

#endif
