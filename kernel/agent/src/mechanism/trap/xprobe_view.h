/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of an xprobe that are at the scheduler's tracepoints otherwise, in views of the kernel: so other processes
 * pay nothing at their context switches, wake-ups, forks, execves and ends.
 *
 * The process is in the view that all mechanisms of the recording share.  Children that it forks are not, but they have its
 * probes in their code until they are freed of them or execute a program.  What becomes of them is seen in a second view,
 * in which they are until that execve; nothing there is run at context switches.
 */
#ifndef KVIEW_XPROBE_VIEW_H
#define KVIEW_XPROBE_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct bpf_object;
struct shared_view;
struct xprobe_view;

/*
 * Whether the process of the recording is measured so: *view is NULL where not, as shared_view__use says.  waits, costs_others: what is not
 * measured in views is asked for.  Returns 0, or -1 with error filled.
 */
int xprobe_view__choose(struct xprobe_view **view, struct shared_view *shared, bool events, bool waits, bool costs_others,
			struct error *error);
/* After the programs were detached; NULL is allowed. */
void xprobe_view__free(struct xprobe_view *view);

/* What is loaded: view may be NULL. */
void xprobe_view__choose_programs(const struct xprobe_view *view, struct bpf_object *object);
/* Those that were loaded are put where they belong.  Returns 0, or -1 with error filled. */
int xprobe_view__run(struct xprobe_view *view, const struct bpf_object *object, struct error *error);

/* That process comes in, or the child of a calibration, into a view of its own.  Once it is in, nothing is done. */
int xprobe_view__enter(struct xprobe_view *view, pid_t pid, const struct bpf_object *object, struct error *error);
bool xprobe_view__has_entered(const struct xprobe_view *view);
/* Context switches of the process are not looked at any more. */
void xprobe_view__end_switches(struct xprobe_view *view);
void xprobe_view__leave(struct xprobe_view *view);
/* Of the recording's process: children that could not come into the second view, so far or until it has left. */
uint64_t xprobe_view__children_unseen(const struct xprobe_view *view);

#endif
