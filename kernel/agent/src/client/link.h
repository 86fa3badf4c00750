/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The link to a client, as agent.proto describes it: when it counts as lost, how long the agent
 * goes on without it, and who may take it up again; and the signals that end an agent.
 */
#ifndef KVIEW_LINK_H
#define KVIEW_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "base/loop.h"
#include "client/wire.h"

struct link;

struct link_opts {
	struct loop *loop;
	/* No client will come any more: the agent has to end. */
	void (*over)(void *context, int exit_code);
	void *context;
};

/* NULL: no memory. */
struct link *link__new(const struct link_opts *opts);
void link__free(struct link *link, int exit_code);
/* To be called first.  The caller stays the owner of the wire. */
void link__use(struct link *link, struct wire *wire);

/* Takes note of what the client offered in its greeting. */
void link__offer(struct link *link, const Kview__Wire__HelloRequest *hello);
/* Handles the messages of the link itself and RejoinRequest; false for any other request. */
bool link__take(struct link *link, const Kview__Wire__ToAgent *request);

/*
 * From now on the agent goes on for grace_ms after it loses its client.  Returns the token with
 * which the client comes back, or NULL with error.  link__let_go ends this, once the client has
 * received everything that was sent to it.
 */
const uint8_t *link__keep(struct link *link, uint32_t grace_ms, struct error *error);
void link__let_go(struct link *link);

/* The wire has ended: the link waits for the client, or calls over(). */
void link__lost(struct link *link, const char *reason);
bool link__is_kept(const struct link *link);
bool link__is_offered(const struct link *link);

#endif
