// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/rights.h"
#include "client/rendezvous.h"

#define FDS		3
#define MAGIC		0x4b565257U	/* changes with struct message */
#define VERDICT_S	10
#define WELCOME		'w'

/* Sent between two agents of the same build on the same host. */
struct message {
	uint32_t magic;
	uint8_t secret[RENDEZVOUS_SECRET_BYTES];
	struct rejoin rejoin;
};

union control {
	char bytes[CMSG_SPACE(FDS * sizeof(int))];
	struct cmsghdr align;
};

struct rendezvous {
	struct loop *loop;
	struct loop_source listening;
	struct loop_source guest;	/* has connected, and said nothing yet */
	int joined_fd;			/* to the agent that keeps the place, or -1 */
	rendezvous_handler handler;
	void *context;
	uint8_t token[RENDEZVOUS_TOKEN_BYTES];
};

static socklen_t set_address(struct sockaddr_un *address, const uint8_t *token)
{
	char *at = address->sun_path + 1;	/* after the NUL of an abstract address */
	int i;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	at = stpcpy(at, "kview-agent/");
	for (i = 0; i < RENDEZVOUS_NAME_BYTES; i++)
		at += sprintf(at, "%02x", token[i]);
	return at - (char *)address;
}

/*
 * The kernel notes a socket's user at listen() and connect().  The agent does both as its caller,
 * because agents that were started through sudo all have the same user.
 */
static bool is_same_user(int fd)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);
	uid_t user;

	rights__lower();
	user = geteuid();
	rights__restore();
	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) && peer.uid == user;
}

static int listen_as_caller(int fd)
{
	int result;

	rights__lower();
	result = listen(fd, 4);
	rights__restore();
	return result;
}

static int connect_as_caller(int fd, const struct sockaddr_un *address, socklen_t length)
{
	int result;

	rights__lower();
	result = connect(fd, (const void *)address, length);
	rights__restore();
	return result;
}

static bool secret__matches(const uint8_t *a, const uint8_t *b)
{
	uint8_t difference = 0;
	int i;

	for (i = 0; i < RENDEZVOUS_SECRET_BYTES; i++)
		difference |= a[i] ^ b[i];
	return !difference;
}

/* Returns the number of descriptors that were received; the caller closes them. */
static int receive(int fd, struct message *message, int fds[FDS])
{
	struct iovec data = { message, sizeof(*message) };
	union control control;
	struct msghdr header = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control.bytes, .msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *c;
	const int *sent;
	int nr = 0;
	size_t i;

	memset(message, 0, sizeof(*message));
	if (recvmsg(fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != sizeof(*message))
		message->magic = 0;
	for (c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		sent = (const int *)CMSG_DATA(c);
		/*
		 * CMSG_SPACE rounds up for alignment, so one descriptor more than FDS may arrive.
		 */
		for (i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
			if (nr < FDS)
				fds[nr++] = sent[i];
			else
				close(sent[i]);
		}
	}
	return nr;
}

static void rendezvous__guest_speaks(void *context, uint32_t events)
{
	struct rendezvous *r = context;
	int fds[FDS], fd = r->guest.fd, nr, i;
	struct message message;
	char verdict = WELCOME;
	bool welcome;

	nr = receive(fd, &message, fds);
	loop__remove(r->loop, &r->guest);
	r->guest.fd = -1;
	welcome = nr == FDS && message.magic == MAGIC &&
		  secret__matches(message.secret, r->token + RENDEZVOUS_NAME_BYTES) &&
		  r->handler(r->context, &message.rejoin, fds);
	for (i = 0; i < nr; i++)
		close(fds[i]);
	if (!welcome || send(fd, &verdict, 1, MSG_NOSIGNAL) != 1) {
		close(fd);
		return;
	}
	/*
	 * The previous agent that kept a place for a client is not needed any more: closing its
	 * connection ends it.
	 */
	if (r->joined_fd >= 0)
		close(r->joined_fd);
	r->joined_fd = fd;
}

static void rendezvous__knocked(void *context, uint32_t events)
{
	struct rendezvous *r = context;
	int fd = accept4(r->listening.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (!is_same_user(fd)) {
		close(fd);
		return;
	}
	/* One guest at a time, always the newest: so a silent one can't hold up the others. */
	loop__close(r->loop, &r->guest);
	r->guest = (struct loop_source){ fd, rendezvous__guest_speaks, r, 0 };
	if (loop__watch(r->loop, &r->guest, EPOLLIN))
		loop__close(r->loop, &r->guest);
}

struct rendezvous *rendezvous__new(struct loop *loop, rendezvous_handler handler, void *context,
				   struct error *error)
{
	struct rendezvous *r = calloc(1, sizeof(*r));
	struct sockaddr_un address;
	socklen_t length;

	if (!r) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	r->loop = loop;
	r->handler = handler;
	r->context = context;
	r->guest.fd = r->joined_fd = -1;
	r->listening = (struct loop_source){
		socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
		rendezvous__knocked, r, 0 };
	if (getrandom(r->token, sizeof(r->token), 0) != sizeof(r->token))
		goto fail;
	length = set_address(&address, r->token);
	if (r->listening.fd < 0 || bind(r->listening.fd, (void *)&address, length) ||
	    listen_as_caller(r->listening.fd) || loop__watch(loop, &r->listening, EPOLLIN))
		goto fail;
	return r;
fail:
	error__set(error, ERR_FAILED,
		   "The agent can't make a socket at which a lost client could find it again: %s; record without a grace time.",
		   strerror(errno));
	rendezvous__free(r, 1);
	return NULL;
}

void rendezvous__free(struct rendezvous *r, int exit_code)
{
	uint8_t code = exit_code;

	if (!r)
		return;
	loop__close(r->loop, &r->guest);
	loop__close(r->loop, &r->listening);
	if (r->joined_fd >= 0) {
		if (send(r->joined_fd, &code, 1, MSG_NOSIGNAL) != 1)
			log__line("who kept the place of this agent has ended");
		close(r->joined_fd);
	}
	free(r);
}

const uint8_t *rendezvous__token(const struct rendezvous *r)
{
	return r->token;
}

static int hand_over(int fd, const struct message *message)
{
	const int fds[FDS] = { 0, 1, 2 };
	struct iovec data = { (void *)message, sizeof(*message) };
	union control control = { 0 };
	struct msghdr header = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control.bytes, .msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(c), fds, sizeof(fds));
	return sendmsg(fd, &header, MSG_NOSIGNAL) == sizeof(*message) ? 0 : -1;
}

int rendezvous__join(const uint8_t *token, size_t length, const struct rejoin *rejoin,
		     struct error *error)
{
	struct timeval patience = { .tv_sec = VERDICT_S };
	struct message message = { .magic = MAGIC, .rejoin = *rejoin };
	struct sockaddr_un address;
	socklen_t address_length;
	char verdict = 0;
	int fd;

	if (length != RENDEZVOUS_TOKEN_BYTES)
		return error__set(error, ERR_BAD_REQUEST, "A token has %d bytes, not %zu.",
				  RENDEZVOUS_TOKEN_BYTES, length);
	memcpy(message.secret, token + RENDEZVOUS_NAME_BYTES, sizeof(message.secret));
	address_length = set_address(&address, token);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    connect_as_caller(fd, &address, address_length) ||
	    !is_same_user(fd) || hand_over(fd, &message) ||
	    recv(fd, &verdict, 1, 0) != 1 || verdict != WELCOME) {
		if (fd >= 0)
			close(fd);
		return error__set(error, ERR_NOTHING_TO_REJOIN,
				  "No agent of this user waits for this client, so the agent that recorded has ended: its grace time is over, it was killed, or the host was booted anew, which was %llu s ago.",
				  (unsigned long long)(clock__boot_ns() / 1000000000));
	}
	return fd;
}

int rendezvous__keep_place(int fd)
{
	struct timeval for_ever = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;
	uint8_t code = 0;
	sigset_t none;
	ssize_t got;

	/*
	 * This agent lets go of its connection, so that the client sees when the other agent closes
	 * it.
	 */
	for (i = 0; i < FDS; i++)
		dup2(null, i);
	/*
	 * signals__new() blocked the signals, and nobody reads them any more: let them end this
	 * process.
	 */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof(for_ever));
	do {
		got = recv(fd, &code, 1, 0);
	} while (got < 0 && errno == EINTR);
	/* No code was sent: the agent was killed, or goes on with a newer client. */
	return got == 1 ? code : 1;
}
