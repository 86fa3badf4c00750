/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of threads that ended when their state could not be had, see bpf/busy.bpf.h. */
#ifndef KVIEW_UNSEEN_H
#define KVIEW_UNSEEN_H

#include "mechanism/figures.h"

/*
 * Nothing counts any more, and such threads have ended: calls that neither ended nor were lost are theirs, and are
 * lost from now on.  calls is the map's descriptor.
 */
void unseen__lose_calls(const struct figures *counts, int calls);

#endif
