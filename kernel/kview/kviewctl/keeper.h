/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEWCTL_KEEPER_H
#define KVIEWCTL_KEEPER_H

#include "sites.h"

/*
 * Answers requests at the socket, one after the other, until it is told to remove the view: then
 * view, sites and socket are gone.  In a process of its own, which it takes away from the terminal;
 * null is /dev/null, for its standard input and output, and closed here.
 */
void keeper__run(int listener, int null, const char *name, struct kview_view *v, struct sites *s);

#endif /* KVIEWCTL_KEEPER_H */
