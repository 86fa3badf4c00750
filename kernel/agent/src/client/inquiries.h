/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is asked and answered once, at its end: a survey or a flow of a process, one at a time; changes of the client's own kernel
 * views; and what children of the agent answer (asides.h).
 */
#ifndef KVIEW_INQUIRIES_H
#define KVIEW_INQUIRIES_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/loop.h"
#include "client/wire.h"

struct calibration;
struct inquiries;
struct postponed;

/* calibration, postponed: as asides__new.  NULL: no memory. */
struct inquiries *inquiries__new(struct loop *loop, struct wire *wire, struct calibration *calibration, struct postponed *postponed);
/* Ends one without an answer. */
void inquiries__free(struct inquiries *inquiries);

/* Ends a survey or a flow without an answer. */
void inquiries__break_off(struct inquiries *inquiries);
/* Of surveys and flows. */
bool inquiries__are_on(const struct inquiries *inquiries);

/* Handles a request that is about one, and sends its answer; false: it is another one.  records: the connection has a recording. */
bool inquiries__serve(struct inquiries *inquiries, const Kview__Wire__ToAgent *request, bool records);

#endif
