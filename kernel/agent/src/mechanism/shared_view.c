// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/kview_module.h"
#include "mechanism/shared_view.h"
#include "permission/caller.h"
#include "permission/permission.h"

#define NAME	"kview record"

void shared_view__init(struct shared_view *v, pid_t pid, Kview__Wire__Filter filter)
{
	memset(v, 0, sizeof(*v));
	v->pid = pid;
	v->filter = filter;
	v->process_fd = syscall(SYS_pidfd_open, pid, 0);
}

void shared_view__take_cgroup(struct shared_view *v, int cgroup_fd)
{
	if (v->process_fd >= 0)
		close(v->process_fd);
	v->process_fd = fcntl(cgroup_fd, F_DUPFD_CLOEXEC, 0);
	v->is_of_cgroup = true;
}

void shared_view__take_tree(struct shared_view *v, const struct process_tree *tree)
{
	v->tree = tree;
}

void shared_view__do_without(struct shared_view *v, const struct error *no_view)
{
	v->no_view = *no_view;
}

void shared_view__close(struct shared_view *v)
{
	process_view__close(&v->base);
	kview__free(v->module);
	if (v->process_fd >= 0)
		close(v->process_fd);
}

static int view__open(struct shared_view *v, struct error *error)
{
	char why[512];

	if (v->base.view)
		return 0;
	/*
	 * A view does not see an execve in which the process is given rights, at which a recording of somebody else's has to end.
	 * What sees it is at the execves of all processes.
	 */
	if (permission__caller()->restricted)
		return error__set(error, ERR_UNSUPPORTED, "Kernel views are for root alone, and the agent works for %s.",
				  permission__caller()->name);
	if (!v->module)
		v->module = kview_module__open(why, sizeof(why));
	if (!v->module)
		return error__set(error, ERR_UNSUPPORTED, "%.400s", why);
	if (process_view__make(&v->base, v->module, NAME, error))
		return -1;
	v->base.is_of_cgroup = v->is_of_cgroup;
	v->base.tree = v->tree;
	return 0;
}

/* Each reason once. */
static void view__explain(struct shared_view *v, const struct error *error)
{
	size_t length = strlen(v->why);

	if ((!v->module && !v->no_view.code) || strstr(v->why, error->message))
		return;
	snprintf(v->why + length, sizeof(v->why) - length, "%s%.480s", length ? " " : "", error->message);
}

int shared_view__use(struct shared_view *v, const struct view_user *user, struct error *error)
{
	struct error no_view = { 0 };

	if (!v || v->filter == KVIEW__WIRE__FILTER__FILTER_IN)
		return 0;
	no_view = v->no_view;
	if (!no_view.code && !view__open(v, &no_view)) {
		if (!user->add(user->context, v->base.view, &no_view) &&
		    !process_view__try(&v->base, user->second, v->pid, v->process_fd, &no_view))
			return 1;
		/* For the other mechanisms it is not waited for once more. */
		if (v->base.hangs || (user->second && user->second->hangs))
			shared_view__do_without(v, &no_view);
		user->remove(user->context);
	}
	if (no_view.code == ERR_NO_SUCH_PROCESS)
		return error__set(error, no_view.code, "%s", no_view.message);
	if (v->filter == KVIEW__WIRE__FILTER__FILTER_VIEW)
		return error__set(error, no_view.code,
				  "%.400s" SHARED_VIEW_ADVICE, no_view.message);
	view__explain(v, &no_view);
	return 0;
}

int shared_view__enter(struct shared_view *v, struct error *error)
{
	struct error refused = { 0 };

	if (!v->users && process_view__enter(&v->base, v->pid, v->process_fd, &refused))
		return error__set(error, refused.code, "%.400s%s", refused.message,
				  refused.code == ERR_NO_SUCH_PROCESS ? "" : " Record again, or with --filter in.");
	v->users++;
	return 0;
}

void shared_view__leave(struct shared_view *v)
{
	if (!--v->users)
		process_view__leave(&v->base);
}

void shared_view__end(struct shared_view *v)
{
	process_view__close(&v->base);
}

void shared_view__look_for_others(struct shared_view *v)
{
	struct kview_item other;
	/* Of a cgroup nobody is looked for: any of its processes may be in others' views. */
	enum view_others others = v->others == VIEW_OTHERS_SEEN || !v->base.attachment || v->is_of_cgroup ? v->others :
				  process_view__others(&v->base, v->module, v->pid, &other);

	if (others <= v->others)
		return;
	v->others = others;
	if (others == VIEW_OTHERS_SEEN)
		snprintf(v->others_note, sizeof(v->others_note),
			 "The process was in a view of %.16s (process %u) as well: the times of calls hold what that one's programs took, which no bound covers.",
			 other.owner_comm, other.owner_pid);
	else
		snprintf(v->others_note, sizeof(v->others_note),
			 "Whether the process was in somebody else's view as well can't be known%s%.16s%s: if so, the times of calls hold what that one's programs took, which no bound covers.",
			 other.id ? ", as a view of " : "", other.owner_comm,
			 other.id ? " has more processes than it names, or a cgroup that can't be seen" : "");
}

const char *shared_view__has_failed(const struct shared_view *v)
{
	if (v->is_of_cgroup && process_view__was_left(&v->base))
		return "A process of the cgroup could not come into the view of the kernel, for want of memory or as others had changed that text: calls of it may be missing. Record again.";
	if (v->tree && process_view__was_left(&v->base))
		return "A child could not come into the view of the kernel, or a process back into it after an execve, for want of memory or as others had changed that text: calls of it may be missing. Record again.";
	return process_view__was_left(&v->base) ?
	       "After an execve the process could not come back into its view of the kernel, for want of memory or as others had changed that text: calls after that may be missing. Record again." :
	       NULL;
}

void shared_view__describe(const struct shared_view *v, const char *what, char *note, size_t size)
{
	struct kview_info module = { 0 };

	if (v->is_of_cgroup) {
		snprintf(note, size, "%s are measured in a view of the kernel that the processes of the cgroup run: others run none of its instructions, but for some tenths of a µs at each of their forks where functions of the kernel are measured.%s",
			 what, v->tells_wakers ? " Who woke a thread is seen where a thread of the cgroup did." : " Who woke a thread is not seen.");
		return;
	}
	if (v->tree) {
		snprintf(note, size, "%s are measured in a view of the kernel that the process and its children run: others run none of its instructions, but for some tenths of a µs at each of their forks and at each end of a thread.%s",
			 what, v->tells_wakers ? " Who woke a thread is seen where a thread of them did." : " Who woke a thread is not seen.");
		return;
	}
	kview__info(v->module, &module);
	snprintf(note, size,
		 "%s are measured in the process's own view of the kernel: other processes run none of its instructions, but for %s not counted. %s",
		 what, module.features & KVIEW_FEATURE_VFORK ?
		 "a child by vfork or posix_spawn until its execve, which is" :
		 "programs that the process starts by vfork or posix_spawn, which are",
		 v->tells_wakers ? "Who woke a thread is seen where a thread of the process did." : "Who woke a thread is not seen.");
}
