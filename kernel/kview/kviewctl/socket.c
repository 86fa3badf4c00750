// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "socket.h"

const char *socket__directory(void)
{
	const char *runtime = geteuid() ? getenv("XDG_RUNTIME_DIR") : "/run";
	static char path[96];
	struct stat st;
	size_t n;

	n = snprintf(path, sizeof(path), "%s/kviewctl", runtime ? runtime : "/run");
	if (!runtime || n >= sizeof(path)) {
		errno = runtime ? ENAMETOOLONG : ENOENT;
		return NULL;
	}
	if (mkdir(runtime, 0755) && errno != EEXIST)
		return NULL;
	if (mkdir(path, 0700) && errno != EEXIST)
		return NULL;
	if (lstat(path, &st))
		return NULL;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077) {
		errno = EPERM;
		return NULL;
	}
	return path;
}

/* A name is a file's, so that it cannot lead elsewhere. */
static bool address(const char *name, struct sockaddr_un *sa)
{
	const char *dir = socket__directory();

	if (!dir)
		return false;
	memset(sa, 0, sizeof(*sa));
	sa->sun_family = AF_UNIX;
	if (!*name || *name == '.' || strchr(name, '/') ||
	    (size_t)snprintf(sa->sun_path, sizeof(sa->sun_path), "%s/%s", dir, name) >=
	    sizeof(sa->sun_path)) {
		errno = EINVAL;
		return false;
	}
	return true;
}

static void limit_patience(int fd, int seconds)
{
	struct timeval patience = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

static int close_failed(int fd)
{
	int err = errno;

	close(fd);
	errno = err;
	return -1;
}

int socket__connect(const char *name)
{
	struct sockaddr_un sa;
	int fd;

	if (!address(name, &sa))
		return -1;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	limit_patience(fd, KEEPER_S);
	return connect(fd, (void *)&sa, sizeof(sa)) ? close_failed(fd) : fd;
}

/* One at a time: a socket without a keeper (it was killed) gives way. */
int socket__listen(const char *name)
{
	struct sockaddr_un sa;
	int lock, fd, other;

	if (!address(name, &sa))
		return -1;
	lock = open(socket__directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX))
		return close_failed(lock);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	other = socket__connect(name);
	if (other >= 0) {
		close(other);
		errno = EEXIST;
	} else if (fd >= 0) {
		if (errno == ECONNREFUSED)
			unlink(sa.sun_path);
		if (!bind(fd, (void *)&sa, sizeof(sa)) && !listen(fd, 16)) {
			close(lock);
			return fd;
		}
	}
	close_failed(lock);
	return close_failed(fd);
}

int socket__accept(int listener)
{
	int sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred cred;
	socklen_t size = sizeof(cred);

	if (sock < 0)
		return -1;
	limit_patience(sock, CALLER_S);
	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &cred, &size))
		return close_failed(sock);
	if (cred.uid && cred.uid != geteuid()) {
		errno = EPERM;
		return close_failed(sock);
	}
	return sock;
}

void socket__unlink(const char *name)
{
	struct sockaddr_un sa;

	if (address(name, &sa))
		unlink(sa.sun_path);
}

bool socket__send(int sock, const struct message *m, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec iov = {
		.iov_base = (void *)m,
		.iov_len = offsetof(struct message, text) + strlen(m->text) + 1,
	};
	struct msghdr head = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (fd >= 0) {
		head.msg_control = control;
		head.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&head);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(sock, &head, MSG_NOSIGNAL) == (ssize_t)iov.iov_len;
}

bool socket__receive(int sock, struct message *m, int *fd)
{
	char control[CMSG_SPACE(sizeof(*fd))];
	struct iovec iov = { .iov_base = m, .iov_len = sizeof(*m) };
	struct msghdr head = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(sock, &head, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&head) : NULL;
	int got = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(&got, CMSG_DATA(c), sizeof(got));
	if (fd)
		*fd = got;
	else if (got >= 0)
		close(got);
	if (n <= (ssize_t)offsetof(struct message, text) ||
	    head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
		if (fd && got >= 0) {
			close(got);
			*fd = -1;
		}
		errno = n < 0 ? errno : EPROTO;
		return false;
	}
	((char *)m)[n - 1] = 0;
	return true;
}
