/* SPDX-License-Identifier: GPL-2.0 */
/* What each site of one set of a kernel view is, and what it counted, whoever made the view. */
#ifndef KVIEW_VIEW_SITES_H
#define KVIEW_VIEW_SITES_H

#include "agent.pb-c.h"
#include "base/error.h"

struct view_sites;

/* NULL with error filled. */
struct view_sites *view_sites__read(const Kview__Wire__ListSitesRequest *request, struct error *error);
void view_sites__free(struct view_sites *sites);

/* It is the sites'. */
Kview__Wire__ListSitesReply *view_sites__reply(struct view_sites *sites);

#endif
