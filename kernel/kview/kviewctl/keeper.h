/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEWCTL_KEEPER_H
#define KVIEWCTL_KEEPER_H

#include "sites.h"

/*
 * Answers requests at the socket, one after the other, until it is told to remove the view: then
 * view, sites and socket are gone.  In a process of its own, which it takes away from the terminal;
 * it returns at once where that fails.
 */
void keeper__run(int listener, const char *name, struct kview_view *v, struct sites *s);

#endif /* KVIEWCTL_KEEPER_H */
