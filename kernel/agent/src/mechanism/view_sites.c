// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <libkview.h>

#include "base/loop.h"
#include "base/message_list.h"
#include "lookup/kernel_names.h"
#include "mechanism/borrowed_sets.h"
#include "mechanism/kview_module.h"
#include "mechanism/view_sites.h"

/* A message is to stay well below what a client takes. */
#define NAMES_MOST_BYTES	(8u << 20)

struct view_sites {
	Kview__Wire__ListSitesReply reply;
	struct kernel_names kernel;		/* the reply's names point into these, */
	struct kview_site_name *sites;		/* or these */
	bool wants_names;
	uint64_t set_id;
	bool found;
	int failed;				/* errno */
};

/* As the reply is to hold them; of the others' figures nothing is told. */
static bool figures__any(const Kview__Wire__SiteFigures *f)
{
	return f->hits || f->missed || f->lost_returns || f->lost_records || f->rejected_interrupt ||
	       f->rejected_nested || f->rejected_kernel;
}

static void figures__fill(Kview__Wire__SiteFigures *f, uint32_t site, uint64_t hits, const struct kview_site_losses *losses)
{
	kview__wire__site_figures__init(f);
	f->site = site;
	f->hits = hits;
	f->missed = losses->missed;
	f->lost_returns = losses->returns;
	f->lost_records = losses->records;
	f->rejected_interrupt = losses->irq;
	f->rejected_nested = losses->nested;
	f->rejected_kernel = losses->borrowed;
}

static int sites__read_figures(struct view_sites *s, int fd, uint32_t nr)
{
	uint64_t *hits = calloc(nr + 1, sizeof(*hits));
	struct kview_site_losses *losses = calloc(nr + 1, sizeof(*losses));
	struct kview_hits ask = { .buf = (uintptr_t)hits, .count = nr, .cpu = -1 };
	struct kview_losses lost = { .buf = (uintptr_t)losses, .count = nr, .size = sizeof(*losses) };
	Kview__Wire__SiteFigures one;
	size_t counted = 0, i;
	int failed = ENOMEM;

	if (!hits || !losses)
		goto out;
	s->reply.read_ns = clock__now_ns();
	failed = ioctl(fd, KVIEW_HITS, &ask) || ioctl(fd, KVIEW_LOSSES, &lost) ? errno : 0;
	for (i = 0; !failed && i < nr; i++) {
		figures__fill(&one, i, hits[i], &losses[i]);
		counted += figures__any(&one);
	}
	s->reply.figures = failed ? NULL : message_list__new(counted, sizeof(one));
	if (!s->reply.figures) {
		failed = failed ? failed : ENOMEM;
		goto out;
	}
	for (i = 0; i < nr && s->reply.n_figures < counted; i++) {
		figures__fill(&one, i, hits[i], &losses[i]);
		if (figures__any(&one))
			*s->reply.figures[s->reply.n_figures++] = one;
	}
out:
	free(hits);
	free(losses);
	return failed;
}

/* Of a function that has no name, its address is written where the module writes names. */
static char *site__name(const struct view_sites *s, struct kview_site_name *site)
{
	const struct kernel_name *name = site->addr ? kernel_names__at(&s->kernel, site->addr) : NULL;

	/* Of several that it has, the kernel's own lists tell the first. */
	while (name && name > s->kernel.all && name[-1].address == site->addr)
		name--;
	if (name && name->address == site->addr)
		return (char *)name->name;
	if (site->addr)
		snprintf(site->name, sizeof(site->name), "0x%" PRIx64, (uint64_t)site->addr);
	site->name[sizeof(site->name) - 1] = 0;
	return site->name;
}

static int sites__read_names(struct view_sites *s, int fd, uint32_t nr)
{
	struct kview_sites ask = { .count = nr, .size = sizeof(*s->sites) };
	size_t bytes = 0, i;

	s->sites = calloc(nr + 1, sizeof(*s->sites));
	s->reply.names = calloc(nr + 1, sizeof(*s->reply.names));
	if (!s->sites || !s->reply.names)
		return ENOMEM;
	ask.buf = (uintptr_t)s->sites;
	if (ioctl(fd, KVIEW_SITES, &ask)) {
		if (errno != ENOTTY)
			return errno;
		s->reply.names_note = "The kview module that is loaded does not tell what sites are: load the one that came with this agent.";
		return 0;
	}
	kernel_names__read(&s->kernel);
	for (i = 0; i < nr; i++) {
		s->reply.names[i] = site__name(s, &s->sites[i]);
		bytes += strlen(s->reply.names[i]) + 4;
	}
	if (bytes > NAMES_MOST_BYTES)
		s->reply.names_note = "The names of the set's sites are too long to be told together.";
	else
		s->reply.n_names = nr;
	return 0;
}

static bool sites__use(int fd, const struct kview_item *item, void *context)
{
	struct view_sites *s = context;

	if (item->id != s->set_id)
		return true;
	s->found = true;
	s->reply.sites = item->sites;
	s->failed = sites__read_figures(s, fd, item->sites);
	if (!s->failed && s->wants_names)
		s->failed = sites__read_names(s, fd, item->sites);
	return false;
}

/* Whose it is, and whether it has too many sites, is known before a copy of it is taken. */
static int find_set(struct kview *module, uint64_t id, struct kview_item *set, struct error *error)
{
	struct kview_item *items = NULL;
	size_t nr = 0, i;
	char why[200];
	int failed = kview__list(module, &items, &nr);

	if (failed == -EPERM) {
		kview_module__deny(why, sizeof(why));
		return error__set(error, ERR_NO_PERMISSION, "%s", why);
	}
	if (failed)
		return error__set(error, ERR_FAILED, "The kview module did not tell its views: %s.", strerror(-failed));
	for (i = 0; i < nr && (items[i].id != id || items[i].type != KVIEW_ITEM_SET); i++)
		;
	if (i < nr)
		*set = items[i];
	free(items);
	if (i == nr)
		return error__set(error, ERR_FAILED, "There is no set %" PRIu64 " any more: its owner closed it, or has ended.", id);
	if (set->sites > borrowed_sets__sites_most())
		return error__set(error, ERR_TOO_MANY, "The set has %u sites: of more than %u the figures of each are not read.",
				  set->sites, borrowed_sets__sites_most());
	return 0;
}

static int sites__read(struct view_sites *s, struct kview *module, struct error *error)
{
	struct kview_item set = { 0 };
	char why[128];
	int failed;

	if (find_set(module, s->set_id, &set, error))
		return -1;
	failed = set.owner_pid ? borrowed_sets__each(set.owner_pid, sites__use, s) : 0;
	if (s->failed)
		return error__set(error, ERR_FAILED, "What the sites of set %" PRIu64 " counted can't be read: %s.", s->set_id,
				  strerror(s->failed));
	if (s->found)
		return 0;
	borrowed_sets__why(set.owner_pid, failed, why, sizeof(why));
	return error__set(error, failed == EPERM || failed == EACCES ? ERR_NO_PERMISSION : ERR_FAILED, "%s", why);
}

struct view_sites *view_sites__read(const Kview__Wire__ListSitesRequest *request, struct error *error)
{
	struct view_sites *s = calloc(1, sizeof(*s));
	char why[200];
	struct kview *module = s ? kview_module__look(why, sizeof(why)) : NULL;

	if (!module) {
		error__set(error, s ? ERR_UNSUPPORTED : ERR_FAILED, "%s", s ? why : "Out of memory.");
		free(s);
		return NULL;
	}
	kview__wire__list_sites_reply__init(&s->reply);
	s->set_id = request->set_id;
	s->wants_names = request->names;
	if (sites__read(s, module, error)) {
		view_sites__free(s);
		s = NULL;
	}
	kview__free(module);
	return s;
}

void view_sites__free(struct view_sites *s)
{
	if (!s)
		return;
	kernel_names__free(&s->kernel);
	free(s->sites);
	free(s->reply.names);
	free(s->reply.figures);
	free(s);
}

Kview__Wire__ListSitesReply *view_sites__reply(struct view_sites *s)
{
	return &s->reply;
}
