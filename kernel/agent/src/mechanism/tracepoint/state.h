/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording of tracepoints consists of; for this folder alone. */
#ifndef KVIEW_TRACEPOINT_STATE_H
#define KVIEW_TRACEPOINT_STATE_H

#include "mechanism/figure_views.h"
#include "mechanism/mechanism.h"
#include "mechanism/tracepoint/bpf/tracepoint.h"
#include "mechanism/view_hooks.h"
#include "tracepoint.skel.h"

/* An eBPF program at a tracepoint, or at the event of one; in a view of the process, where there is a set. */
struct hit_link {
	struct kview_set *set;
	int program;		/* the copy for this point; -1: none, or the common one */
	int link;		/* -1: not attached */
	int event;		/* of perf; -1: a raw tracepoint */
};

/* In a view it would have no hits. */
#define TRACEPOINT_UNSEEN	(-1)

struct tracepoint {
	char *label;		/* "tracepoint:sched:sched_switch" */
	char *category, *name;
	bool is_of_system_calls;
	int number;		/* of the system call that it is the event of; -1: none, or not known */
	enum tp_side side;	/* and where it is */
	bool is_event;		/* such an event whose number is not known, or of a name that others have: perf's event is used */
	/* errno of the kernel or, in a view, of the module, or TRACEPOINT_UNSEEN; 0: it was not refused, or that has been told */
	int refused;
	struct hit_link at;
};

struct tracepoints {
	struct mechanism base;
	struct tracepoint_bpf *skel;
	struct tracepoint *points;
	const char **names;		/* base.names */
	int tracefs;
	struct figure_views views;
	struct xp_cost costs[XP_COST_CLASSES];
	struct bpf_link *frees;		/* sched_process_free */
	struct bpf_link *calls_links[TP_SIDES];	/* of system calls; NULL: no point needs it */
	Kview__Wire__Filter filter;	/* as the request has it */
	struct shared_view *view;	/* where they are measured in one, else NULL */
	struct view_hooks hooks;	/* in it, in place of frees */
	struct kview_set *calls_sets[TP_SIDES];	/* in place of calls_links */
	struct bpf_link *cuts;		/* there, see bpf/calls-cut.bpf.h; NULL: not attached */
	bool watches_cuts;		/* true until the program could not be attached */
	const struct cgroup *cgroup;	/* as in struct mechanism_load */
	const struct process_tree *tree;	/* likewise */
	bool has_entered;
	uint64_t missed;		/* runs of copies that are gone */
	uint64_t missed_before;
	uint64_t in_interrupts;		/* hits that are not counted in a view, at what is gone */
	uint64_t in_interrupts_before;	/* in all, before hits were counted */
	char price_note[512];
	char note[1536], filter_note[1024];	/* the first with price_note in it */
};

#define NO_LINK	((struct hit_link){ NULL, -1, -1, -1 })

static inline struct tracepoints *tracepoints__of(const struct mechanism *mechanism)
{
	return (struct tracepoints *)mechanism;
}

/* mark: as in bpf/tracepoint.h.  Return 0, or -1 with errno and nothing attached. */
int hit_link__raw(struct hit_link *link, const struct tracepoints *t, const char *name, uint32_t mark);
int hit_link__event(struct hit_link *link, const struct tracepoints *t, const char *category, const char *name, uint32_t mark);
/* What missed in its copy of the program is added to missed. */
void hit_link__close(struct hit_link *link, uint64_t *missed);
uint64_t hit_link__missed(const struct hit_link *link);
uint32_t tracepoint__mark(const struct tracepoints *t, size_t point);

/* What the event of a single system call is of; false: it is none of these, or its number is not known. */
bool system_call__of(struct tracepoint *point);
/* Whether the points on system calls are hit from now on; what none needs is closed.  Returns 0, or -1 with errno. */
int system_calls__link(struct tracepoints *t);
void system_calls__unlink(struct tracepoints *t);
void system_calls__drop(struct tracepoints *t, size_t point);

/*
 * Whether they are to be measured in the process's view, and hooks for them there if so.  Returns 0, or -1 with error
 * filled.  Then, once the skeleton is loaded, the eBPF programs at them.
 */
int tracepoints__choose_view(struct tracepoints *t, struct shared_view *view, struct error *error);
int tracepoints__run_in_view(struct tracepoints *t, struct error *error);
int tracepoints__enter_view(struct tracepoints *t, struct error *error);
void tracepoints__leave_view(struct tracepoints *t);
/* Hits that are not counted there. */
uint64_t tracepoints__in_interrupts(const struct tracepoints *t);
/* Adds to the note what a view does not show, as far as it has come to that. */
void tracepoints__look(struct mechanism *mechanism);
/* A set's place in a view, which may be NULL: what it does not see is added to what t->missed and t->in_interrupts are. */
void hit_set__close(struct kview_set **set, struct tracepoints *t);
uint64_t hit_set__missed(struct kview_set *set);
uint64_t hit_set__in_interrupts(struct kview_set *set);
/* The program for this point alone.  Returns 0, or -1 with errno. */
int hit_link__program(struct hit_link *link, const struct tracepoints *t, uint32_t mark);

/* Of this class, if there are points of it. */
bool tracepoints__have(const struct tracepoints *t, bool is_of_system_calls);

/* Whose hits count from now on; 0: nobody's. */
void tracepoints__aim(struct tracepoints *t, pid_t pid);
void tracepoints__set_active(struct tracepoints *t, bool active);
/* Operation of the mechanism. */
void tracepoints__calibrate(struct mechanism *mechanism, struct calibration *latest);

#endif
