/* SPDX-License-Identifier: GPL-2.0 */
/* Lets somebody into a kernel view, as a client asks for it; see attaching.h. */
#ifndef KVIEW_VIEW_ATTACH_H
#define KVIEW_VIEW_ATTACH_H

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/attaching.h"

struct view_attach {
	struct attaching attaching;
	char label[512];		/* who it is */
};

/* A process, a cgroup or a queue.  Returns 0, or -1 with error filled: then there is nothing to be ended. */
int view_attach__begin(struct view_attach *a, struct kview_view *view, const Kview__Wire__ChangeViewRequest *request, struct error *error);
/* The attachment is the caller's.  NULL with error filled: nobody is in the view; what is not known by now is broken off. */
struct kview_attachment *view_attach__end(struct view_attach *a, struct error *error);

#endif
