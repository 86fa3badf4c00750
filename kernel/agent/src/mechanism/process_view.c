// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include <libkview.h>

#include "base/cutoff.h"
#include "mechanism/process_view.h"

int process_view__make(struct process_view *v, struct kview *module, const char *name, struct error *error)
{
	memset(v, 0, sizeof(*v));
	v->view = kview_view__new(module);
	if (!v->view)
		return error__set(error, ERR_FAILED, "The kview module made no view: %s.", strerror(errno));
	kview_view__set_name(v->view, name);
	return 0;
}

static int not_entered(const struct process_view *v, pid_t pid, struct error *error)
{
	const struct kview_item *owner;

	switch (errno) {
	case EBUSY:
		owner = kview_view__owner(v->view);
		if (owner)
			return error__set(error, ERR_UNSUPPORTED,
					  "Process %d is in a view of %.16s (process %u) already: try again when that has ended.",
					  pid, owner->owner_comm, owner->owner_pid);
		break;
	case EUSERS:
		owner = kview_view__owner(v->view);
		if (owner)
			return error__set(error, ERR_UNSUPPORTED,
					  "Process %d is in as many views as a process can be, one of them of %.16s (process %u): try again when one of them has ended.",
					  pid, owner->owner_comm, owner->owner_pid);
		return error__set(error, ERR_UNSUPPORTED,
				  "Process %d is in as many views as a process can be: try again when one of the others has ended.",
				  pid);
	case EBADF:	/* it had ended when its number was given */
	case ESRCH:
		return error__set(error, ERR_NO_SUCH_PROCESS, "Process %d has ended.", pid);
	}
	return error__set(error, ERR_UNSUPPORTED, "The kview module did not let process %d into a view (%s).",
			  pid, strerror(errno));
}

int process_view__enter(struct process_view *v, pid_t pid, int process_fd, struct error *error)
{
	v->attachment = kview_view__attach_pidfd(v->view, process_fd, v->follows_forks ? KVIEW_ATTACH_FORK : KVIEW_ATTACH_EXEC);
	if (!v->attachment)
		return not_entered(v, pid, error);
	cutoff__add(kview_attachment__fd(v->attachment));
	return 0;
}

void process_view__leave(struct process_view *v)
{
	if (!v->attachment)
		return;
	cutoff__remove(kview_attachment__fd(v->attachment));
	kview_attachment__free(v->attachment);
	v->attachment = NULL;
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

	return v->attachment && !kview_attachment__stat(v->attachment, &stat) ? stat.join_failed : 0;
}

bool process_view__was_left(const struct process_view *v)
{
	return process_view__not_joined(v);
}
