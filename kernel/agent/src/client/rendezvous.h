/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The place where an agent that lost its client waits for the client to come back:
 *
 *	client -- ssh --> agent 2 --(stdin, stdout, stderr by SCM_RIGHTS)--> agent 1, which records
 *
 * The place is an abstract Unix socket: it needs no folder, and nothing of it is left when the
 * agent ends, for whatever reason.  Its name is random but not secret: /proc/net/unix shows it.
 * So an agent that comes must have the same user, as the kernel reports it, and must know the other
 * half of the token.  The agent that listens must have the same user, too.  An agent's user is its
 * caller, even if it was started through sudo.
 */
#ifndef KVIEW_RENDEZVOUS_H
#define KVIEW_RENDEZVOUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"

#define RENDEZVOUS_NAME_BYTES	16
#define RENDEZVOUS_SECRET_BYTES	32
#define RENDEZVOUS_TOKEN_BYTES	(RENDEZVOUS_NAME_BYTES + RENDEZVOUS_SECRET_BYTES)

struct rendezvous;

/* What a returning client says, as in RejoinRequest. */
struct rejoin {
	uint64_t sequence;
	uint32_t link_timeout_ms;
	uint32_t request_id;
};

/*
 * Called when an agent with the token has come.  Returns whether this agent goes on with those
 * descriptors; then the handler has made copies of them.
 */
typedef bool (*rendezvous_handler)(void *context, const struct rejoin *rejoin, const int fds[3]);

/* Returns NULL with error filled on failure. */
struct rendezvous *rendezvous__new(struct loop *loop, rendezvous_handler handler, void *context,
				   struct error *error);
/* The agent that keeps the place ends with this exit code. */
void rendezvous__free(struct rendezvous *rendezvous, int exit_code);

const uint8_t *rendezvous__token(const struct rendezvous *rendezvous);

/*
 * The other side: hands descriptors 0, 1 and 2 to the agent with this token.  Returns a descriptor
 * for rendezvous__keep_place, or -1 with error.  Blocks for at most 10 s.
 */
int rendezvous__join(const uint8_t *token, size_t length, const struct rejoin *rejoin,
		     struct error *error);
/* Waits as long as that agent uses the descriptors.  Returns the exit code to end with. */
int rendezvous__keep_place(int fd);

#endif
