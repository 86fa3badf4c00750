/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel allows the caller, whatever the agent may, of the process behind a descriptor of its folder in /proc. */
#ifndef KVIEW_MAY_TRACE_H
#define KVIEW_MAY_TRACE_H

#include <stdbool.h>

/* Whether it may be looked at. */
bool may_look(int process);
/* Whether it may be attached to, and changed. */
bool may_attach(int process);

#endif
