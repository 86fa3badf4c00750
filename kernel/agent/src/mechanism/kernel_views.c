// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkview.h>

#include "base/loop.h"
#include "lookup/names.h"
#include "mechanism/kernel_views.h"
#include "mechanism/kview_module.h"
#include "mechanism/own_views.h"
#include "mechanism/set_counts.h"
#include "processes/processes.h"

#define ITEMS_MOST	10000

struct listing {
	Kview__Wire__ListViewsReply *reply;
	struct owned_set *sets;
	size_t nr_sets;
	uint64_t now_ns;	/* CLOCK_BOOTTIME */
};

static char *text(const char *bytes, size_t size)
{
	char *copy = strndup(bytes, size), *printable = copy ? name__printable(copy) : NULL;

	free(copy);
	return printable;
}

/* With room for one more; NULL: no memory, and it is as it was. */
static void *grown(void *list, size_t nr)
{
	return realloc(list, (nr + 1) * sizeof(void *));
}

static char *command_of(pid_t pid)
{
	char path[32], command[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = pid ? fopen(path, "re") : NULL;
	if (file && fgets(command, sizeof(command), file))
		command[strcspn(command, "\n")] = 0;
	if (file)
		fclose(file);
	return text(command, sizeof(command));
}

static bool listing__add_view(struct listing *l, const struct kview_item *item)
{
	Kview__Wire__ListViewsReply *reply = l->reply;
	Kview__Wire__KernelView **views = grown(reply->views, reply->n_views);
	Kview__Wire__KernelView *view = views ? malloc(sizeof(*view)) : NULL;

	reply->views = views ? views : reply->views;
	if (!view)
		return false;
	kview__wire__kernel_view__init(view);
	views[reply->n_views++] = view;
	view->id = item->id;
	view->closed = item->flags & KVIEW_ITEM_CLOSED;
	view->owner_pid = item->owner_pid;
	view->owner_uid = item->owner_uid;
	view->age_ns = l->now_ns > item->since_ns ? l->now_ns - item->since_ns : 0;
	view->memory_bytes = item->memory;
	view->processes = item->processes;
	view->text_pages = item->text_pages;
	view->shared_text_pages = item->text_pages_shared;
	view->table_pages = item->table_pages;
	view->set_added_ns = item->took_ns;
	view->set_closed_ns = item->ended_ns;
	view->own = own_views__has(item->id);
	view->name = text(item->name, sizeof(item->name));
	view->owner_user = ps_user__name(item->owner_uid);
	view->owner_command = text(item->owner_comm, sizeof(item->owner_comm));
	return view->name && view->owner_user && view->owner_command;
}

static bool listing__add_set(struct listing *l, Kview__Wire__KernelView *view, const struct kview_item *item)
{
	Kview__Wire__ViewSet **sets = grown(view->sets, view->n_sets);
	Kview__Wire__ViewSet *set = sets ? malloc(sizeof(*set)) : NULL;

	view->sets = sets ? sets : view->sets;
	if (!set)
		return false;
	kview__wire__view_set__init(set);
	sets[view->n_sets++] = set;
	set->id = item->id;
	/* KVIEW_KIND_*, as SiteKind numbers them. */
	set->kind = item->kind <= KVIEW_KIND_EVENT ? (Kview__Wire__SiteKind)item->kind : 0;
	set->filter = item->flags & KVIEW_ITEM_FILTER;
	set->active = !(item->flags & KVIEW_ITEM_OFF);
	set->sites = item->sites;
	set->memory_bytes = item->memory;
	set->age_ns = l->now_ns > item->since_ns ? l->now_ns - item->since_ns : 0;
	set->name = text(item->name, sizeof(item->name));
	l->sets[l->nr_sets++] = (struct owned_set){ set, item->owner_pid };
	return set->name;
}

static bool add_attachment(const struct listing *l, Kview__Wire__KernelView *view, const struct kview_item *item)
{
	Kview__Wire__ViewAttachment **list = grown(view->attachments, view->n_attachments);
	Kview__Wire__ViewAttachment *attachment = list ? malloc(sizeof(*attachment)) : NULL;

	view->attachments = list ? list : view->attachments;
	if (!attachment)
		return false;
	kview__wire__view_attachment__init(attachment);
	list[view->n_attachments++] = attachment;
	attachment->id = item->id;
	/* KVIEW_TARGET_*, as ViewAttachment.Kind numbers them. */
	attachment->kind = item->kind <= KVIEW_TARGET_FLOW ? (Kview__Wire__ViewAttachment__Kind)item->kind : 0;
	attachment->pid = item->target_pid;
	attachment->cgroup_id = item->target_cgroup;
	attachment->processes = item->processes;
	attachment->follows_forks = item->attach_flags & KVIEW_ATTACH_FORK;
	attachment->follows_execs = item->attach_flags & KVIEW_ATTACH_EXEC;
	attachment->attach_ns = item->took_ns;
	attachment->joined = item->joined;
	attachment->join_failed = item->join_failed;
	attachment->left = item->left;
	attachment->elsewhere = item->elsewhere;
	attachment->memory_bytes = item->memory;
	attachment->age_ns = l->now_ns > item->since_ns ? l->now_ns - item->since_ns : 0;
	attachment->name = text(item->name, sizeof(item->name));
	attachment->command = command_of(item->target_pid);
	return attachment->name && attachment->command;
}

/* Each view comes before what is in it. */
static bool listing__add(struct listing *l, const struct kview_item *item)
{
	Kview__Wire__KernelView *view = l->reply->n_views ? l->reply->views[l->reply->n_views - 1] : NULL;

	if (item->type == KVIEW_ITEM_VIEW)
		return listing__add_view(l, item);
	if (!view || view->id != item->view)
		return true;
	if (item->type == KVIEW_ITEM_SET)
		return listing__add_set(l, view, item);
	return item->type != KVIEW_ITEM_ATTACHMENT || add_attachment(l, view, item);
}

static bool listing__fill(struct listing *l, const struct kview_item *items, size_t nr)
{
	size_t i;

	l->now_ns = clock__boot_ns();
	l->reply->total_items = nr;
	if (nr > ITEMS_MOST)
		nr = ITEMS_MOST;
	l->sets = calloc(nr + 1, sizeof(*l->sets));
	for (i = 0; l->sets && i < nr; i++)
		if (!listing__add(l, &items[i]))
			return false;
	return l->sets;
}

static void add_module(struct kview *module, Kview__Wire__ListViewsReply *reply)
{
	struct kview_stat stat;

	reply->read_ns = clock__now_ns();
	if (kview__stat(module, &stat))
		return;
	reply->text_copies = stat.text_copies;
	reply->rejected_interrupt = stat.rejected_irq;
	reply->rejected_nested = stat.rejected_nested;
	reply->rejected_kernel = stat.rejected_kthread;
	reply->rejected_left = stat.rejected_left;
	reply->detach_ns = stat.detach_ns;
}

static int list(struct kview *module, Kview__Wire__ListViewsReply *reply, struct error *error)
{
	struct listing l = { .reply = reply };
	struct kview_item *items = NULL;
	int result = 0, failed;
	char why[200];
	size_t nr;

	failed = kview__list(module, &items, &nr);
	if (failed == -EPERM) {
		kview_module__deny(why, sizeof(why));
		return error__set(error, ERR_NO_PERMISSION, "%s", why);
	}
	if (failed)
		return error__set(error, ERR_FAILED, "The kview module did not tell its views: %s.", strerror(-failed));
	if (listing__fill(&l, items, nr)) {
		add_module(module, reply);
		set_counts__read(l.sets, l.nr_sets);
	} else {
		result = error__set(error, ERR_FAILED, "Out of memory.");
	}
	free(l.sets);
	free(items);
	return result;
}

Kview__Wire__ListViewsReply *kernel_views__list(struct error *error)
{
	Kview__Wire__ListViewsReply *reply = malloc(sizeof(*reply));
	char why[200];
	struct kview *module = reply ? kview_module__look(why, sizeof(why)) : NULL;

	if (!module) {
		error__set(error, reply ? ERR_UNSUPPORTED : ERR_FAILED, "%s", reply ? why : "Out of memory.");
		free(reply);
		return NULL;
	}
	kview__wire__list_views_reply__init(reply);
	if (list(module, reply, error)) {
		kview__wire__list_views_reply__free_unpacked(reply, NULL);
		reply = NULL;
	}
	kview__free(module);
	return reply;
}
