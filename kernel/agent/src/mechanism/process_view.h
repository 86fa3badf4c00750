/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process in a view of the kernel that the agent makes for it: how it comes in and goes out again, and who else has it
 * in one.  What the view hooks is its maker's.
 */
#ifndef KVIEW_PROCESS_VIEW_H
#define KVIEW_PROCESS_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct kview;
struct kview_attachment;
struct kview_item;
struct kview_view;
struct process_tree;

struct process_view {
	struct kview_view *view;
	struct kview_attachment *attachment;
	bool hangs;			/* who was to enter is within an execve that did not end */
	bool follows_forks;		/* who is in it has its children there, and is out of it with an execve */
	bool is_of_cgroup;		/* who enters is a cgroup: the descriptor is that of its folder */
	const struct process_tree *tree;	/* who is in it has its children there, and those that there are enter with it; or NULL */
	struct kview_attachment **children;	/* of these */
	size_t nr_children;
	const struct process_view *beside;	/* another one of the same recording, which is nobody else's, or NULL */
};

/* A view without hooks, that nobody is in so far; name: of at most 31 bytes.  Returns 0, or -1 with error filled. */
int process_view__make(struct process_view *v, struct kview *module, const char *name, struct error *error);
/*
 * Whether the process may enter, and a second view besides, if it is not NULL: it does so, and leaves again, before there is any eBPF
 * program.  Returns as process_view__enter does.
 */
int process_view__try(struct process_view *v, struct process_view *second, pid_t pid, int process_fd, struct error *error);
/*
 * From one instant on all threads of the process run in it.  process_fd: see pidfd_open(2), as numbers are given again.  Returns 0,
 * or -1 with error filled: the module's reason, ERR_NO_SUCH_PROCESS where the process has ended, or that it is within an
 * execve that does not end.
 */
int process_view__enter(struct process_view *v, pid_t pid, int process_fd, struct error *error);
/* The agent itself.  Returns 0, or -1. */
int process_view__enter_self(struct process_view *v);
/* Fills error: that was waited for so long.  Returns -1. */
int process_view__hangs(pid_t pid, unsigned int seconds, struct error *error);
void process_view__leave(struct process_view *v);
/* It leaves, and the view goes with the last set of hooks.  A view of zeros is allowed. */
void process_view__close(struct process_view *v);
/*
 * Whether others have the process in a view.  It can't be known of an attachment that has forked children, or a cgroup that
 * can't be seen from here, nor where the module does not answer.
 */
enum view_others { VIEW_OTHERS_NONE, VIEW_OTHERS_UNKNOWN, VIEW_OTHERS_SEEN };

/* At this moment: fills other, one of these attachments, or one of which it can't be known; all zero where there is none. */
enum view_others process_view__others(const struct process_view *v, struct kview *module, pid_t pid, struct kview_item *other);
/* The same among what the module lists; own: the id of the process's own view, which is left out. */
enum view_others view_others__among(const struct kview_item *items, size_t nr, uint64_t own, pid_t pid, struct kview_item *other);
/* The process, or a program that it has started, could not come back into the view after an execve. */
bool process_view__was_left(const struct process_view *v);
/* How many times it, or a forked child, should have come in and could not. */
uint64_t process_view__not_joined(const struct process_view *v);

#endif
