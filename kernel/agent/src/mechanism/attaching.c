// SPDX-License-Identifier: GPL-2.0
#include "mechanism/attaching.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"

/* The child has only to get a CPU to let go of what it does not need. */
#define BEGIN_MS	10000

static int fd__compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* What the child holds of the agent's keeps probes, views and connections that the agent closes. */
static void child__let_go(int first, int second, int third)
{
	int kept[] = { first, second, third }, i, next = 0;

	qsort(kept, 3, sizeof(*kept), fd__compare);
	for (i = 0; i < 3; i++) {
		if (kept[i] > next)
			syscall(SYS_close_range, next, kept[i] - 1, 0);
		next = kept[i] + 1;
	}
	syscall(SYS_close_range, next, ~0u, 0);
}

/* With the descriptor, if it got one. */
static void child__tell(int socket, const struct attaching_result *result, int fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec data = { (void *)result, sizeof(*result) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (!result->failed) {
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

static void child__run(int socket, struct kview_view *view, int process_fd, attaching__attach *attach, const void *context,
		       pid_t parent)
{
	struct attaching_result result = { .failed = EINPROGRESS };
	struct kview_attachment *attachment;
	const struct kview_item *owner;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	child__let_go(socket, kview_view__fd(view), process_fd);
	child__tell(socket, &result, -1);
	attachment = attach(view, process_fd, context);
	result.failed = attachment ? 0 : errno;
	owner = attachment ? NULL : kview_view__owner(view);
	result.has_owner = owner;
	if (owner)
		result.owner = *owner;
	child__tell(socket, &result, attachment ? kview_attachment__fd(attachment) : -1);
	_exit(0);
}

static int receive(int socket, struct attaching_result *result)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec data = { result, sizeof(*result) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	ssize_t length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	int fd = -1;

	if (length != sizeof(*result)) {
		/* The child ended, or has not answered. */
		*result = (struct attaching_result){ .failed = length >= 0 ? EIO : ETIMEDOUT };
		return -1;
	}
	c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	if (!result->failed && fd < 0)
		result->failed = EIO;
	return fd;
}

bool attaching__await(const struct attaching *a, unsigned int ms)
{
	return loop__await(a->socket, ms * 1000000ULL);
}

int attaching__begin(struct attaching *a, struct kview_view *view, int process_fd, attaching__attach *attach, const void *context)
{
	struct attaching_result begun;
	pid_t parent = getpid();
	int pair[2], failed;

	*a = (struct attaching){ .socket = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return errno;
	a->child = fork();
	failed = errno;
	if (!a->child)
		child__run(pair[1], view, process_fd, attach, context, parent);
	close(pair[1]);
	if (a->child < 0) {
		a->child = 0;
		close(pair[0]);
		return failed;
	}
	a->socket = pair[0];
	/* From here on it holds nothing that the agent may want to close. */
	if (attaching__await(a, BEGIN_MS)) {
		receive(a->socket, &begun);
		if (begun.failed == EINPROGRESS)
			return 0;
	}
	kview_attachment__free(attaching__end(a, NULL));
	return EAGAIN;
}

void attaching__break_off(struct attaching *a)
{
	if (!a->child)
		return;
	kill(a->child, SIGKILL);
	waitpid(a->child, NULL, 0);
	a->child = 0;
}

struct kview_attachment *attaching__end(struct attaching *a, struct attaching_result *result)
{
	struct kview_attachment *attachment = NULL;
	struct attaching_result own;
	int fd;

	if (a->socket < 0)
		return NULL;
	fd = receive(a->socket, &own);
	attaching__break_off(a);
	close(a->socket);
	a->socket = -1;
	if (fd >= 0) {
		attachment = kview_attachment__adopt(fd);
		own.failed = attachment ? 0 : errno;
		/* Whoever gives the name is the owner from then on: the child has ended. */
		if (attachment)
			kview_attachment__set_name(attachment, "");
	}
	if (result)
		*result = own;
	return attachment;
}
