// SPDX-License-Identifier: GPL-2.0
#include "client/starting.h"

#include <stdlib.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "client/replies.h"
#include "client/trying.h"
#include "mechanism/view_trial.h"
#include "recording/cost_to_others.h"
#include "recording/recording.h"

struct starting {
	struct loop *loop;
	struct wire *wire;
	starting__start *start;
	void *context;
	struct trying trying;
	struct error no_view;
	struct cost_to_others *others;
	struct loop_source rounds, timer;
	Kview__Wire__StartRecordingRequest *request;	/* a copy: the wire's own is gone by then */
	uint32_t request_id;
};

struct starting *starting__new(struct loop *loop, struct wire *wire, starting__start *start, void *context)
{
	struct starting *s = calloc(1, sizeof(*s));

	if (s)
		*s = (struct starting){ .loop = loop, .wire = wire, .start = start, .context = context, .rounds.fd = -1, .timer.fd = -1 };
	return s;
}

static void let_go(struct starting *s)
{
	trying__break_off(&s->trying);
	/* Removed but not closed: it is the bystander's. */
	loop__remove(s->loop, &s->rounds);
	loop__close(s->loop, &s->timer);
	cost_to_others__free(s->others);
	s->others = NULL;
	if (s->request)
		kview__wire__start_recording_request__free_unpacked(s->request, NULL);
	s->request = NULL;
}

void starting__free(struct starting *s)
{
	if (s)
		let_go(s);
	free(s);
}

static void starting__go(struct starting *s)
{
	struct recording_prepared prepared = { .no_view = &s->no_view, .others = s->others };

	s->start(s->context, s->request_id, s->request, &prepared);
	s->others = prepared.others;
	let_go(s);
}

/* They are done, or were waited for for long enough. */
static void starting__measured(void *context, uint32_t events)
{
	struct starting *s = context;

	loop__remove(s->loop, &s->rounds);
	loop__close(s->loop, &s->timer);
	cost_to_others__end_before(s->others);
	starting__go(s);
}

static void starting__known(void *context, const struct error *no_view)
{
	struct starting *s = context;

	s->no_view = no_view ? *no_view : (struct error){ 0 };
	s->others = cost_to_others__begin(s->request);
	s->rounds = (struct loop_source){ cost_to_others__fd(s->others), starting__measured, s, 0 };
	if (s->rounds.fd < 0)
		return starting__go(s);
	if (loop__watch(s->loop, &s->rounds, EPOLLIN) ||
	    loop__tick(s->loop, &s->timer, COST_TO_OTHERS_BEFORE_NS, COST_TO_OTHERS_BEFORE_NS, starting__measured, s))
		starting__measured(s, 0);
}

void starting__begin(struct starting *s, uint32_t request_id, const Kview__Wire__StartRecordingRequest *request)
{
	struct error error = { 0 };

	s->request = (Kview__Wire__StartRecordingRequest *)wire__copy(&request->base);
	s->request_id = request_id;
	if (!s->request) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		return reply__error(s->wire, request_id, &error);
	}
	if (view_trial__is_wanted(request))
		trying__begin(&s->trying, s->loop, request->pid, starting__known, s);
	else
		starting__known(s, NULL);
}

bool starting__is_on(const struct starting *s)
{
	return s->request;
}

bool starting__stop(struct starting *s)
{
	struct error error = { 0 };

	if (!s->request)
		return false;
	error__set(&error, ERR_FAILED, "The recording was stopped before it began.");
	reply__error(s->wire, s->request_id, &error);
	let_go(s);
	return true;
}
