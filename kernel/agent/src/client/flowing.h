/* SPDX-License-Identifier: GPL-2.0 */
/* The flow of a connection, of which it has one at a time. */
#ifndef KVIEW_FLOWING_H
#define KVIEW_FLOWING_H

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct flowing;

/* NULL: no memory. */
struct flowing *flowing__new(struct loop *loop, struct wire *wire);
/* Ends a flow without an answer. */
void flowing__free(struct flowing *flowing);

/* As that, but it may begin another one. */
void flowing__break_off(struct flowing *flowing);
bool flowing__is_on(const struct flowing *flowing);

/* Handle these requests, and send their answers.  is_busy: the connection has a recording or a survey. */
void flowing__start(struct flowing *flowing, uint32_t request_id, const Kview__Wire__FlowRequest *request,
		    bool is_busy);
void flowing__end(struct flowing *flowing, uint32_t request_id);

#endif
