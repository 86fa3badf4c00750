// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/error.h"
#include "client/flowing.h"
#include "client/replies.h"
#include "client/trying.h"
#include "flow/flow.h"
#include "permission/permission.h"

struct flowing {
	struct loop *loop;
	struct wire *wire;
	struct trying trying;
	Kview__Wire__FlowRequest *request;	/* that is to be started; NULL: there is none */
	struct call_flow *flow;		/* NULL: there is none */
	uint32_t request_id;		/* that is answered at its end */
	struct loop_source timer;
};

struct flowing *flowing__new(struct loop *loop, struct wire *wire)
{
	struct flowing *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->loop = loop;
	f->wire = wire;
	f->timer.fd = -1;
	return f;
}

void flowing__break_off(struct flowing *f)
{
	trying__break_off(&f->trying);
	if (f->request)
		kview__wire__flow_request__free_unpacked(f->request, NULL);
	f->request = NULL;
	if (!f->flow)
		return;
	loop__close(f->loop, &f->timer);
	call_flow__free(f->flow);
	f->flow = NULL;
	permission__release();
}

void flowing__free(struct flowing *f)
{
	if (f)
		flowing__break_off(f);
	free(f);
}

bool flowing__is_on(const struct flowing *f)
{
	return f->flow || f->request;
}

/* Ends it, and answers.  note: why it ends early, or NULL. */
static void finish(struct flowing *f, const char *note)
{
	Kview__Wire__FlowReply *reply;
	struct error error = { 0 };

	call_flow__end(f->flow, note);
	if (!permission__may_tell()) {
		error__set(&error, ERR_NO_PERMISSION,
			   "The process has executed a program that gives it rights, or that its user may not trace: nothing may be told of it any more.");
	} else {
		reply = call_flow__reply(f->flow);
		if (reply)
			wire__send_behind(f->wire, f->request_id, KVIEW__WIRE__FROM_AGENT__BODY_FLOW, reply);
		else
			error__set(&error, ERR_FAILED, "The agent has no memory for the calls that were kept: keep fewer.");
	}
	if (error.code)
		reply__refuse_behind(f->wire, f->request_id, &error);
	flowing__break_off(f);
}

static void flowing__due(void *context, uint32_t events)
{
	struct flowing *f = context;

	timer__expired(f->timer.fd);
	call_flow__look(f->flow);
	if (!permission__looks())
		finish(f, PERMISSION_BLIND);
	else if (call_flow__is_over(f->flow))
		finish(f, NULL);
}

struct flow_wanted {
	struct call_flow *flow;
	const Kview__Wire__FlowRequest *request;
	struct error *error;
};

static int flow__begin(void *context)
{
	struct flow_wanted *wanted = context;

	wanted->flow = call_flow__start(wanted->request, wanted->error);
	return 0;
}

static void start(struct flowing *f)
{
	struct error error = { 0 };
	struct flow_wanted wanted = { NULL, f->request, &error };

	if (!permission__hold(f->request->pid, &error))
		loop__do_aside(flow__begin, &wanted);
	f->flow = wanted.flow;
	if (!f->flow) {
		permission__release();
		return reply__refuse_behind(f->wire, f->request_id, &error);
	}
	permission__attached();
	if (loop__tick(f->loop, &f->timer, FLOW_LOOK_NS, FLOW_LOOK_NS, flowing__due, f)) {
		error__set(&error, ERR_FAILED, "The agent can't wait for the calls: too many files are open.");
		reply__refuse_behind(f->wire, f->request_id, &error);
		flowing__break_off(f);
	}
	error__free(&error);
}

static void flowing__known(void *context, const struct error *no_view)
{
	struct flowing *f = context;
	struct error error = { 0 };

	if (no_view && no_view->code) {
		error = *no_view;
		reply__refuse_behind(f->wire, f->request_id, &error);
	} else {
		start(f);
	}
	if (f->request)
		kview__wire__flow_request__free_unpacked(f->request, NULL);
	f->request = NULL;
}

void flowing__start(struct flowing *f, uint32_t request_id, const Kview__Wire__FlowRequest *request,
		      bool is_busy)
{
	struct error error = { 0 };

	if (flowing__is_on(f) || is_busy) {
		error__set(&error, ERR_BUSY, "This connection records, surveys or follows calls already: wait for its end, or open another one.");
		return reply__refuse_behind(f->wire, request_id, &error);
	}
	f->request = (Kview__Wire__FlowRequest *)wire__copy(&request->base);
	f->request_id = request_id;
	if (f->request)
		return trying__begin(&f->trying, f->loop, request->pid, flowing__known, f);
	error__set(&error, ERR_FAILED, "Out of memory.");
	reply__refuse_behind(f->wire, request_id, &error);
}

void flowing__end(struct flowing *f, uint32_t request_id)
{
	Kview__Wire__EndFlowReply reply = KVIEW__WIRE__END_FLOW_REPLY__INIT;
	struct error error = { 0 };

	if (f->request) {
		error__set(&error, ERR_FAILED, "The calls were not followed, as that was ended before it began.");
		reply__refuse_behind(f->wire, f->request_id, &error);
		flowing__break_off(f);
		return wire__send_behind(f->wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_END_FLOW, &reply);
	}
	if (!f->flow) {
		error__set(&error, ERR_BAD_REQUEST, "No calls are being followed: that has ended, or was not started.");
		return reply__refuse_behind(f->wire, request_id, &error);
	}
	finish(f, "It was ended before its time was over.");
	wire__send_behind(f->wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_END_FLOW, &reply);
}
