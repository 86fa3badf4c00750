// SPDX-License-Identifier: GPL-2.0
/* Who lets somebody into a view for the agent: what he came to is known, and while he waits he keeps nothing that the agent closes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/attaching.h"

static int pipe_ends[2];

static struct kview_attachment *wait_forever(struct kview_view *view, int process_fd, const void *context)
{
	for (;;)
		pause();
	return NULL;
}

static struct kview_attachment *fail(struct kview_view *view, int process_fd, const void *context)
{
	/* Of the agent's descriptors there are three. */
	errno = fcntl(process_fd, F_GETFD) >= 0 && fcntl(pipe_ends[1], F_GETFD) < 0 && fcntl(0, F_GETFD) < 0 ? EUSERS : EBADF;
	return NULL;
}

static struct kview_attachment *succeed(struct kview_view *view, int process_fd, const void *context)
{
	return kview_attachment__adopt(open("/dev/null", O_RDONLY));
}

static struct kview_attachment *end(struct kview_view *view, int process_fd, const void *context)
{
	_exit(3);
}

static struct attaching_result attach(struct kview_view *view, attaching__attach *how, unsigned int ms, struct kview_attachment **got)
{
	struct attaching_result result = { .failed = -1 };
	struct attaching attaching;
	int process_fd = open("/dev/null", O_RDONLY);

	*got = NULL;
	if (attaching__begin(&attaching, view, process_fd, how, NULL))
		return result;
	close(process_fd);
	attaching__await(&attaching, ms);
	*got = attaching__end(&attaching, &result);
	return result;
}

static void check_broken_off(struct kview_view *view)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	struct attaching_result result = { 0 };
	struct attaching attaching;
	struct pollfd closed;
	pid_t child;
	bool known;

	if (attaching__begin(&attaching, view, -1, wait_forever, NULL)) {
		check(false, "attaching: a child begins", errno);
		return;
	}
	child = attaching.child;
	close(pipe_ends[1]);
	closed = (struct pollfd){ .fd = pipe_ends[0], .events = POLLIN };
	check(poll(&closed, 1, 0) == 1 && closed.revents & POLLHUP, "attaching: what the agent closes is closed", closed.revents);
	setitimer(ITIMER_REAL, &often, NULL);
	known = attaching__await(&attaching, 50);
	setitimer(ITIMER_REAL, &never, NULL);
	check(!known, "attaching: it is not known while it waits, whatever signals come", known);
	check(!attaching__end(&attaching, &result) && result.failed == ETIMEDOUT, "attaching: it can be broken off", result.failed);
	check(kill(child, 0) && errno == ESRCH, "attaching: nobody waits then", child);
	check(!attaching__end(&attaching, NULL), "attaching: it ends once", 0);
}

static void on_alarm(int signal)
{
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct kview_view *view = kview_view__adopt(open("/dev/null", O_RDONLY));
	struct kview_attachment *got;
	struct attaching_result result;

	if (!view || pipe(pipe_ends) || sigaction(SIGALRM, &action, NULL))
		return 2;
	result = attach(view, succeed, 60000, &got);
	check(!result.failed && got && fcntl(kview_attachment__fd(got), F_GETFD) == FD_CLOEXEC, "attaching: what it got is handed on", result.failed);
	kview_attachment__free(got);
	result = attach(view, fail, 60000, &got);
	check(result.failed == EUSERS && !got && !result.has_owner, "attaching: why it failed is told", result.failed);
	result = attach(view, end, 60000, &got);
	check(result.failed == EIO && !got, "attaching: that it ended is told", result.failed);
	check_broken_off(view);
	kview_view__free(view);
	return failed;
}
