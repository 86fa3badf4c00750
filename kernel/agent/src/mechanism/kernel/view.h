/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the kernel in a process's own view of it: the eBPF programs run in a text that other processes don't
 * run, but for a child by vfork or posix_spawn until its execve.  All of it goes with its file descriptors, also when
 * the agent is killed.
 */
#ifndef KVIEW_KERNEL_VIEW_H
#define KVIEW_KERNEL_VIEW_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct kernel_bpf;
struct kview;
struct kview_attachment;
struct kview_item;
struct kview_set;
struct kview_view;

/* Of the functions, and what there is in place of the scheduler's tracepoints. */
enum { VIEW_RETURNS, VIEW_ENTRIES, VIEW_FUNCTIONS, VIEW_SWITCH_OUT = VIEW_FUNCTIONS, VIEW_SWITCH_IN, VIEW_BEGIN, VIEW_END, VIEW_SETS };

struct function_view {
	struct kview_view *view;
	struct kview_set *sets[VIEW_SETS];
	struct kview_attachment *attachment;
};

/*
 * A view with places for these functions, that nobody is in so far.  nr may be 0.  Returns 0, or -1 with error filled
 * and nothing made.
 */
int function_view__make(struct function_view *v, struct kview *module, const char *const *symbols, size_t nr,
			struct error *error);
/* The eBPF programs at these places; cookies: for each function.  Returns 0, or -1 with error filled. */
int function_view__run(struct function_view *v, const struct kernel_bpf *skel, const __u64 *cookies,
		       struct error *error);
/*
 * Whether the process may enter: it does so, and leaves again, before there is any eBPF program.  Returns 0, or -1 with
 * error filled: the module's reason, ERR_NO_SUCH_PROCESS where it has ended, or that it is within an execve that does
 * not end, as from a file system that hangs.
 */
int function_view__try(const struct function_view *v, pid_t pid, int process_fd, struct error *error);
/* From one instant on all threads of the process run in it.  process_fd: see pidfd_open(2), as numbers are given again. */
int function_view__enter(struct function_view *v, pid_t pid, int process_fd, struct error *error);
void function_view__leave(struct function_view *v);
/* They leave it, and it is gone.  A view of zeros is allowed. */
void function_view__close(struct function_view *v);
/*
 * Calls of the functions that were not counted, as an eBPF program was running on that CPU: its own calls, those by
 * the agent's programs among them.
 */
uint64_t function_view__missed(const struct function_view *v);
/*
 * Whether others have the process in a view.  It can't be known of an attachment that has forked children, or a cgroup that
 * can't be seen from here, nor where the module does not answer.
 */
enum view_others { VIEW_OTHERS_NONE, VIEW_OTHERS_UNKNOWN, VIEW_OTHERS_SEEN };

/* At this moment: fills other, one of these attachments, or one of which it can't be known; all zero where there is none. */
enum view_others function_view__others(const struct function_view *v, struct kview *module, pid_t pid, struct kview_item *other);
/* The same among what the module lists; own: the id of the process's own view, which is left out. */
enum view_others view_others__among(const struct kview_item *items, size_t nr, uint64_t own, pid_t pid, struct kview_item *other);
/* The process, or a program that it has started, could not come back into the view after an execve. */
bool function_view__was_left(const struct function_view *v);

#endif
