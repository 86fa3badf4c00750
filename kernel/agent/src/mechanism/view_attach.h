/* SPDX-License-Identifier: GPL-2.0 */
/* Lets somebody into a kernel view, as a client asks for it. */
#ifndef KVIEW_VIEW_ATTACH_H
#define KVIEW_VIEW_ATTACH_H

#include "agent.pb-c.h"
#include "base/error.h"

struct kview_attachment;
struct kview_view;

/* A process, a cgroup or a queue; it is the caller's.  NULL with error filled: nobody is. */
struct kview_attachment *view_attach(struct kview_view *view, const Kview__Wire__ChangeViewRequest *request, struct error *error);

#endif
