// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/error.h"
#include "client/replies.h"
#include "client/surveying.h"
#include "permission/permission.h"
#include "survey/survey.h"

struct surveying {
	struct loop *loop;
	struct wire *wire;
	struct survey *survey;		/* NULL: there is none */
	uint32_t request_id;		/* that is answered at its end */
	struct loop_source timer;
};

struct surveying *surveying__new(struct loop *loop, struct wire *wire)
{
	struct surveying *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->loop = loop;
	s->wire = wire;
	s->timer.fd = -1;
	return s;
}

void surveying__break_off(struct surveying *s)
{
	if (!s->survey)
		return;
	loop__close(s->loop, &s->timer);
	survey__free(s->survey);
	s->survey = NULL;
	permission__release();
}

void surveying__free(struct surveying *s)
{
	if (s)
		surveying__break_off(s);
	free(s);
}

bool surveying__is_on(const struct surveying *s)
{
	return s->survey;
}

/* Ends it, and answers.  note: why it ends early, or NULL. */
static void finish(struct surveying *s, const char *note)
{
	Kview__Wire__SurveyReply *reply;
	struct error error = { 0 };

	survey__end(s->survey, note);
	if (!permission__may_tell()) {
		error__set(&error, ERR_NO_PERMISSION,
			   "The process has executed a program that gives it rights, or that its user may not trace: nothing may be told of it any more.");
	} else {
		reply = survey__reply(s->survey);
		if (reply)
			wire__send_behind(s->wire, s->request_id, KVIEW__WIRE__FROM_AGENT__BODY_SURVEY, reply);
		else
			error__set(&error, ERR_FAILED, "The agent has no memory for what the survey found: survey for a shorter time.");
	}
	if (error.code)
		reply__refuse_behind(s->wire, s->request_id, &error);
	surveying__break_off(s);
}

static void surveying__due(void *context, uint32_t events)
{
	struct surveying *s = context;

	timer__expired(s->timer.fd);
	survey__drain(s->survey);
	if (!permission__looks())
		finish(s, PERMISSION_BLIND);
	else if (survey__is_over(s->survey))
		finish(s, NULL);
}

struct survey_wanted {
	struct survey *survey;
	const Kview__Wire__SurveyRequest *request;
	struct error *error;
};

static int survey__begin(void *context)
{
	struct survey_wanted *wanted = context;

	wanted->survey = survey__start(wanted->request, wanted->error);
	return 0;
}

void surveying__start(struct surveying *s, uint32_t request_id, const Kview__Wire__SurveyRequest *request,
		      bool is_busy)
{
	struct error error = { 0 };
	struct survey_wanted wanted = { NULL, request, &error };

	if (s->survey || is_busy) {
		error__set(&error, ERR_BUSY, "This connection records, surveys or follows calls already: wait for its end, or open another one.");
		return reply__refuse_behind(s->wire, request_id, &error);
	}
	if (!permission__hold(request->pid, &error))
		loop__do_aside(survey__begin, &wanted);
	s->survey = wanted.survey;
	if (!s->survey) {
		permission__release();
		return reply__refuse_behind(s->wire, request_id, &error);
	}
	permission__attached();
	s->request_id = request_id;
	if (loop__tick(s->loop, &s->timer, SURVEY_DRAIN_NS, SURVEY_DRAIN_NS, surveying__due, s)) {
		error__set(&error, ERR_FAILED, "The agent can't wait for the survey: too many files are open.");
		reply__refuse_behind(s->wire, request_id, &error);
		surveying__break_off(s);
	}
	error__free(&error);
}

void surveying__end(struct surveying *s, uint32_t request_id)
{
	Kview__Wire__EndSurveyReply reply = KVIEW__WIRE__END_SURVEY_REPLY__INIT;
	struct error error = { 0 };

	if (!s->survey) {
		error__set(&error, ERR_BAD_REQUEST, "No survey is under way: it has ended, or none was started.");
		return reply__refuse_behind(s->wire, request_id, &error);
	}
	finish(s, "It was ended before its time was over.");
	wire__send_behind(s->wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_END_SURVEY, &reply);
}
