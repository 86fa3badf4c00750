// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkview.h>

#include "base/loop.h"
#include "mechanism/kview_module.h"
#include "mechanism/own_views.h"
#include "mechanism/view_attach.h"
#include "mechanism/view_hooks.h"

#define VIEWS_MOST	64
#define PARTS_MOST	KVIEW_SWITCH_MAX	/* sets, and attachments, of one view */
#define JOININGS_MOST	16

struct part {
	uint64_t id;
	struct kview_set *set;		/* or an */
	struct kview_attachment *attachment;
};

struct own_view {
	uint64_t id;
	struct kview_view *view;	/* NULL: there is none here */
	struct part parts[2 * PARTS_MOST];
	size_t nr_parts, nr_sets;
	bool off;			/* its sets do not count */
};

/* Somebody who is on the way into a view. */
struct view_joining {
	bool is_used;
	struct own_view *own;		/* NULL: it was closed meanwhile */
	struct view_attach attach;
};

static struct own_view own_views[VIEWS_MOST];
static struct view_joining joinings[JOININGS_MOST];

static struct own_view *own_view__find(uint64_t id)
{
	size_t i;

	for (i = 0; i < VIEWS_MOST; i++)
		if (own_views[i].view && own_views[i].id == id)
			return &own_views[i];
	return NULL;
}

bool own_views__has(uint64_t view)
{
	return own_view__find(view);
}

static void part__close(struct part *part)
{
	kview_set__free(part->set);
	kview_attachment__free(part->attachment);
}

static void own_view__close(struct own_view *own)
{
	size_t i;

	/* Who is on the way holds the view. */
	for (i = 0; i < JOININGS_MOST; i++)
		if (joinings[i].is_used && joinings[i].own == own) {
			attaching__break_off(&joinings[i].attach.attaching);
			joinings[i].own = NULL;
		}
	/* The view first: then nobody is in a hook any more, and for the rest the module waits for nothing. */
	kview_view__free(own->view);
	for (i = 0; i < own->nr_parts; i++)
		part__close(&own->parts[i]);
	memset(own, 0, sizeof(*own));
}

static int own_view__close_part(struct own_view *own, uint64_t id, struct error *error)
{
	size_t i;

	if (id == own->id) {
		own_view__close(own);
		return 0;
	}
	for (i = 0; i < own->nr_parts && own->parts[i].id != id; i++)
		;
	if (i == own->nr_parts)
		return error__set(error, ERR_FAILED, "View %" PRIu64 " has no set and no attachment %" PRIu64 " any more.", own->id, id);
	own->nr_sets -= !!own->parts[i].set;
	part__close(&own->parts[i]);
	own->parts[i] = own->parts[--own->nr_parts];
	return 0;
}

/* It is the view's from then on. */
static void own_view__keep(struct own_view *own, uint64_t id, struct kview_set *set, struct kview_attachment *attachment)
{
	own->parts[own->nr_parts++] = (struct part){ id, set, attachment };
	own->nr_sets += !!set;
}

static int make(struct kview *module, const char *name, Kview__Wire__ChangeViewReply *reply, struct error *error)
{
	struct own_view *own = NULL;
	struct kview_item item;
	size_t i;

	for (i = 0; i < VIEWS_MOST && !own; i++)
		own = own_views[i].view ? NULL : &own_views[i];
	if (!own)
		return error__set(error, ERR_TOO_MANY, "There are %d views of this connection already: close one first.", VIEWS_MOST);
	own->view = kview_view__new(module);
	if (!own->view)
		return error__set(error, errno == EPERM ? ERR_NO_PERMISSION : ERR_FAILED, "The kview module made no view: %s.",
				  strerror(errno));
	if (kview_view__set_name(own->view, name) || kview_view__item(own->view, &item)) {
		own_view__close(own);
		return error__set(error, ERR_BAD_REQUEST,
				  "A view can't be called that: a name has at most 31 bytes, and no control characters.");
	}
	own->id = reply->id = item.id;
	return 0;
}

__attribute__((format(printf, 3, 4)))
static void append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, size - length, format, args);
	va_end(args);
}

/* Of those that were left out, the first few with the reason. */
static void tell_left_out(char *note, size_t size, char *const *names, const struct kview_site_result *results, size_t nr)
{
	size_t left = 0, i;

	for (i = 0; i < nr; i++)
		left += results[i].error != 0;
	*note = 0;
	if (left)
		append(note, size, "%zu of %zu are left out: ", left, nr);
	for (i = 0, left = 0; i < nr && left < 4; i++)
		if (results[i].error)
			append(note, size, "%s%.60s (%s)", left++ ? ", " : "", names[i], view_hooks__reason(results[i].error));
	if (left)
		append(note, size, i < nr && left == 4 ? ", and perhaps more." : ".");
}

static struct kview_set *set__new(struct kview_view *view, const Kview__Wire__ChangeViewRequest__Sites *sites, struct kview_set_opts *opts)
{
	const char *const *names = (const char *const *)sites->names;

	switch (sites->kind) {
	case KVIEW__WIRE__SITE_KIND__SITE_ENTRY:
		return kview_view__add_functions(view, names, sites->n_names, opts);
	case KVIEW__WIRE__SITE_KIND__SITE_RETURN:
		return kview_view__add_returns(view, names, sites->n_names, opts);
	case KVIEW__WIRE__SITE_KIND__SITE_TRACEPOINT:
		return kview_view__add_tracepoints(view, names, sites->n_names, opts);
	case KVIEW__WIRE__SITE_KIND__SITE_EVENT:
		return kview_view__add_events(view, names, sites->n_names, opts);
	default:
		errno = EINVAL;
		return NULL;
	}
}

static int add_sites(struct own_view *own, const Kview__Wire__ChangeViewRequest__Sites *sites, Kview__Wire__ChangeViewReply *reply,
		     struct error *error)
{
	static char note[700];
	struct kview_site_result *results = calloc(sites->n_names + 1, sizeof(*results));
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE | (own->off ? KVIEW_SET_OFF : 0), .results = results };
	struct kview_set *set = NULL;
	struct kview_item item;
	int result = -1, failed;

	if (!results)
		return error__set(error, ERR_FAILED, "Out of memory.");
	if (!sites->n_names || own->nr_sets == PARTS_MOST || own->nr_parts == 2 * PARTS_MOST) {
		error__set(error, sites->n_names ? ERR_TOO_MANY : ERR_BAD_REQUEST, sites->n_names ?
			   "The view has as many sets as one can have here: close one first." : "No site is named.");
		goto out;
	}
	set = set__new(own->view, sites, &opts);
	failed = errno;
	tell_left_out(note, sizeof(note), sites->names, results, sites->n_names);
	if (!set && failed == EADDRNOTAVAIL && *note)
		error__set(error, ERR_NOT_PROBEABLE, "Nothing of that can be hooked: %s", note);
	else if (!set || kview_set__item(set, &item))
		error__set(error, ERR_FAILED, "The kview module did not add the sites: %s.", strerror(failed));
	else
		result = 0;
	if (result) {
		kview_set__free(set);
		goto out;
	}
	own_view__keep(own, item.id, set, NULL);
	reply->id = item.id;
	reply->note = note;
out:
	free(results);
	return result;
}

static int switch_sets(struct own_view *own, bool on, Kview__Wire__ChangeViewReply *reply, struct error *error)
{
	struct kview_set *sets[PARTS_MOST];
	size_t nr = 0, i;
	int failed;

	for (i = 0; i < own->nr_parts; i++)
		if (own->parts[i].set)
			sets[nr++] = own->parts[i].set;
	failed = nr ? kview_view__switch(own->view, sets, nr, on) : 0;
	if (failed)
		return error__set(error, ERR_FAILED, "The kview module did not switch the view's sets: %s.", strerror(-failed));
	reply->switched_ns = clock__now_ns();
	own->off = !on;
	return 0;
}

static int not_own(struct kview *module, uint64_t id, struct error *error)
{
	struct kview_item *items = NULL;
	size_t nr = 0, i;

	if (kview__list(module, &items, &nr))
		nr = 0;
	for (i = 0; i < nr && (items[i].id != id || items[i].type != KVIEW_ITEM_VIEW); i++)
		;
	if (i < nr)
		error__set(error, ERR_NO_PERMISSION,
			   "View %" PRIu64 " is not this connection's, but of %.16s (process %u), and consists of that one's descriptors: only who made a view changes it.",
			   id, items[i].owner_comm, items[i].owner_pid);
	else
		error__set(error, ERR_FAILED, "There is no view %" PRIu64 " any more.", id);
	free(items);
	return -1;
}

static int change(struct kview *module, const Kview__Wire__ChangeViewRequest *request, Kview__Wire__ChangeViewReply *reply,
		  struct error *error)
{
	struct own_view *own = own_view__find(request->view_id);

	if (request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_MAKE)
		return make(module, request->make, reply, error);
	if (!own)
		return not_own(module, request->view_id, error);
	switch (request->change_case) {
	case KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ADD_SITES:
		return add_sites(own, request->add_sites, reply, error);
	case KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_COUNT:
		return switch_sets(own, request->count, reply, error);
	case KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_CLOSE:
		return own_view__close_part(own, request->close, error);
	default:
		return error__set(error, ERR_BAD_REQUEST, "It is not said what is to be changed.");
	}
}

int own_views__change(const Kview__Wire__ChangeViewRequest *request, Kview__Wire__ChangeViewReply *reply, struct error *error)
{
	char why[200];
	struct kview *module = kview_module__look(why, sizeof(why));
	int result;

	if (!module)
		return error__set(error, ERR_UNSUPPORTED, "%s", why);
	kview__wire__change_view_reply__init(reply);
	result = change(module, request, reply, error);
	kview__free(module);
	return result;
}

bool own_views__lets_in(const Kview__Wire__ChangeViewRequest *request)
{
	return request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_PROCESS ||
	       request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_CGROUP ||
	       request->change_case == KVIEW__WIRE__CHANGE_VIEW_REQUEST__CHANGE_ATTACH_QUEUE;
}

static bool own_view__is_full(const struct own_view *own)
{
	return own->nr_parts - own->nr_sets == PARTS_MOST || own->nr_parts == 2 * PARTS_MOST;
}

static int too_many_attachments(struct error *error)
{
	return error__set(error, ERR_TOO_MANY, "The view has as many attachments as one can have here: close one first.");
}

static struct view_joining *join(struct kview *module, const Kview__Wire__ChangeViewRequest *request, struct error *error)
{
	struct own_view *own = own_view__find(request->view_id);
	size_t i = 0;

	if (!own) {
		not_own(module, request->view_id, error);
		return NULL;
	}
	while (i < JOININGS_MOST && joinings[i].is_used)
		i++;
	if (own_view__is_full(own))
		too_many_attachments(error);
	else if (i == JOININGS_MOST)
		error__set(error, ERR_TOO_MANY, "%d others are on the way into views already: wait until one of them is in.", JOININGS_MOST);
	else if (!view_attach__begin(&joinings[i].attach, own->view, request, error)) {
		joinings[i].is_used = true;
		joinings[i].own = own;
		return &joinings[i];
	}
	return NULL;
}

struct view_joining *own_views__join(const Kview__Wire__ChangeViewRequest *request, struct error *error)
{
	char why[200];
	struct kview *module = kview_module__look(why, sizeof(why));
	struct view_joining *joining = module ? join(module, request, error) : NULL;

	if (!module)
		error__set(error, ERR_UNSUPPORTED, "%s", why);
	kview__free(module);
	return joining;
}

int view_joining__fd(const struct view_joining *joining)
{
	return joining->attach.attaching.socket;
}

int view_joining__end(struct view_joining *joining, Kview__Wire__ChangeViewReply *reply, struct error *error)
{
	struct kview_attachment *attachment = view_attach__end(&joining->attach, error);
	struct own_view *own = joining->own;
	struct kview_item item;

	joining->is_used = false;
	if (!own) {
		kview_attachment__free(attachment);
		return error__set(error, ERR_FAILED, "The view was closed before the %.200s was in it.", joining->attach.label);
	}
	if (!attachment)
		return -1;
	kview__wire__change_view_reply__init(reply);
	if (!own_view__is_full(own) && !kview_attachment__item(attachment, &item)) {
		own_view__keep(own, item.id, NULL, attachment);
		reply->id = item.id;
		return 0;
	}
	kview_attachment__free(attachment);
	return own_view__is_full(own) ? too_many_attachments(error) :
		error__set(error, ERR_FAILED, "The kview module did not tell what it attached.");
}

void own_views__close_all(void)
{
	size_t i;

	for (i = 0; i < VIEWS_MOST; i++)
		if (own_views[i].view)
			own_view__close(&own_views[i]);
}
