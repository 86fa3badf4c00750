/* SPDX-License-Identifier: GPL-2.0 */
/* What an xprobe consists of; for xprobe*.c alone. */
#ifndef KVIEW_XPROBE_STATE_H
#define KVIEW_XPROBE_STATE_H

#include <bpf/libbpf.h>

#include "mechanism/figure_views.h"
#include "mechanism/own_switches.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/xprobe.h"
#include "xprobe.skel.h"

struct held_files;

/* Children from which probes were removed, and the link that did it, which is being closed. */
struct sweep {
	struct links_closing *closing;
	uint32_t *tgids;	/* NULL: none */
	size_t nr;
};
#define SWEEPS	4
/* eBPF programs of all measures together, at most. */
#define MOST_MEASURING	16

struct xprobe {
	struct xprobe_bpf *skel;
	struct links *entries, *exits;
	struct links *calls;		/* LINKS_WHOLE: both ends of calls, else NULL */
	struct bpf_program *whole;	/* that these run */
	/* Calls of the previous edition: those calls still end by these links. */
	struct links *retired;
	/*
	 * Links of the two editions before that one, which are being closed: their hits no longer
	 * count.
	 */
	struct links_closing *closing[2];
	uint64_t closing_ns;		/* when the last of them began to be closed */
	uint64_t rest_ns;		/* since when no return addresses are replaced for that, or 0 */
	bool has_rested;		/* for these */
	struct links *loader;		/* what tells of code that is loaded */
	struct place loader_place;	/* its path is the xprobe's */
	uint32_t edition;		/* of the links */
	struct held_files *files;	/* that have probes */
	/* The first two end with the last function's probes; of waits, and before these. */
	struct bpf_link *scheduler[4], *waiting[2], *processes[3];
	struct bpf_link *measuring[MOST_MEASURING];	/* measures' own, with the waits' */
	size_t nr_measuring;
	const struct cgroup *cgroup;	/* as in struct xprobe_opts */
	const struct process_tree *tree;
	struct xprobe_view *view;	/* what is there in place of these, or NULL; the caller's */
	struct places places;		/* that have probes */
	struct ring_buffer *children;
	uint64_t children_kept;		/* that could not be freed */
	uint64_t children_cpu_ns;	/* CPU time of those that were, until then */
	struct sweep sweeps[SWEEPS];
	uint64_t sweep_ns;		/* no children are freed again before this time */
	bool children_wait;		/* children were reported since the last sweep */
	int again_fd;			/* a timer in the same epoll set as children; 0: none */
	struct figures counts;
	struct figure_views views;
	struct map_view tables_view;
	bool no_raising_files;
	const struct xp_condition *conditions;	/* by function, of nr_functions; NULL: there are none */
	size_t nr_functions;
	enum links_kind links_kind;
	struct own_switches switches_of_threads;	/* in place of the first two of scheduler, where own_switches */
	bool own_switches;
	bool events;
	bool waits;
};

/* In xprobe_closing.c.  Waits if the links before the last ones are still being closed, see xprobe__is_closing. */
void xprobe__close(struct xprobe *xprobe, struct links *const *sets, size_t nr);
void xprobe__wait_closed(struct xprobe *xprobe);

/* Tells the eBPF programs of the functions.  Returns 0, or -1 with error filled. */
int xprobe__describe(struct xprobe *xprobe, const struct xprobe_function *functions, size_t nr,
		     struct error *error);
/* Which calls of its functions are measured.  As the other. */
int xprobe__set_conditions(struct xprobe *xprobe, struct error *error);
/* From now on calls under way of a function count as lost, not as abandoned. */
void xprobe__set_off(struct xprobe *xprobe, uint32_t id);

#endif
