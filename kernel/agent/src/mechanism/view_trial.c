// SPDX-License-Identifier: GPL-2.0
#include "mechanism/view_trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mechanism/attaching.h"
#include "mechanism/kview_module.h"
#include "mechanism/process_view.h"
#include "mechanism/scope.h"
#include "permission/caller.h"
#include "permission/permission.h"

struct view_trial {
	struct kview_view *view;
	struct attaching attaching;
	pid_t pid;
};

bool view_trial__is_wanted(const Kview__Wire__StartRecordingRequest *request)
{
	bool is_forced = request->filter == KVIEW__WIRE__FILTER__FILTER_VIEW;
	size_t i;

	/* A cgroup comes in as a whole. */
	if (scope__cgroup(request))
		return false;
	if (!is_forced && request->filter != KVIEW__WIRE__FILTER__FILTER_AUTO)
		return false;
	for (i = 0; i < request->n_probes; i++)
		switch (request->probes[i]->point_case) {
		case KVIEW__WIRE__PROBE__POINT_TRACEPOINT:
			/* With auto, those of system calls alone. */
			if (is_forced || strstr(request->probes[i]->tracepoint->category, "syscalls"))
				return true;
			break;
		case KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL:
		case KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION:
			return true;
		default:
			if (request->probe_way != KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP)
				return true;
		}
	return false;
}

static struct kview_attachment *attach(struct kview_view *view, int process_fd, const void *context)
{
	return kview_view__attach_pidfd(view, process_fd, KVIEW_ATTACH_EXEC);
}

static struct view_trial *begin(struct kview *module, pid_t pid)
{
	int process_fd = syscall(SYS_pidfd_open, pid, 0);
	struct view_trial *trial = process_fd < 0 ? NULL : calloc(1, sizeof(*trial));

	if (trial) {
		trial->pid = pid;
		trial->view = kview_view__new(module);
		if (trial->view)
			kview_view__set_name(trial->view, "kview: may it enter");
		if (!trial->view || attaching__begin(&trial->attaching, trial->view, process_fd, attach, NULL)) {
			kview_view__free(trial->view);
			free(trial);
			trial = NULL;
		}
	}
	if (process_fd >= 0)
		close(process_fd);
	return trial;
}

struct view_trial *view_trial__begin(pid_t pid)
{
	char why[200];
	struct kview *module = permission__caller()->restricted ? NULL : kview_module__look(why, sizeof(why));
	struct view_trial *trial = module ? begin(module, pid) : NULL;

	kview__free(module);
	return trial;
}

int view_trial__fd(const struct view_trial *trial)
{
	return trial->attaching.socket;
}

void view_trial__end(struct view_trial *trial, struct error *no_view)
{
	struct attaching_result result = { 0 };
	struct kview_attachment *attachment = attaching__end(&trial->attaching, &result);

	if (result.failed == ETIMEDOUT)
		process_view__hangs(trial->pid, VIEW_PATIENCE_S, no_view);
	/* The view first, see own_views.c. */
	kview_view__free(trial->view);
	kview_attachment__free(attachment);
	free(trial);
}
