// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "count.h"

/* The command waits for a byte, so that its first instruction is in the view; or sends an errno. */
static pid_t start(char **command, const sigset_t *old, int *sock)
{
	int fds[2], err;
	pid_t pid;
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -1;
	pid = fork();
	if (pid) {
		close(fds[1]);
		*sock = fds[0];
		return pid;
	}
	close(fds[0]);
	sigprocmask(SIG_SETMASK, old, NULL);
	if (read(fds[1], &c, 1) != 1)
		_exit(1);
	execvp(command[0], command);
	err = errno;
	if (write(fds[1], &err, sizeof(err)) != sizeof(err))
		_exit(1);
	_exit(127);
}

/* Lets it go; false: it could not be executed. */
static bool go(const char *command, int sock)
{
	int err = EPIPE;

	if (write(sock, "", 1) == 1 && !read(sock, &err, sizeof(err)))
		return true;
	fprintf(stderr, "kviewctl: %s: %s\n", command, strerror(err));
	return false;
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Until the target ends (a cgroup never does), the time is over, or a signal comes. */
static void wait_for_end(const struct target *t, const sigset_t *signals, unsigned int seconds,
			 struct kview_attachment *a)
{
	struct pollfd fds[] = {
		{ .fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN },
		{ .fd = t->pid ? (int)syscall(SYS_pidfd_open, t->pid, 0) : -1, .events = POLLIN },
		/* the queue's thread has ended */
		{ .fd = t->pid ? -1 : kview_attachment__fd(a) },
	};
	long end = now_ms() + seconds * 1000L, left = -1;

	/* it ended before it could be watched */
	if (t->pid && fds[1].fd < 0)
		return;
	do {
		if (seconds)
			left = end - now_ms();
		if (seconds && left <= 0)
			break;
	} while (!poll(fds, 3, left));
	close(fds[0].fd);
	if (fds[1].fd >= 0)
		close(fds[1].fd);
}

/* Whose calls are in no counter. */
static void tell_missing(struct kview_attachment *a)
{
	struct kview_attach_stat st;

	if (kview_attachment__stat(a, &st))
		return;
	if (st.join_failed)
		fprintf(stderr, "kviewctl: %u times a process could not follow into the view: "
			"its calls are not counted\n", st.join_failed);
	if (st.elsewhere)
		fprintf(stderr, "kviewctl: %u processes of the cgroup were attached otherwise: "
			"their calls are not counted\n", st.elsewhere);
}

int count(struct kview *k, struct sites *s, struct target *t, unsigned int seconds, char **command)
{
	struct kview_attachment *a = NULL;
	struct kview_view *v = kview_view__new(k);
	sigset_t signals, old;
	int sock = -1, ret = 1;
	pid_t child = 0;

	if (!v) {
		fprintf(stderr, "kviewctl: creating a view: %s%s\n", strerror(errno),
			errno == EPERM ? "; it takes CAP_BPF and CAP_PERFMON" : "");
		return 1;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &old);
	if (!sites__add(s, v))
		goto out;
	if (command) {
		child = start(command, &old, &sock);
		if (child < 0) {
			fprintf(stderr, "kviewctl: starting the command: %s\n", strerror(errno));
			goto out;
		}
		t->pid = child;
		t->flags |= KVIEW_ATTACH_EXEC;
	}
	a = target__attach(t, v);
	if (!a || (command && !go(command[0], sock)))
		goto out;
	wait_for_end(t, &signals, seconds, a);
	sites__print(s, stdout);
	tell_missing(a);
	ret = 0;
out:
	if (sock >= 0)
		close(sock);
	if (a)
		kview_attachment__free(a);
	sites__free(s);
	kview_view__free(v);
	return ret;
}
