/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an agent that lost its client waits for the next one:
 *
 *	client -- ssh --> agent 2 --(stdin, stdout, stderr by SCM_RIGHTS)--> agent 1, which records
 *
 * The place is an abstract Unix socket: it needs no folder, and nothing of it is left when
 * the agent ends, whatever ends it.  Its name is random, and no secret (/proc/net/unix has
 * it): who comes must be of the same user, as the kernel has it, and know the token's other
 * half; who listens must be of the same user too.  The user is the agent's caller, also through sudo.
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

/* What a client says that comes back; as RejoinRequest has it. */
struct rejoin {
	uint64_t sequence;
	uint32_t link_timeout_ms;
	uint32_t request_id;
};

/*
 * Somebody with the token has come: whether the agent goes on with the descriptors, of which
 * the handler has to take copies.
 */
typedef bool (*rendezvous_handler)(void *context, const struct rejoin *rejoin, const int fds[3]);

/* NULL: error says why. */
struct rendezvous *rendezvous__new(struct loop *loop, rendezvous_handler handler, void *context,
				   struct error *error);
/* Who came last ends with this exit code. */
void rendezvous__free(struct rendezvous *rendezvous, int exit_code);

const uint8_t *rendezvous__token(const struct rendezvous *rendezvous);

/*
 * The other side: hands descriptors 0, 1 and 2 to the agent of this token.  The result is a
 * descriptor for rendezvous__keep_place, or -1 with error; blocks for at most 10 s.
 */
int rendezvous__join(const uint8_t *token, size_t length, const struct rejoin *rejoin,
		     struct error *error);
/* Lives as long as the agent uses what was handed to it; returns the exit code. */
int rendezvous__keep_place(int fd);

#endif
