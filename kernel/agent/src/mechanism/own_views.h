/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel views that the client makes: whoever is in them is counted, without eBPF programs.  They consist of descriptors of
 * the agent, so they end with it, that is with the connection.  One agent, one client.
 */
#ifndef KVIEW_OWN_VIEWS_H
#define KVIEW_OWN_VIEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/error.h"

struct view_joining;

/* All changes but those that let somebody in.  Fills reply, whose note is static.  Returns 0, or -1 with error filled; then nothing is changed. */
int own_views__change(const Kview__Wire__ChangeViewRequest *request, Kview__Wire__ChangeViewReply *reply, struct error *error);
bool own_views__has(uint64_t view);
/* Whoever was on the way into one of them does not come in. */
void own_views__close_all(void);

/* Whether the request lets somebody in, which may have to wait for the end of an execve: attaching.h. */
bool own_views__lets_in(const Kview__Wire__ChangeViewRequest *request);
/* NULL with error filled: nobody is on the way. */
struct view_joining *own_views__join(const Kview__Wire__ChangeViewRequest *request, struct error *error);
/* Readable when it is known. */
int view_joining__fd(const struct view_joining *joining);
/* Frees it.  What is not known by now is broken off.  Fills reply and returns 0, or -1 with error filled. */
int view_joining__end(struct view_joining *joining, Kview__Wire__ChangeViewReply *reply, struct error *error);

#endif
