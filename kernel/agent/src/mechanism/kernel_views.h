/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel views that there are on this host, whoever made them. */
#ifndef KVIEW_KERNEL_VIEWS_H
#define KVIEW_KERNEL_VIEWS_H

#include "agent.pb-c.h"
#include "base/error.h"

/* To be freed by kview__wire__list_views_reply__free_unpacked; NULL with error filled. */
Kview__Wire__ListViewsReply *kernel_views__list(struct error *error);

#endif
