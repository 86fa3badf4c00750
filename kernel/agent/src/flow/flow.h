/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flow: for a while single calls of one system call are followed through all functions of the kernel that they come
 * through.  The process runs in a view of its own meanwhile, see view.h; nothing of it is changed.
 *
 *	call_flow__start  ->  look ...  ->  end  ->  reply  ->  free
 */
#ifndef KVIEW_FLOW_H
#define KVIEW_FLOW_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/error.h"

struct call_flow;

/* Checks the request, whose process is held (permission.h).  NULL: error says why there is none. */
struct call_flow *call_flow__start(const Kview__Wire__FlowRequest *request, struct error *error);
/* The process leaves the view, if it has not yet. */
void call_flow__free(struct call_flow *flow);

/* To be called every FLOW_LOOK_NS. */
#define FLOW_LOOK_NS	100000000ULL
void call_flow__look(struct call_flow *flow);
/* Whether it has to end: its time is over, or the process is. */
bool call_flow__is_over(const struct call_flow *flow);
/* Takes the process out of the view.  note: one sentence why it ended early, or NULL. */
void call_flow__end(struct call_flow *flow, const char *note);
/* After its end.  The message belongs to the flow; NULL: no memory. */
Kview__Wire__FlowReply *call_flow__reply(struct call_flow *flow);

#endif
