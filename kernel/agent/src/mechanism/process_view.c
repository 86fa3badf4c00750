// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libkview.h>

#include "base/cutoff.h"
#include "mechanism/attaching.h"
#include "mechanism/bpf/tree.h"
#include "mechanism/process_tree.h"
#include "mechanism/process_view.h"

/*
 * Meanwhile the agent does nothing else.  What may be waited for is the end of an execve that began within the last seconds, as it was
 * waited for before (view_trial.h); an emulated machine that is busy otherwise takes seconds for the rest.
 */
#define ENTER_MS	10000

int process_view__make(struct process_view *v, struct kview *module, const char *name, struct error *error)
{
	memset(v, 0, sizeof(*v));
	v->view = kview_view__new(module);
	if (!v->view)
		return error__set(error, ERR_FAILED, "The kview module made no view: %s.", strerror(errno));
	kview_view__set_name(v->view, name);
	return 0;
}

static int not_entered(pid_t pid, const struct attaching_result *result, struct error *error)
{
	const struct kview_item *owner = &result->owner;

	switch (result->failed) {
	case EBUSY:
		if (result->has_owner)
			return error__set(error, ERR_UNSUPPORTED,
					  "Process %d is in a view of %.16s (process %u) already: try again when that has ended.",
					  pid, owner->owner_comm, owner->owner_pid);
		break;
	case EUSERS:
		if (result->has_owner)
			return error__set(error, ERR_UNSUPPORTED,
					  "Process %d is in as many views as a process can be, one of them of %.16s (process %u): try again when one of them has ended.",
					  pid, owner->owner_comm, owner->owner_pid);
		return error__set(error, ERR_UNSUPPORTED,
				  "Process %d is in as many views as a process can be: try again when one of the others has ended.",
				  pid);
	case EBADF:	/* it had ended when its number was given */
	case ESRCH:
		return error__set(error, ERR_NO_SUCH_PROCESS, "Process %d has ended.", pid);
	case ETIMEDOUT:
		return process_view__hangs(pid, ENTER_MS / 1000, error);
	}
	return error__set(error, ERR_UNSUPPORTED, "The kview module did not let process %d into a view (%s).",
			  pid, strerror(result->failed));
}

int process_view__hangs(pid_t pid, unsigned int seconds, struct error *error)
{
	return error__set(error, ERR_UNSUPPORTED,
			  "Process %d is within an execve that did not end in %u s, so it can't be let into a view: try again when it runs its program.",
			  pid, seconds);
}

static struct kview_attachment *attach(struct kview_view *view, int process_fd, const void *context)
{
	const struct process_view *v = context;
	char path[32];

	if (v->is_of_cgroup) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", process_fd);
		return kview_view__attach_cgroup(view, path);
	}
	return kview_view__attach_pidfd(view, process_fd, v->tree ? KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC :
					v->follows_forks ? KVIEW_ATTACH_FORK : KVIEW_ATTACH_EXEC);
}

static void keep(struct kview_attachment *attachment)
{
	cutoff__add(kview_attachment__fd(attachment));
}

static void let_go(struct kview_attachment *attachment)
{
	cutoff__remove(kview_attachment__fd(attachment));
	kview_attachment__free(attachment);
}

static struct kview_attachment *enter(struct process_view *v, int process_fd, struct attaching_result *result)
{
	struct attaching attaching;

	result->failed = attaching__begin(&attaching, v->view, process_fd, attach, v);
	if (result->failed)
		return NULL;
	attaching__await(&attaching, ENTER_MS);
	return attaching__end(&attaching, result);
}

/* One that the tree had before.  Returns 0, also where it is there already, as it was forked since, or has ended. */
static int child__enters(struct process_view *v, pid_t pid, struct error *error)
{
	struct attaching_result result = { 0 };
	struct kview_attachment **more, *attachment;
	int process_fd = syscall(SYS_pidfd_open, pid, 0);

	if (process_fd < 0)
		return 0;
	attachment = enter(v, process_fd, &result);
	close(process_fd);
	if (!attachment && (result.failed == EBUSY || result.failed == EBADF || result.failed == ESRCH))
		return 0;
	if (!attachment)
		return not_entered(pid, &result, error);
	more = realloc(v->children, (v->nr_children + 1) * sizeof(*more));
	if (!more) {
		kview_attachment__free(attachment);
		return error__set(error, ERR_FAILED, "Out of memory.");
	}
	v->children = more;
	v->children[v->nr_children++] = attachment;
	keep(attachment);
	return 0;
}

/* The first one is in, so those that it forks from now on are.  One that is not has forked others meanwhile, until all are. */
static int children__enter(struct process_view *v, pid_t first, struct error *error)
{
	pid_t *pids = calloc(TREE_MOST, sizeof(*pids));
	size_t before, nr, i;
	int failed = pids ? 0 : error__set(error, ERR_FAILED, "Out of memory.");

	do {
		before = v->nr_children;
		nr = failed ? 0 : process_tree__processes(v->tree, pids, TREE_MOST);
		for (i = 0; i < nr && !failed; i++)
			if (pids[i] != first)
				failed = child__enters(v, pids[i], error);
	} while (!failed && v->nr_children != before);
	free(pids);
	return failed;
}

int process_view__enter(struct process_view *v, pid_t pid, int process_fd, struct error *error)
{
	struct attaching_result result = { 0 };

	v->attachment = enter(v, process_fd, &result);
	v->hangs = result.failed == ETIMEDOUT;
	if (!v->attachment && v->is_of_cgroup)
		return error__set(error, ERR_UNSUPPORTED, "The kview module did not let the processes of the cgroup into a view (%s).",
				  result.failed == ETIMEDOUT ? "one of them is within an execve that did not end" : strerror(result.failed));
	if (!v->attachment)
		return not_entered(pid, &result, error);
	keep(v->attachment);
	if (v->tree && children__enter(v, pid, error)) {
		process_view__leave(v);
		return -1;
	}
	return 0;
}

int process_view__enter_self(struct process_view *v)
{
	int self = syscall(SYS_pidfd_open, getpid(), 0);

	v->attachment = attach(v->view, self, v);
	if (self >= 0)
		close(self);
	if (!v->attachment)
		return -1;
	keep(v->attachment);
	return 0;
}

int process_view__try(struct process_view *v, struct process_view *second, pid_t pid, int process_fd, struct error *error)
{
	int failed = process_view__enter(v, pid, process_fd, error);

	if (!failed && second)
		failed = process_view__enter(second, pid, process_fd, error);
	process_view__leave(v);
	if (second)
		process_view__leave(second);
	return failed;
}

void process_view__leave(struct process_view *v)
{
	if (v->attachment)
		let_go(v->attachment);
	v->attachment = NULL;
	while (v->nr_children)
		let_go(v->children[--v->nr_children]);
	free(v->children);
	v->children = NULL;
}

void process_view__close(struct process_view *v)
{
	process_view__leave(v);
	kview_view__free(v->view);
	memset(v, 0, sizeof(*v));
}

uint64_t process_view__not_joined(const struct process_view *v)
{
	struct kview_attach_stat stat;
	uint64_t failed = 0;
	size_t i;

	for (i = 0; i < v->nr_children; i++)
		if (!kview_attachment__stat(v->children[i], &stat))
			failed += stat.join_failed;
	if (!v->attachment || kview_attachment__stat(v->attachment, &stat))
		return failed;
	/* Nor were those of a cgroup that are in another view, where a module lets a process into one alone. */
	return failed + stat.join_failed + (v->is_of_cgroup ? stat.elsewhere : 0);
}

bool process_view__was_left(const struct process_view *v)
{
	return process_view__not_joined(v);
}
