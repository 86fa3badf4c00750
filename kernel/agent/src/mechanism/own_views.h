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

/* Fills reply, whose note is static.  Returns 0, or -1 with error filled; then nothing is changed. */
int own_views__change(const Kview__Wire__ChangeViewRequest *request, Kview__Wire__ChangeViewReply *reply, struct error *error);
bool own_views__has(uint64_t view);

#endif
