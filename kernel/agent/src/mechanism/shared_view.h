/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The traced process's own view of the kernel, which all mechanisms of a recording share that measure in it.  Each has its
 * hooks there, see view_hooks.h; the process comes in with the first mechanism, and goes with the last.
 */
#ifndef KVIEW_SHARED_VIEW_H
#define KVIEW_SHARED_VIEW_H

#include <stddef.h>
#include <sys/types.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/process_view.h"

/* Behind the reason why there is no view, where somebody wanted one. */
#define SHARED_VIEW_ADVICE	" Or record with --filter in (or auto): other processes are then told apart in the eBPF program."

struct process_tree;

struct shared_view {
	struct process_view base;	/* without a view until a mechanism wants one */
	struct kview *module;		/* likewise */
	pid_t pid;
	int process_fd;			/* a pidfd: the number may be given again */
	bool is_of_cgroup;		/* process_fd is that of a cgroup's folder */
	const struct process_tree *tree;	/* its children are in it as well; or NULL */
	Kview__Wire__Filter filter;	/* as the request has it */
	size_t users;			/* mechanisms that it is in the view for */
	bool tells_wakers;		/* there are events, with wake-ups by the process's own threads */
	enum view_others others;	/* the process was in somebody else's view as well, or may have been */
	char others_note[600];
	struct error no_view;		/* why there is none for any mechanism; of zeros: there may be one */
	char why[1024];			/* where a mechanism could not have it though the module is loaded; or "" */
};

/* From here on no other process is taken for this one.  To be closed in any case. */
void shared_view__init(struct shared_view *v, pid_t pid, Kview__Wire__Filter filter);
void shared_view__close(struct shared_view *v);
/* All processes of a cgroup are to be in it, by a descriptor of its folder, which stays the caller's; before any mechanism asks. */
void shared_view__take_cgroup(struct shared_view *v, int cgroup_fd);
/* Likewise all of a process tree.  NULL: the process alone. */
void shared_view__take_tree(struct shared_view *v, const struct process_tree *tree);
/* No mechanism has it, as the process can't come in. */
void shared_view__do_without(struct shared_view *v, const struct error *no_view);

/* A mechanism's hooks: add puts them into the view, remove takes them out again, if add has failed as well. */
struct view_user {
	int (*add)(void *context, struct kview_view *view, struct error *error);
	void (*remove)(void *context);
	void *context;
	struct process_view *second;	/* of the mechanism's own, that the process enters as well, or NULL; made by add */
};
/*
 * Before there are eBPF programs of the mechanism.  1: it has its hooks in the view, and the process may enter.  0: it is to
 * be measured without, as the request has it, or as there is no view: then v->why says more.  -1 with error: it can't be.
 * A v of NULL is allowed: 0.
 */
int shared_view__use(struct shared_view *v, const struct view_user *user, struct error *error);
/* For a mechanism; from then on its eBPF programs run.  Returns 0, or -1 with error filled. */
int shared_view__enter(struct shared_view *v, struct error *error);
/* Once for each mechanism for which it has entered. */
void shared_view__leave(struct shared_view *v);
/* Nobody is in it any more: it is gone. */
void shared_view__end(struct shared_view *v);

/* Others may come and go: to be called each time that figures are read. */
void shared_view__look_for_others(struct shared_view *v);
/* NULL, or why the recording has failed. */
const char *shared_view__has_failed(const struct shared_view *v);
/* What others pay, where what is named, as "System calls", is measured in it, as a sentence or two. */
void shared_view__describe(const struct shared_view *v, const char *what, char *note, size_t size);

#endif
