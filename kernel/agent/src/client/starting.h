/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording that is to be started, from the request until its process can come into a view of the kernel, or it is known that it can't,
 * and what others pay without it is measured, if it is to be.
 */
#ifndef KVIEW_STARTING_H
#define KVIEW_STARTING_H

#include <stdbool.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct recording_prepared;
struct starting;

typedef void starting__start(void *context, uint32_t request_id, const Kview__Wire__StartRecordingRequest *request,
			     struct recording_prepared *prepared);

/* NULL: no memory.  start: as recording__start; it sends the answer. */
struct starting *starting__new(struct loop *loop, struct wire *wire, starting__start *start, void *context);
/* Without an answer. */
void starting__free(struct starting *starting);

/* Of a request that was checked.  One at a time; start may be called before this returns. */
void starting__begin(struct starting *starting, uint32_t request_id, const Kview__Wire__StartRecordingRequest *request);
bool starting__is_on(const struct starting *starting);
/* Refuses the request; false: there is none. */
bool starting__stop(struct starting *starting);

#endif
