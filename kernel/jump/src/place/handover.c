// SPDX-License-Identifier: GPL-2.0
#include "place/handover.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What recvmsg works with, in the process. */
struct message {
	struct msghdr head;
	struct iovec part;
	char byte;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

_Static_assert(sizeof(struct message) <= HANDOVER_BYTES, "there is room for it");

static int failed(const struct injector *injector, const char *what, long answer, struct error *error)
{
	return error__set(error, ERR_NOT_PROBEABLE, "Process %d can't %s: %s.", injector->stopped->pid, what,
			  strerror(answer < 0 ? -answer : EIO));
}

static bool put(const struct injector *injector, uint64_t room, const void *from, size_t bytes)
{
	place__step();
	return pwrite(injector->stopped->memory, from, bytes, room) == (ssize_t)bytes;
}

static bool get(const struct injector *injector, uint64_t room, void *to, size_t bytes)
{
	return pread(injector->stopped->memory, to, bytes, room) == (ssize_t)bytes;
}

/*
 * The same socket here; -1: not.  Numbers are those of the thread that made it: the process's first one may have other
 * files, and then this would be a stranger's.
 */
static int take(const struct injector *injector, int number)
{
	int process = syscall(SYS_pidfd_open, injector->stopped->pid, 0), taken;
	struct stat theirs, ours;
	char path[96];

	if (process < 0)
		return -1;
	taken = syscall(SYS_pidfd_getfd, process, number, 0);
	close(process);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/fd/%d", injector->stopped->pid, injector->thread->tid, number);
	if (taken >= 0 && (stat(path, &theirs) || fstat(taken, &ours) || theirs.st_ino != ours.st_ino ||
			   theirs.st_dev != ours.st_dev)) {
		close(taken);
		errno = EXDEV;
		return -1;
	}
	return taken;
}

static int send_file(int through, int file)
{
	struct message message = { .byte = 0 };
	struct cmsghdr *control;

	message.part = (struct iovec){ &message.byte, 1 };
	message.head = (struct msghdr){ .msg_iov = &message.part, .msg_iovlen = 1, .msg_control = message.control,
					.msg_controllen = sizeof(message.control) };
	control = CMSG_FIRSTHDR(&message.head);
	*control = (struct cmsghdr){ CMSG_LEN(sizeof(file)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(control), &file, sizeof(file));
	return sendmsg(through, &message.head, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : -1;
}

/* The process takes what was sent; its number there, or -1. */
static int receive(struct injector *injector, uint64_t room, int number, struct error *error)
{
	struct message message = { .byte = 0 };
	int file = -1;
	long answer;

	message.part = (struct iovec){ (void *)(room + offsetof(struct message, byte)), 1 };
	message.head = (struct msghdr){
		.msg_iov = (void *)(room + offsetof(struct message, part)), .msg_iovlen = 1,
		.msg_control = (void *)(room + offsetof(struct message, control)),
		.msg_controllen = sizeof(message.control),
	};
	if (!put(injector, room, &message, sizeof(message)))
		return failed(injector, "be written", -errno, error);
	answer = injector__call(injector, SYS_recvmsg, (uint64_t[6]){ number, room, MSG_CMSG_CLOEXEC | MSG_DONTWAIT });
	if (answer == 1 && get(injector, room, &message, sizeof(message)) &&
	    message.head.msg_controllen >= CMSG_LEN(sizeof(file)))
		memcpy(&file, message.control + CMSG_LEN(0), sizeof(file));
	return file >= 0 ? file : failed(injector, "take a file", answer, error);
}

void handover__close(struct injector *injector, int number)
{
	injector__call(injector, SYS_close, (uint64_t[6]){ number });
}

int handover__give(struct injector *injector, uint64_t room, int file, struct error *error)
{
	const struct message nothing = { .byte = 0 };
	int sockets[2], ours, number = -1;
	long answer = injector__call(injector, SYS_socketpair, (uint64_t[6]){ AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, room });

	if (answer || !get(injector, room, sockets, sizeof(sockets)))
		return failed(injector, "make sockets", answer, error);
	ours = take(injector, sockets[0]);
	if (ours < 0 || send_file(ours, file))
		error__set(error, ERR_NO_PERMISSION, "No file can be given to process %d: %s.", injector->stopped->pid,
			   strerror(errno));
	else
		number = receive(injector, room, sockets[1], error);
	if (ours >= 0)
		close(ours);
	handover__close(injector, sockets[0]);
	handover__close(injector, sockets[1]);
	put(injector, room, &nothing, sizeof(nothing));
	return number;
}
