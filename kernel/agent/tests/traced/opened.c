// SPDX-License-Identifier: GPL-2.0
/*
 * Waits in system calls about a descriptor, each until a thread that helps has seen it wait.  Prints the descriptors, and what
 * else tells them from others, by number.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "sleepers.h"

/* What the helper does once the main thread waits in that system call. */
struct step {
	long syscall;
	void (*then)(int descriptor);
	int descriptor;
};

static struct step *volatile step;
static pid_t waiter;
static int other_end;

PROBED long f_read(int fd)
{
	char bytes[8];
	long result = read(fd, bytes, sizeof(bytes));

	END();
	return result;
}

PROBED long f_receive(int fd)
{
	char byte;
	long result = recv(fd, &byte, 1, 0);

	END();
	return result;
}

PROBED long f_accept(int fd)
{
	long result = accept(fd, NULL, NULL);

	END();
	return result;
}

PROBED long f_flock(int fd)
{
	long result = flock(fd, LOCK_EX);

	END();
	return result;
}

PROBED long f_fsync(int fd)
{
	long result = fsync(fd);

	END();
	return result;
}

PROBED long f_epoll(int fd)
{
	struct epoll_event event;
	long result = epoll_wait(fd, &event, 1, -1);

	END();
	return result;
}

PROBED long f_poll(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	long result = poll(&polled, 1, -1);

	END();
	return result;
}

PROBED long f_changed(int fd)
{
	char byte;
	long result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED long f_many(int fd)
{
	char byte;
	long result = read(fd, &byte, 1);

	END();
	return result;
}

static void *helps(void *unused)
{
	for (;;) {
		struct step *now = step;

		if (!now || !waits_in(getpid(), waiter, now->syscall)) {
			usleep(50);
			continue;
		}
		step = NULL;
		now->then(now->descriptor);
	}
	return unused;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void writes(int fd)
{
	if (write(fd, "12345678", 8) != 8)
		die("write");
}

static void unlocks(int fd)
{
	flock(fd, LOCK_UN);
}

static void connects(int listening)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);

	getsockname(listening, (struct sockaddr *)&address, &length);
	other_end = socket(address.ss_family, SOCK_STREAM, 0);
	if (connect(other_end, (struct sockaddr *)&address, length))
		die("connect");
}

static int replacement;

/* Another file has the descriptor before the wait ends, and goes on to have it. */
static void replaces(int fd)
{
	if (dup2(replacement, fd) != fd)
		die("dup2");
	writes(other_end);
}

static long wait_in(long (*function)(int), int fd, long syscall, void (*then)(int), int descriptor)
{
	struct step next = { syscall, then, descriptor };
	long result;

	step = &next;
	result = function(fd);
	if (result < 0)
		die("a wait");
	return result;
}

static long inode_of(int fd)
{
	struct stat status;

	return fstat(fd, &status) ? -1 : (long)status.st_ino;
}

static int port_of(int fd)
{
	struct sockaddr_in6 address;
	socklen_t length = sizeof(address);

	getsockname(fd, (struct sockaddr *)&address, &length);
	return ntohs(address.sin6_port);
}

static int listen_at(int family)
{
	struct sockaddr_storage address = { .ss_family = family };
	int fd = socket(family, SOCK_STREAM, 0);

	if (family == AF_INET)
		((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
	if (bind(fd, (struct sockaddr *)&address, family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6)) ||
	    listen(fd, 1))
		return -1;
	return fd;
}

static void pipes(void)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
	tell("pipe", ends[0]);
	tell("pipe_inode", inode_of(ends[0]));
	wait_in(f_read, ends[0], SYS_read, writes, ends[1]);
	close(ends[0]);
	close(ends[1]);
}

static void tcp(int family, const char *accepting, const char *own, const char *peer)
{
	int listening = listen_at(family), accepted;

	if (listening < 0) {
		tell(accepting, 0);
		return;
	}
	tell(accepting, port_of(listening));
	accepted = wait_in(f_accept, listening, SYS_accept, connects, listening);
	tell(own, port_of(accepted));
	tell(peer, port_of(other_end));
	wait_in(f_receive, accepted, SYS_recvfrom, writes, other_end);
	close(accepted);
	close(other_end);
	close(listening);
}

static void unix_sockets(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), accepted, request[2];
	pid_t client;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (bind(listening, (struct sockaddr *)&address, sizeof(address)) || listen(listening, 1) || pipe(request))
		die(path);
	client = fork();
	if (!client) {
		char bytes[8];
		int own = socket(AF_UNIX, SOCK_STREAM, 0);

		close(request[1]);
		if (connect(own, (struct sockaddr *)&address, sizeof(address)) || read(request[0], bytes, sizeof(bytes)) < 1)
			_exit(1);
		writes(own);
		_exit(read(request[0], bytes, sizeof(bytes)) < 0);
	}
	accepted = accept(listening, NULL, NULL);
	tell("unix", accepted);
	tell("client", client);
	wait_in(f_receive, accepted, SYS_recvfrom, writes, request[1]);
	close(accepted);
	close(listening);
	close(request[0]);
	close(request[1]);
}

static void files(const char *locked, const char *synced)
{
	static char block[1 << 20];
	int one = open(locked, O_CREAT | O_RDWR, 0600), other = open(locked, O_RDWR), fd = open(synced, O_CREAT | O_RDWR, 0600), i;

	if (one < 0 || other < 0 || fd < 0 || flock(other, LOCK_EX))
		die(locked);
	tell("locked", one);
	wait_in(f_flock, one, SYS_flock, unlocks, other);
	tell("synced", fd);
	for (i = 0; i < 20; i++)
		if (pwrite(fd, block, sizeof(block), 0) < 0 || f_fsync(fd))
			die(synced);
	close(one);
	close(other);
	close(fd);
}

static void watches(void)
{
	struct itimerspec never = { .it_value.tv_sec = 1000000 };
	int epoll = epoll_create1(0), sockets[2], ends[2], i;
	int watched[] = { eventfd(0, 0), timerfd_create(CLOCK_MONOTONIC, 0), -1, -1, -1, epoll_create1(0) };

	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		die("socketpair");
	timerfd_settime(watched[1], 0, &never, NULL);
	watched[2] = ends[0];
	watched[3] = sockets[0];
	watched[4] = sockets[1];
	for (i = 0; i < (int)(sizeof(watched) / sizeof(*watched)); i++) {
		struct epoll_event event = { .events = EPOLLIN };

		if (epoll_ctl(epoll, EPOLL_CTL_ADD, watched[i], &event))
			die("epoll_ctl");
	}
	tell("epoll", epoll);
	wait_in(f_epoll, epoll, SYS_epoll_wait, writes, watched[0]);
	tell("event", watched[0]);
	if (read(watched[0], &(uint64_t){ 0 }, 8) != 8)
		die("read");
	wait_in(f_read, watched[0], SYS_read, writes, watched[0]);
	wait_in(f_poll, ends[0], SYS_poll, writes, ends[1]);
	for (i = 0; i < (int)(sizeof(watched) / sizeof(*watched)); i++)
		close(watched[i]);
	close(ends[1]);
	close(sockets[1]);
	close(epoll);
}

static void changes(const char *path)
{
	int ends[2];

	replacement = open(path, O_RDONLY);
	if (replacement < 0 || pipe(ends))
		die(path);
	other_end = ends[1];
	tell("changed", ends[0]);
	tell("changed_inode", inode_of(ends[0]));
	wait_in(f_changed, ends[0], SYS_read, replaces, ends[0]);
	close(ends[0]);
	close(ends[1]);
	close(replacement);
}

static void opens_many(int nr)
{
	int ends[2];

	while (nr--) {
		if (pipe(ends))
			die("pipe");
		wait_in(f_many, ends[0], SYS_read, writes, ends[1]);
		close(ends[0]);
		close(ends[1]);
	}
}

/* SOCKET LOCKED SYNCED MANY: paths, and how many pipes. */
int main(int argc, char **argv)
{
	pthread_t helper;

	if (argc < 5)
		return 1;
	waiter = getpid();
	pthread_create(&helper, NULL, helps, NULL);
	pipes();
	tcp(AF_INET, "port", "own", "peer");
	tcp(AF_INET6, "port6", "own6", "peer6");
	unix_sockets(argv[1]);
	files(argv[2], argv[3]);
	watches();
	changes(argv[3]);
	opens_many(atoi(argv[4]));
	printf("done 0\n");
	fflush(stdout);
	pause();
	return 0;
}
