// SPDX-License-Identifier: GPL-2.0
#include "client/joinings.h"

#include <stdlib.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "client/replies.h"
#include "lookup/names.h"
#include "mechanism/own_views.h"
#include "mechanism/view_trial.h"
#include "permission/permission.h"

struct waiting {
	struct joinings *all;
	struct waiting *next;
	struct view_joining *joining;
	struct loop_source answer, timer;
	uint32_t request_id;
};

struct joinings {
	struct loop *loop;
	struct wire *wire;
	struct waiting *first;
};

struct joinings *joinings__new(struct loop *loop, struct wire *wire)
{
	struct joinings *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->loop = loop;
	j->wire = wire;
	return j;
}

/* body: of what was done; NULL: error. */
static void answer(const struct joinings *j, uint32_t request_id, Kview__Wire__ChangeViewReply *body, struct error *error)
{
	char *note;

	if (!body) {
		reply__error(j->wire, request_id, error);
		return error__free(error);
	}
	/* As of an error's message. */
	note = name__printable(body->note);
	body->note = note ? note : "";
	wire__send(j->wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_CHANGE_VIEW, body);
	free(note);
}

static void waiting__free(struct waiting *w)
{
	struct waiting **link = &w->all->first;

	while (*link && *link != w)
		link = &(*link)->next;
	if (*link)
		*link = w->next;
	/* Removed but not closed: it is the joining's. */
	loop__remove(w->all->loop, &w->answer);
	loop__close(w->all->loop, &w->timer);
	free(w);
}

/* It is known, or was waited for for long enough. */
static void waiting__end(void *context, uint32_t events)
{
	struct waiting *w = context;
	const struct joinings *j = w->all;
	uint32_t request_id = w->request_id;
	struct view_joining *joining = w->joining;
	Kview__Wire__ChangeViewReply body;
	struct error error = { 0 };

	waiting__free(w);
	answer(j, request_id, view_joining__end(joining, &body, &error) ? NULL : &body, &error);
}

static void join(struct joinings *j, uint32_t request_id, const Kview__Wire__ChangeViewRequest *request)
{
	struct waiting *w = calloc(1, sizeof(*w));
	struct error error = { 0 };

	if (!w) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		return answer(j, request_id, NULL, &error);
	}
	*w = (struct waiting){ .all = j, .next = j->first, .request_id = request_id, .answer.fd = -1, .timer.fd = -1 };
	j->first = w;
	w->joining = own_views__join(request, &error);
	if (!w->joining) {
		waiting__free(w);
		return answer(j, request_id, NULL, &error);
	}
	w->answer = (struct loop_source){ view_joining__fd(w->joining), waiting__end, w, 0 };
	if (!loop__watch(j->loop, &w->answer, EPOLLIN) &&
	    !loop__tick(j->loop, &w->timer, VIEW_PATIENCE_NS, VIEW_PATIENCE_NS, waiting__end, w))
		return;
	/* The agent has no descriptor left: it is broken off at once. */
	waiting__end(w, 0);
}

void joinings__serve(struct joinings *j, uint32_t request_id, const Kview__Wire__ChangeViewRequest *request)
{
	Kview__Wire__ChangeViewReply body;
	struct error error = { 0 };

	if (!permission__views(&error)) {
		if (own_views__lets_in(request))
			return join(j, request_id, request);
		if (!own_views__change(request, &body, &error))
			return answer(j, request_id, &body, &error);
	}
	answer(j, request_id, NULL, &error);
}

void joinings__free(struct joinings *j)
{
	Kview__Wire__ChangeViewReply body;
	struct error error = { 0 };

	if (!j)
		return;
	own_views__close_all();
	while (j->first) {
		struct view_joining *joining = j->first->joining;

		waiting__free(j->first);
		view_joining__end(joining, &body, &error);
		error__free(&error);
	}
	free(j);
}
