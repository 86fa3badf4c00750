/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What measures the points of one recording: one mechanism, or several that share them.  This, the
 * figures and the layout of events are all that a recording knows of mechanisms:
 *
 *	mechanisms__find  ->  load  ->  calibrate  ->  attach  ->  detach  ->  recheck  ->  free
 *
 * Points have the ids 0 .. nr - 1, in the order in which they were asked for, whichever mechanism
 * measures them.  Each function does what the operation of its name does in struct mechanism_ops,
 * for all mechanisms; what is said here is what differs.
 */
#ifndef KVIEW_MECHANISMS_H
#define KVIEW_MECHANISMS_H

#include "mechanism/mechanism.h"

struct mechanism_part;
struct mechanism_place;
struct shared_view;

/* A mechanism's events, which name points by its own ids: those of its ring, or of its reader. */
struct mechanisms_source {
	struct mechanism *mechanism;
	struct mechanism_ring ring;
	const struct mechanism_reader *reader;	/* NULL: they are in the ring */
	const uint32_t *points;		/* the recording's ids, by the mechanism's */
	size_t nr;
};

/* What a mechanism tells of waits, see struct mechanism; the functions there are its own ids, of points. */
struct mechanisms_waits {
	struct wait_maps maps;
	const uint32_t *points;		/* the recording's ids, by the mechanism's */
	size_t nr;
};

#define MECHANISMS_NAMED 4	/* points that were left, with their names */

/* Points that were looked up, and could not be attached as the process had changed meanwhile: of another attempt. */
struct left_points {
	bool *points;			/* by point: left to the kinds behind the first one that serves it */
	unsigned int attempts;
	bool once_more;			/* another one is worth it */
};

struct mechanisms {
	pid_t pid;
	size_t nr;			/* of points */
	const char **names;		/* by point */
	/* From load on. */
	struct point_figures *points;	/* by point */
	struct mechanisms_source *sources;	/* of events */
	size_t nr_sources;
	struct mechanisms_waits *waits;	/* of those that tell of waits */
	size_t nr_waits;
	int changes_fd;			/* readable when follow has to be called; -1: never */
	bool by_thread;			/* probes end with the process's first thread */

	/* All mechanisms measure calls between these two: from attach and detach on. */
	uint64_t begin_ns, end_ns;

	/* For mechanisms.c. */
	struct mechanism_part *parts;	/* one a mechanism, in the order of mechanism_kinds */
	size_t nr_parts;
	struct mechanism_place *places;	/* by point */
	int epoll_fd;
	const struct cgroup *cgroup;	/* as in struct mechanism_load */
	bool has_agent;			/* the cgroup does */
	struct process_tree *tree;	/* NULL: children are not measured */
	int members_fd;			/* likewise; -1: one process is measured */
	int marks_fd;			/* as in struct mechanism_load */
	struct shared_view *view;
	char left_note[512];		/* of points that were left, with the first names */
	size_t last_left, nr_left;
	char filter_note[2048], note[2048], waits_note[6144];
};

/* What measures all that a checked request asks for; left may be NULL.  NULL: error says why there is none. */
struct mechanisms *mechanisms__find(const Kview__Wire__StartRecordingRequest *request, const struct left_points *left,
				    struct error *error);
/* To be called once attach has failed; NULL is allowed. */
void mechanisms__leave(const struct mechanisms *mechanisms, struct left_points *left);
/* NULL is allowed. */
void mechanisms__free(struct mechanisms *mechanisms);
/* Loads all.  They share max_bytes. */
int mechanisms__load(struct mechanisms *mechanisms, const struct mechanism_load *opts,
		     struct error *error);
/* One after the other, while nothing is attached that would make the others' probes dearer. */
void mechanisms__calibrate(struct mechanisms *mechanisms, struct calibration *latest);
/*
 * Attaches all, and then lets all begin to measure, so that there is one moment for all.  On failure
 * nothing is attached.
 */
int mechanisms__attach(struct mechanisms *mechanisms, struct error *error);
/* All end before the first is detached.  Of a struct mechanisms, and 0 at all times: for loop__do_aside. */
int mechanisms__detach(void *mechanisms);
void mechanisms__recheck(struct mechanisms *mechanisms);
void mechanisms__refresh(struct mechanisms *mechanisms);
bool mechanisms__reprice(struct mechanisms *mechanisms);
/* This one and the next two are of each mechanism by itself. */
uint64_t mechanisms__beside_ns(const struct mechanisms *mechanisms, size_t part);
const char *mechanisms__beside(const struct mechanisms *mechanisms, size_t part);
uint32_t mechanisms__part_of(const struct mechanisms *mechanisms, size_t point);
uint64_t mechanisms__uncertain_ns(const struct mechanisms *mechanisms, size_t point,
				  uint64_t removed_ns, uint64_t uncertain_ns);
/* By so much what is told of functions may be wrong, and not only by what they counted of it. */
void mechanisms__widen(const struct mechanisms *mechanisms, Kview__Wire__FunctionDelta **functions, size_t nr);

/*
 * Fills off with points of one mechanism, which have one reason.  To be called again, once their
 * probes were taken off, until there are none.
 */
const char *mechanisms__follow(struct mechanisms *mechanisms, struct mechanism_off *off);
const char *mechanisms__has_failed(const struct mechanisms *mechanisms);
/* On failure the recording has to end: of other mechanisms points may have come off. */
int mechanisms__drop(struct mechanisms *mechanisms, const uint32_t *dropped, size_t nr_dropped,
		     const uint32_t *kept, size_t nr_kept, struct error *error);
size_t mechanisms__relieve(struct mechanisms *mechanisms, uint32_t *points, size_t nr,
			   uint32_t *kept);
bool mechanisms__is_relieving(const struct mechanisms *mechanisms);
void mechanisms__settle(struct mechanisms *mechanisms);
void mechanisms__free_children(struct mechanisms *mechanisms);
/* At most: the same child may have probes of several mechanisms. */
struct mechanism_children mechanisms__children(const struct mechanisms *mechanisms);
/* Whether forked children may have probes of that point in their code. */
bool mechanisms__is_in_children(const struct mechanisms *mechanisms, size_t point);

void mechanisms__losses(const struct mechanisms *mechanisms, Kview__Wire__Losses *losses);
int mechanisms__exit_code(const struct mechanisms *mechanisms);
void mechanisms__describe(const struct mechanisms *mechanisms, size_t point,
			  Kview__Wire__AttachedProbe *message);
bool mechanisms__file(const struct mechanisms *mechanisms, size_t index,
		      Kview__Wire__Binary *message);
void mechanisms__look_for_loaded(struct mechanisms *mechanisms);
bool mechanisms__is_awaited(const struct mechanisms *mechanisms, size_t point);

/*
 * Of a cgroup or a process tree: the processes that came to points, by their first time; more: there were others.  NULL: one process is measured, or
 * there is no memory.
 */
Kview__Wire__MeasuredProcess **mechanisms__members(const struct mechanisms *mechanisms, size_t *nr, bool *more);
/* What all of the tree have had of the CPUs, where there is one. */
uint64_t mechanisms__tree_cpu_ns(const struct mechanisms *mechanisms);
void mechanisms__free_members(Kview__Wire__MeasuredProcess **list, size_t nr);

/* The filter in use: a view where all that is measured is in one. */
Kview__Wire__Filter mechanisms__filter(const struct mechanisms *mechanisms);
/* What the mechanisms say, as in struct mechanism, one after the other; valid until asked again. */
const char *mechanisms__filter_note(struct mechanisms *mechanisms);
const char *mechanisms__note(struct mechanisms *mechanisms);
const char *mechanisms__waits_note(struct mechanisms *mechanisms);

#endif
