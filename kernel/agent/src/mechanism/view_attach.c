// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/view_attach.h"
#include "processes/processes.h"

#define START_TIME_ERROR_NS	20000000ULL

typedef Kview__Wire__ChangeViewRequest request_t;

static struct kview_attachment *attach_now(struct kview_view *view, int process, const void *context)
{
	const request_t *request = context;
	const Kview__Wire__ChangeViewRequest__JoiningProcess *p = request->attach_process;

	switch (request->change_case) {
	case KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_PROCESS:
		return kview_view__attach_pidfd(view, process, (p->forks ? KVIEW_ATTACH_FORK : 0) |
						(p->execs ? KVIEW_ATTACH_EXEC : 0));
	case KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_CGROUP:
		return kview_view__attach_cgroup(view, request->attach_cgroup);
	default:
		return kview_view__attach_queue(view, request->attach_queue->device, request->attach_queue->queue);
	}
}

/* Of the process that was chosen, not of a later one with its number; -1 with error filled. */
static int open_process(const Kview__Wire__ChangeViewRequest__JoiningProcess *wanted, struct error *error)
{
	struct ps_process process = { 0 };
	int fd = syscall(SYS_pidfd_open, wanted->pid, 0), failed = errno;

	if (fd < 0 && failed != ESRCH)
		return error__set(error, ERR_BAD_REQUEST, "%u is a thread: name its process.", wanted->pid);
	if (fd < 0 || ps_process__read(&process, wanted->pid))
		error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %u.", wanted->pid);
	else if (wanted->start_time_ns && process.start_time_ns > wanted->start_time_ns + START_TIME_ERROR_NS)
		error__set(error, ERR_NO_SUCH_PROCESS,
			   "The process that was chosen has ended, and its number %u is now that of %.100s: choose again.",
			   wanted->pid, process.name);
	else if (process.kernel_thread)
		error__set(error, ERR_NOT_PROBEABLE, "Process %u (%.100s) is a kernel thread: it can be in no view.", wanted->pid,
			   process.name);
	else
		wanted = NULL;
	ps_process__free(&process);
	if (!wanted)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* As kviewctl calls them. */
static void tell_label(const request_t *request, char *label, size_t size)
{
	if (request->attach_process && request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_PROCESS)
		snprintf(label, size, "process %u", request->attach_process->pid);
	else if (request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_CGROUP)
		snprintf(label, size, "cgroup %s", request->attach_cgroup);
	else
		snprintf(label, size, "device %s queue %u", request->attach_queue->device, request->attach_queue->queue);
}

static const char *reason(int failed)
{
	switch (failed) {
	case EBUSY:
		return "it is in this view already, or, a queue, in another one";
	case EUSERS:
		return "it is in as many views as a process can be";
	case EBADF:
		return "it is no directory of cgroup v2, or has ended";
	case ENXIO:
		return "there is no such device or queue";
	case EOPNOTSUPP:
		return "no thread polls the queue: write 1 to /sys/class/net/DEVICE/threaded";
	case EPERM:
	case EACCES:
		return "this user may not: it takes CAP_SYS_PTRACE for a cgroup, CAP_NET_ADMIN for a queue, and for a process what a debugger needs";
	case EADDRNOTAVAIL:
		return "another tracer is changing the kernel's text, or has a kprobe in that of a tracepoint";
	case ETIMEDOUT:
		return "a process is within an execve that did not end in 30 s; try again later";
	}
	return strerror(failed);
}

static int tell_refusal(const char *label, int failed, struct error *error)
{
	return error__set(error, failed == EPERM || failed == EACCES ? ERR_NO_PERMISSION : failed == ESRCH ? ERR_NO_SUCH_PROCESS :
			  ERR_UNSUPPORTED, "The %.200s was not let into the view: %s.", label, reason(failed));
}

int view_attach__begin(struct view_attach *a, struct kview_view *view, const request_t *request, struct error *error)
{
	int process = -1, failed;

	*a = (struct view_attach){ .attaching.socket = -1 };
	tell_label(request, a->label, sizeof(a->label));
	if (request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_PROCESS) {
		process = open_process(request->attach_process, error);
		if (process < 0)
			return -1;
	}
	failed = attaching__begin(&a->attaching, view, process, attach_now, request);
	if (process >= 0)
		close(process);
	return failed ? tell_refusal(a->label, failed, error) : 0;
}

struct kview_attachment *view_attach__end(struct view_attach *a, struct error *error)
{
	struct attaching_result result = { 0 };
	struct kview_attachment *attachment = attaching__end(&a->attaching, &result);

	if (!attachment) {
		tell_refusal(a->label, result.failed, error);
		return NULL;
	}
	/* A longer one is cut. */
	a->label[KVIEW_NAME_SIZE - 1] = 0;
	kview_attachment__set_name(attachment, a->label);
	return attachment;
}
