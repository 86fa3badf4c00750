/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A mechanism's hooks in a view of the kernel, and the eBPF programs at them: at its points, and in place of the
 * scheduler's tracepoints.  All of it goes with its file descriptors, also when the agent is killed.
 */
#ifndef KVIEW_VIEW_HOOKS_H
#define KVIEW_VIEW_HOOKS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "mechanism/process_view.h"

struct bpf_object;
struct kview;
struct kview_set;

struct view_hook {
	struct kview_set *set;
	const char *program;		/* its name in the mechanism's object */
	const __u64 *cookies;		/* for each place of the set, or NULL */
	bool counts_missed;
};

/* Of zeros: none. */
struct view_hooks {
	struct view_hook *list;
	size_t nr;
};

/* Takes over a set; NULL: it could not be made.  counts_missed: what it does not see is a loss.  Returns 0, or -1 with errno. */
int view_hooks__add(struct view_hooks *hooks, struct kview_set *set, const char *program, const __u64 *cookies,
		    bool counts_missed);
/* Fills error: there is no place for that in a view, by errno.  Returns -1. */
/* Why a place can't be hooked, by the module's errno, to stand in brackets. */
const char *view_hooks__reason(int failed);
int view_hooks__refused(const char *name, struct error *error);
/*
 * Those of view.bpf.h.  begins: new threads are looked at as well, by view_thread_begins.  Of hooks at one place those that
 * were added last run first: a function that is called as a thread gets its CPU begins after that.
 */
int view_hooks__add_scheduler(struct view_hooks *hooks, struct kview_view *view, bool begins, struct error *error);
/* Threads off the CPU whose wakers are looked for; of more, no waker is told. */
#define VIEW_ABSENT	16384
/* view_waking, which is loaded with events alone.  Whether there is a place for it: what it tells one can do without. */
bool view_hooks__add_waking(struct view_hooks *hooks, struct kview_view *view);
/* view_thread_ends alone of these. */
int view_hooks__add_end(struct view_hooks *hooks, struct kview_view *view, struct error *error);
/* The eBPF programs at all of them.  Returns 0, or -1 with error filled. */
int view_hooks__run(const struct view_hooks *hooks, const struct bpf_object *object, struct error *error);
void view_hooks__free(struct view_hooks *hooks);
/* Calls that were not seen, as an eBPF program was running on that CPU: such programs' own calls are among them. */
uint64_t view_hooks__missed(const struct view_hooks *hooks);

/* The agent itself in a view of its own, while costs are measured. */
struct priced_view {
	struct process_view base;
	struct view_hooks hooks;
};

/* With what add puts there, if it is not NULL, and the scheduler's hooks.  Returns 0, or -1 with nothing made. */
int priced_view__enter(struct priced_view *p, struct kview *module, const struct bpf_object *object, bool begins,
		       int (*add)(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error),
		       void *context);
void priced_view__leave(struct priced_view *p);

#endif
