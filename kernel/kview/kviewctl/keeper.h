/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEWCTL_KEEPER_H
#define KVIEWCTL_KEEPER_H

#include "sites.h"

/* Answers requests at the socket until it is told to remove the view, which it then has. */
void keeper__run(int listener, const char *name, struct kview_view *v, struct sites *s);

#endif /* KVIEWCTL_KEEPER_H */
