/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of the client's own kernel views.  Those that let somebody in are answered when he is, or can't be: nobody else waits for that. */
#ifndef KVIEW_JOININGS_H
#define KVIEW_JOININGS_H

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct joinings;

/* NULL: no memory. */
struct joinings *joinings__new(struct loop *loop, struct wire *wire);
/* Closes all views, and ends what is under way without an answer. */
void joinings__free(struct joinings *joinings);

/* Handles the request, and sends its answer. */
void joinings__serve(struct joinings *joinings, uint32_t request_id, const Kview__Wire__ChangeViewRequest *request);

#endif
