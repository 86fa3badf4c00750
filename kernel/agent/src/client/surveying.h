/* SPDX-License-Identifier: GPL-2.0 */
/* The survey of a connection, of which it has one at a time. */
#ifndef KVIEW_SURVEYING_H
#define KVIEW_SURVEYING_H

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct surveying;

/* NULL: no memory. */
struct surveying *surveying__new(struct loop *loop, struct wire *wire);
/* Ends a survey without an answer. */
void surveying__free(struct surveying *surveying);

/* As that, but it may begin another one. */
void surveying__break_off(struct surveying *surveying);
bool surveying__is_on(const struct surveying *surveying);

/* Handle these requests, and send their answers.  is_busy: the connection has a recording or a flow. */
void surveying__start(struct surveying *surveying, uint32_t request_id,
		      const Kview__Wire__SurveyRequest *request, bool is_busy);
void surveying__end(struct surveying *surveying, uint32_t request_id);

#endif
