/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The link to a client, as agent.proto describes it: when it is lost, how long the agent goes
 * on without, and who takes it up again.
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
	/* Nobody will come any more: the agent has to end. */
	void (*over)(void *context, int exit_code);
	void *context;
};

/* NULL: no memory. */
struct link *link__new(const struct link_opts *opts);
void link__free(struct link *link, int exit_code);
/* Before anything else; the wire stays the caller's. */
void link__use(struct link *link, struct wire *wire);

/* What the client offered in its greeting. */
void link__offer(struct link *link, const Kview__Wire__HelloRequest *hello);
/* Handles notices and RejoinRequest; false: the request is not the link's. */
bool link__take(struct link *link, const Kview__Wire__ToAgent *request);

/*
 * From now on the agent outlives the loss of its client by grace_ms: returns the token for
 * who comes back, or NULL with error.  link__let_go ends that, once all that the client is
 * owed has arrived.
 */
const uint8_t *link__keep(struct link *link, uint32_t grace_ms, struct error *error);
void link__let_go(struct link *link);

/* The wire ended: goes on without, or says that it is over. */
void link__lost(struct link *link, const char *reason);
bool link__is_kept(const struct link *link);
bool link__is_offered(const struct link *link);

#endif
