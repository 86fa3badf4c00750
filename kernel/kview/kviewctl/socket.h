/* SPDX-License-Identifier: GPL-2.0 */
/* Messages between kviewctl and a view's keeper: a text, and perhaps a file descriptor. */
#ifndef KVIEWCTL_SOCKET_H
#define KVIEWCTL_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The time-outs of the two sides.  The keeper waits for its client; the client waits longer for the
 * keeper, which may be serving others or waiting until the kernel has removed hooks.
 */
#define CALLER_S	10
#define KEEPER_S	60

enum verb {
	VERB_VIEW = 1,		/* asks for the view's descriptor */
	VERB_ADD,		/* an attachment's descriptor; its label */
	VERB_SUMMARY,		/* a line about the view */
	VERB_STAT,		/* all about it */
	VERB_DETACH,		/* closes the attachments of that label, or all */
	VERB_REMOVE,		/* closes everything */
	VERB_ANSWER,
};

struct message {
	uint32_t verb;
	int32_t error;		/* of an answer: an errno, or 0 */
	char text[4088];	/* ends with a NUL byte */
};

/*
 * The directory of the sockets, made if need be: of this user alone, else NULL with EPERM, or
 * another errno.  Not the caller's to free; the same at each call.
 */
const char *socket__directory(void);
/*
 * A keeper's socket: connected, or bound and listening.  The caller's, to be closed; -1 with errno.
 * EINVAL: not a name; to connect ENOENT or ECONNREFUSED: there is none; to listen EEXIST: there is
 * one already.
 */
int socket__connect(const char *name);
int socket__listen(const char *name);
int socket__accept(int listener);		/* whoever is of this user, or root's */
/* Takes the name away, if it is there. */
void socket__unlink(const char *name);
/*
 * A send or receive that takes longer than these seconds fails, with EAGAIN.  False with
 * errno.  The text must end with its NUL; fd, unless -1, goes along and stays the caller's.
 */
bool socket__send(int sock, const struct message *m, int fd);
/*
 * *fd: what came along, to be closed by the caller, or -1; NULL: it is closed here.  EPROTO: no
 * message, or the other end is closed; then *fd is -1.
 */
bool socket__receive(int sock, struct message *m, int *fd);
#endif /* KVIEWCTL_SOCKET_H */
