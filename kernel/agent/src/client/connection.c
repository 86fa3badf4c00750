// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "client/clean.h"
#include "client/connection.h"
#include "client/inquiries.h"
#include "client/link.h"
#include "client/members.h"
#include "client/postponed.h"
#include "client/rendezvous.h"
#include "client/replies.h"
#include "client/starting.h"
#include "client/watched.h"
#include "client/wire.h"
#include "permission/permission.h"
#include "recording/budget.h"
#include "recording/recording.h"
#include "recording/request.h"

/* An event waits at most two of these periods before its packet is sent. */
#define DRAIN_NS	100000000ULL
/* The first figures come early: a user who has just begun to record waits for them. */
#define FIRST_DELTA_NS	100000000ULL
#define FLUSH_TICKS	3
#define FINAL_FLUSH_NS	2000000000ULL

struct connection {
	struct loop *loop;
	struct wire *wire;
	struct link *link;
	struct watched *watched;
	struct inquiries *inquiries;
	struct starting *starting;
	struct postponed *postponed;
	struct calibration *calibration;	/* the probes' cost, as far as known */

	struct recording *recording;
	struct traced *recorded;		/* NULL: a cgroup is */
	struct members members;
	struct loop_source delta_timer, drain_timer, cost_timer, events, children;
	unsigned int drain_ticks;
	uint32_t last_request_id;
	bool greeted, over;
	bool revoked;			/* the client may not be told more about the process */
	Kview__Wire__Losses told_losses;	/* the last ones sent for this recording */
	int exit_code;
};

static void connection__send(void *context, uint32_t request_id, Kview__Wire__FromAgent__BodyCase body_case, void *body)
{
	struct connection *c = context;
	bool figures = body_case == KVIEW__WIRE__FROM_AGENT__BODY_HISTOGRAM_DELTA;

	/* Asked after the data was read, so that no data of a later program can be sent. */
	if ((figures || body_case == KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET) && !permission__may_tell()) {
		c->revoked = true;
		if (!figures)
			return;
		reply__withhold(body, &c->told_losses);
	} else if (figures) {
		c->told_losses = *((Kview__Wire__HistogramDelta *)body)->losses;
	}
	wire__send(c->wire, request_id, body_case, body);
}

static bool connection__must_events_wait(void *context)
{
	struct connection *c = context;

	return wire__must_wait(c->wire, WIRE_EVENTS);
}

static bool connection__must_figures_wait(void *context)
{
	struct connection *c = context;

	return wire__must_wait(c->wire, WIRE_FIGURES);
}

static void connection__end_recording(struct connection *c, Kview__Wire__RecordingEnded__Reason reason, const char *message)
{
	if (!c->recording)
		return;
	loop__close(c->loop, &c->delta_timer);
	loop__close(c->loop, &c->drain_timer);
	loop__close(c->loop, &c->cost_timer);
	/* Removed but not closed: the descriptor belongs to the ring buffer. */
	loop__remove(c->loop, &c->events);
	loop__remove(c->loop, &c->children);
	members__ignore(&c->members);
	if (!permission__may_tell())
		recording__stop(c->recording, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED,
				"The process has executed a program that gives it rights, or that its user may not trace: it may not be measured any more.");
	else
		recording__stop(c->recording, reason, message);
	permission__release();
	link__let_go(c->link);
	c->recording = NULL;
	c->recorded = NULL;
}

static void connection__delta_due(void *context, uint32_t events)
{
	struct connection *c = context;

	timer__expired(c->delta_timer.fd);
	recording__take_delta(c->recording);
	if (c->revoked)
		connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, NULL);
}

static void connection__cost_due(void *context, uint32_t events)
{
	struct connection *c = context;
	const char *over, *lost = permission__looks() ? recording__watch_probes(c->recording) : PERMISSION_BLIND;

	timer__expired(c->cost_timer.fd);
	over = lost ? NULL : recording__watch_cost(c->recording);
	if (lost || over)
		connection__end_recording(c, lost ? KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED :
					  KVIEW__WIRE__RECORDING_ENDED__REASON__OVER_BUDGET, lost ? lost : over);
}

static void connection__watch_events(struct connection *c)
{
	if (c->recording && c->events.fd >= 0)
		loop__watch(c->loop, &c->events, connection__must_events_wait(c) ? 0 : EPOLLIN);
}

static void connection__drain_due(void *context, uint32_t events)
{
	struct connection *c = context;

	timer__expired(c->drain_timer.fd);
	recording__drain(c->recording, ++c->drain_ticks % FLUSH_TICKS == 0);
	connection__watch_events(c);
}

static void connection__events_ready(void *context, uint32_t events)
{
	struct connection *c = context;

	recording__drain(c->recording, false);
	connection__watch_events(c);
}

static void connection__drained(void *context)
{
	struct connection *c = context;

	if (loop__is_breathing())
		return postponed__wake(c->postponed);
	/* Nobody is left who could end these. */
	if (c->over) {
		starting__stop(c->starting);
		inquiries__break_off(c->inquiries);
		return connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED, NULL);
	}
	watched__control_output(c->watched);
	if (c->recording)
		connection__events_ready(c, 0);
}

/* How the recorded process ended: the kernel tells only its parent, but the eBPF program saw it. */
static void connection__exiting(void *context, struct traced *traced, bool *known, int *wait_status)
{
	struct connection *c = context;

	if (c->recorded != traced)
		return;
	if (!*known && recording__exit_code(c->recording) >= 0 && permission__may_tell()) {
		*known = true;
		*wait_status = recording__exit_code(c->recording);
	}
	connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED, NULL);
}

static void connection__members_gone(void *context)
{
	connection__end_recording(context, KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED, NULL);
}

static void connection__process_changed(void *context, uint32_t events)
{
	struct connection *c = context;
	bool may_tell = permission__may_tell();
	const char *over = may_tell ? recording__follow_processes(c->recording) : NULL;

	if (!may_tell || over)
		connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, over);
}

static int connection__start_timers(struct connection *c)
{
	uint64_t interval_ns = recording__interval_ms(c->recording) * 1000000ULL;

	if (loop__tick(c->loop, &c->delta_timer, interval_ns < FIRST_DELTA_NS ? interval_ns : FIRST_DELTA_NS,
		       interval_ns, connection__delta_due, c) ||
	    loop__tick(c->loop, &c->cost_timer, BUDGET_INTERVAL_NS, BUDGET_INTERVAL_NS, connection__cost_due, c))
		return -1;
	c->children = (struct loop_source){ recording__changes_fd(c->recording), connection__process_changed, c, 0 };
	if (c->children.fd >= 0 && loop__watch(c->loop, &c->children, EPOLLIN))
		return -1;
	c->events.fd = recording__events_fd(c->recording);
	if (c->events.fd < 0)
		return 0;
	c->events = (struct loop_source){ c->events.fd, connection__events_ready, c, 0 };
	return loop__tick(c->loop, &c->drain_timer, DRAIN_NS, DRAIN_NS, connection__drain_due, c) ||
	       loop__watch(c->loop, &c->events, EPOLLIN) ? -1 : 0;
}

static void connection__start(void *context, uint32_t id, const Kview__Wire__StartRecordingRequest *request,
			      struct recording_prepared *prepared)
{
	struct connection *c = context;
	const struct recording_sink sink = { connection__send, connection__must_events_wait, connection__must_figures_wait, c };
	struct error error = { 0 };
	ProtobufCBinaryData token = { 0, NULL };
	const struct scope_members *members;

	if (request->grace_ms) {
		token.data = (uint8_t *)link__keep(c->link, request->grace_ms, &error);
		if (!token.data)
			return reply__refuse(c->wire, id, &error);
		token.len = RENDEZVOUS_TOKEN_BYTES;
	}
	c->revoked = false;
	kview__wire__losses__init(&c->told_losses);
	if (!permission__hold(request->pid, &error) &&
	    !permission__risk(request->force_return_probes || !request->budget_ppm || request->budget_ppm > MAX_BUDGET_OF_OTHERS_PPM,
			      &error))
		c->recording = recording__start(request, id, token, &sink, prepared, c->calibration, &error);
	if (!c->recording) {
		permission__release();
		link__let_go(c->link);
		return reply__refuse(c->wire, id, &error);
	}
	permission__attached();
	members = recording__members(c->recording);
	c->recorded = members ? NULL : watched__get(c->watched, request->pid, &error);
	if (members ? members__watch(&c->members, c->loop, members, connection__members_gone, c) : !c->recorded)
		connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED, NULL);
	else if (connection__start_timers(c))
		connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, NULL);
	else
		connection__process_changed(c, 0);
	error__free(&error);
}

static void connection__begin(struct connection *c, uint32_t id, const Kview__Wire__StartRecordingRequest *request)
{
	struct error error = { 0 };

	if (c->recording || starting__is_on(c->starting) || inquiries__are_on(c->inquiries))
		error__set(&error, ERR_BUSY, "This connection records already: stop that first, or open another one.");
	else if (!request__check(request, &error))
		return starting__begin(c->starting, id, request);
	reply__refuse(c->wire, id, &error);
}

static void connection__stop(struct connection *c, uint32_t id)
{
	Kview__Wire__StopRecordingReply reply = KVIEW__WIRE__STOP_RECORDING_REPLY__INIT;
	struct error error = { 0 };

	if (starting__stop(c->starting))
		return wire__send(c->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_STOP_RECORDING, &reply);
	/* The process may have ended before this request without the loop having handled that. */
	if (c->recorded)
		traced__look(c->recorded);
	if (!c->recording) {
		/* If it has just ended by itself, the client hears of that before this error. */
		error__set(&error, ERR_BAD_REQUEST, "Nothing is being recorded: the process has ended, or no recording was started.");
		return reply__refuse_behind(c->wire, id, &error);
	}
	connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED, NULL);
	wire__send(c->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_STOP_RECORDING, &reply);
}

static void connection__serve(void *context, const Kview__Wire__ToAgent *request)
{
	struct connection *c = context;
	uint32_t id = request->request_id;

	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_HELLO:
		link__offer(c->link, request->hello);
		c->greeted |= reply__hello(c->wire, id, request->hello);
		return;
	case KVIEW__WIRE__TO_AGENT__BODY_START_RECORDING:
		return connection__begin(c, id, request->start_recording);
	case KVIEW__WIRE__TO_AGENT__BODY_STOP_RECORDING:
		return connection__stop(c, id);
	case KVIEW__WIRE__TO_AGENT__BODY_CLEAN:
		return clean__serve(c->wire, id, request->clean, c->recording);
	default:
		if (!watched__serve(c->watched, request) && !inquiries__serve(c->inquiries, request, c->recording || starting__is_on(c->starting)))
			reply__stateless(c->wire, request, c->calibration);
	}
}

static void connection__request(void *context, const Kview__Wire__ToAgent *request)
{
	struct connection *c = context;
	uint32_t id = request->request_id;
	struct error error = { 0 };

	if (link__take(c->link, request))
		return;
	if (!id || (!c->greeted && request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO)) {
		error__set(&error, ERR_BAD_REQUEST, id ? "The first request must be hello." :
			   "A request must have a request_id above 0.");
		return reply__refuse(c->wire, id, &error);
	}
	/* The client repeats it after a rejoin; the answer that was lost is sent again anyway. */
	if (link__is_offered(c->link) && id <= c->last_request_id)
		return;
	c->last_request_id = id;
	if (request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO && permission__any(&error))
		return reply__refuse(c->wire, id, &error);
	if (!postponed__takes(c->postponed, request))
		connection__serve(c, request);
}

static void connection__wire_ended(void *context, const char *reason)
{
	link__lost(((struct connection *)context)->link, reason);
}

static void connection__over(void *context, int exit_code)
{
	struct connection *c = context;

	c->exit_code = exit_code;
	c->over = true;
	if (exit_code || !postponed__finishes(c->postponed))
		loop__stop(c->loop);
	else
		connection__drained(c);
}

static int connection__open(struct connection *c, int in_fd, int out_fd)
{
	struct wire_opts wire_opts = {
		.in_fd = in_fd, .out_fd = out_fd, .request = connection__request,
		.ended = connection__wire_ended, .drained = connection__drained, .context = c,
	};
	struct link_opts link_opts = { .over = connection__over, .context = c };
	struct watched_opts watched_opts = { .exiting = connection__exiting, .context = c };
	struct postponed_opts postponed_opts = { .serve = connection__serve, .woken = connection__drained, .context = c };

	c->loop = postponed_opts.loop = wire_opts.loop = link_opts.loop = watched_opts.loop = loop__new();
	if (!c->loop)
		return -1;
	c->link = link__new(&link_opts);
	c->wire = watched_opts.wire = postponed_opts.wire = wire__new(&wire_opts);
	c->watched = watched__new(&watched_opts);
	c->postponed = postponed__new(&postponed_opts);
	c->inquiries = inquiries__new(c->loop, c->wire, c->calibration, c->postponed);
	c->starting = starting__new(c->loop, c->wire, connection__start, c);
	if (!c->link || !c->wire || !c->watched || !c->inquiries || !c->starting || !c->postponed)
		return -1;
	link__use(c->link, c->wire);
	return 0;
}

int connection__run(int in_fd, int out_fd)
{
	struct connection *c = calloc(1, sizeof(*c));
	int exit_code = 1;

	if (!c)
		return 1;
	c->delta_timer.fd = c->drain_timer.fd = c->cost_timer.fd = c->events.fd = -1;
	c->calibration = calibration__new();
	if (!c->calibration || connection__open(c, in_fd, out_fd))
		goto out;
	loop__run(c->loop);
	c->exit_code = postponed__was_late(c->postponed) ? 1 : c->exit_code;
	connection__end_recording(c, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED, NULL);
	wire__flush(c->wire, FINAL_FLUSH_NS);
	exit_code = c->exit_code;
out:
	starting__free(c->starting);
	inquiries__free(c->inquiries);
	postponed__free(c->postponed);
	watched__free(c->watched);
	link__free(c->link, exit_code);
	wire__free(c->wire);
	loop__free(c->loop);
	free(c->calibration);
	free(c);
	return exit_code;
}
