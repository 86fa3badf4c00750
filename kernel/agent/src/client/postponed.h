/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests that came while another one was half done (loop__is_breathing), or while something was measured that they would disturb:
 * they are served afterwards, in the order in which they came.
 */
#ifndef KVIEW_POSTPONED_H
#define KVIEW_POSTPONED_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/loop.h"

struct postponed;
struct wire;

/* Who asks for more than this before it is answered has the rest refused: so many requests, of so many bytes. */
#define WAITING_MOST		10000
#define WAITING_BYTES_MOST	(24U << 20)

struct postponed_opts {
	struct loop *loop;
	struct wire *wire;	/* for refusals */
	/* Neither is called while another request is half done. */
	void (*serve)(void *context, const Kview__Wire__ToAgent *request);
	void (*woken)(void *context);
	void *context;
};

/* NULL: no memory, or no descriptor. */
struct postponed *postponed__new(const struct postponed_opts *opts);
void postponed__free(struct postponed *postponed);

/* Whether it keeps this one for later, of which a copy is made, or has refused it. */
bool postponed__takes(struct postponed *postponed, const Kview__Wire__ToAgent *request);
/* Whether something is measured that others on this host would disturb. */
void postponed__measuring(struct postponed *postponed, bool is_on);
/* woken is called, once, as soon as no request is half done. */
void postponed__wake(struct postponed *postponed);
/* By how many more, or fewer, children answer requests beside the loop. */
void postponed__answering(struct postponed *postponed, int more);
/*
 * The client asks nothing more: whether it hears, and children answer what it asked, or something waits for its turn.  woken is called
 * as soon as nothing of that is due.  The loop is stopped when all is answered, nobody hears any more, or it took too long, which
 * was_late tells.
 */
bool postponed__finishes(struct postponed *postponed);
bool postponed__was_late(const struct postponed *postponed);

#endif
