// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/view_attach.h"
#include "mechanism/view_patience.h"
#include "processes/processes.h"

#define START_TIME_ERROR_NS	20000000ULL

typedef Kview__Wire__ChangeViewRequest request_t;

static struct kview_attachment *attach_now(struct kview_view *view, const request_t *request, int process)
{
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

/* An errno, and the descriptor if it is 0. */
static void send_result(int socket, int failed, int fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec data = { &failed, sizeof(failed) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (!failed) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	sendmsg(socket, &message, MSG_NOSIGNAL);
}

static int receive_result(int socket, int *fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	int failed = EIO;
	struct iovec data = { &failed, sizeof(failed) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(failed))
		return EIO;
	c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return failed || *fd >= 0 ? failed : EIO;
}

static void child__attach(struct kview_view *view, const request_t *request, int process, int socket, pid_t parent)
{
	struct kview_attachment *attachment;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	attachment = attach_now(view, request, process);
	send_result(socket, attachment ? 0 : errno, attachment ? kview_attachment__fd(attachment) : -1);
	_exit(0);
}

/*
 * Whoever lets a process into a view while it is within an execve waits for that, and only a signal that kills ends the
 * wait: so a child of the agent's does it, and hands on what it got.  Returns an errno, or 0 with *fd; ETIMEDOUT: it was killed.
 */
static int attach_by_child(struct kview_view *view, const request_t *request, int process, int *fd)
{
	pid_t parent = getpid(), child;
	int pair[2], failed;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return errno;
	child = fork();
	failed = errno;
	if (!child)
		child__attach(view, request, process, pair[1], parent);
	close(pair[1]);
	if (child > 0) {
		failed = view_patience__await(pair[0]) ? receive_result(pair[0], fd) : ETIMEDOUT;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	close(pair[0]);
	return failed;
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

struct kview_attachment *view_attach(struct kview_view *view, const request_t *request, struct error *error)
{
	struct kview_attachment *attachment = NULL;
	int process = -1, fd = -1, failed;
	char label[512];

	tell_label(request, label, sizeof(label));
	if (request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_PROCESS) {
		process = open_process(request->attach_process, error);
		if (process < 0)
			return NULL;
	}
	failed = attach_by_child(view, request, process, &fd);
	if (process >= 0)
		close(process);
	if (!failed) {
		attachment = kview_attachment__adopt(fd);
		failed = attachment ? 0 : errno;
	}
	if (failed) {
		error__set(error, failed == EPERM || failed == EACCES ? ERR_NO_PERMISSION : failed == ESRCH ? ERR_NO_SUCH_PROCESS :
			   ERR_UNSUPPORTED, "The %.200s was not let into the view: %s.", label, reason(failed));
		return NULL;
	}
	/* Whoever gives the name is the owner from then on: the child has ended.  A longer one is cut. */
	label[KVIEW_NAME_SIZE - 1] = 0;
	if (kview_attachment__set_name(attachment, label))
		kview_attachment__set_name(attachment, "");
	return attachment;
}
