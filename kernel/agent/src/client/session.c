// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "client/client_link.h"
#include "client/replies.h"
#include "client/session.h"
#include "client/wire.h"
#include "permission/permission.h"
#include "processes/watched.h"
#include "recording/budget.h"
#include "recording/recording.h"

/* Events wait no longer than two of these for their packet. */
#define DRAIN_NS	100000000ULL
/* Whoever has just begun to record waits for figures. */
#define FIRST_DELTA_NS	100000000ULL
#define FLUSH_TICKS	3
#define FINAL_FLUSH_NS	2000000000ULL

struct session {
	struct loop *loop;
	struct wire *wire;
	struct link *link;
	struct watched *watched;
	struct calibration calibration;	/* what probes cost, as far as known */

	struct recording *recording;
	struct target *recorded;
	struct loop_source delta_timer, drain_timer, cost_timer, events, children;
	unsigned int drain_ticks;

	struct loop_source signals;
	uint32_t last_request_id;
	bool greeted;
	bool revoked;			/* what is recorded may not be told any more */
	Kview__Wire__Losses told_losses;	/* last, of this recording */
	int exit_code;
};

/* Figures of which nothing is new since what was told before. */
static void session__withhold(struct session *s, Kview__Wire__HistogramDelta *figures)
{
	figures->n_functions = 0;
	figures->losses = &s->told_losses;
	figures->probes_cost_ns = figures->process_cpu_ns = 0;
	figures->children = figures->children_cpu_ns = 0;
}

static void session__send(void *context, uint32_t request_id,
			  Kview__Wire__FromAgent__BodyCase body_case, void *body)
{
	struct session *s = context;
	bool figures = body_case == KVIEW__WIRE__FROM_AGENT__BODY_HISTOGRAM_DELTA;

	/* They were read before this is asked. */
	if ((figures || body_case == KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET) &&
	    !permission__may_tell()) {
		s->revoked = true;
		if (!figures)
			return;
		session__withhold(s, body);
	} else if (figures) {
		s->told_losses = *((Kview__Wire__HistogramDelta *)body)->losses;
	}
	wire__send(s->wire, request_id, body_case, body);
}

static bool session__must_events_wait(void *context)
{
	struct session *s = context;

	return wire__must_wait(s->wire, WIRE_EVENTS);
}

static bool session__must_figures_wait(void *context)
{
	struct session *s = context;

	return wire__must_wait(s->wire, WIRE_FIGURES);
}

static void session__refuse(struct session *s, uint32_t request_id, struct error *error)
{
	reply__error(s->wire, request_id, error);
	error__free(error);
}

/* Recording */

static void session__end_recording(struct session *s, Kview__Wire__RecordingEnded__Reason reason,
				   const char *message)
{
	if (!s->recording)
		return;
	loop__close(s->loop, &s->delta_timer);
	loop__close(s->loop, &s->drain_timer);
	loop__close(s->loop, &s->cost_timer);
	/* The descriptor is the ring buffer's own. */
	loop__remove(s->loop, &s->events);
	loop__remove(s->loop, &s->children);
	if (!permission__may_tell())
		recording__stop(s->recording, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED,
				"The process has executed a program that gives it rights, or that its user may not trace: it may not be measured any more.");
	else
		recording__stop(s->recording, reason, message);
	permission__release();
	link__let_go(s->link);
	s->recording = NULL;
	s->recorded = NULL;
}

static void session__delta_due(void *context, uint32_t events)
{
	struct session *s = context;

	timer__expired(s->delta_timer.fd);
	recording__take_delta(s->recording);
	if (s->revoked)
		session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, NULL);
}

static void session__cost_due(void *context, uint32_t events)
{
	struct session *s = context;
	const char *over, *lost;

	timer__expired(s->cost_timer.fd);
	lost = recording__watch_links(s->recording);
	over = lost ? NULL : recording__watch_cost(s->recording);
	if (lost)
		session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, lost);
	else if (over)
		session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__OVER_BUDGET, over);
}

static void session__watch_events(struct session *s)
{
	if (s->recording && s->events.fd >= 0)
		loop__watch(s->loop, &s->events, session__must_events_wait(s) ? 0 : EPOLLIN);
}

static void session__drain_due(void *context, uint32_t events)
{
	struct session *s = context;

	timer__expired(s->drain_timer.fd);
	recording__drain(s->recording, ++s->drain_ticks % FLUSH_TICKS == 0);
	session__watch_events(s);
}

static void session__events_ready(void *context, uint32_t events)
{
	struct session *s = context;

	recording__drain(s->recording, false);
	session__watch_events(s);
}

static void session__drained(void *context)
{
	struct session *s = context;

	watched__control_output(s->watched);
	if (s->recording)
		recording__drain(s->recording, false);
	session__watch_events(s);
}

/* The recorded process: the eBPF program saw how it ended, where the kernel tells only its parent. */
static void session__exiting(void *context, struct target *target, bool *known, int *wait_status)
{
	struct session *s = context;

	if (s->recorded != target)
		return;
	if (!*known && recording__exit_code(s->recording) >= 0 && permission__may_tell()) {
		*known = true;
		*wait_status = recording__exit_code(s->recording);
	}
	session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED, NULL);
}

/* Requests */

static void session__process_changed(void *context, uint32_t events)
{
	struct session *s = context;
	const char *over;

	if (!permission__may_tell())
		return session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, NULL);
	over = recording__follow_processes(s->recording);
	if (over)
		session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED, over);
}

static int session__start_timers(struct session *s)
{
	uint64_t interval_ns = recording__interval_ms(s->recording) * 1000000ULL;

	s->delta_timer = (struct loop_source){
		timer__new(interval_ns < FIRST_DELTA_NS ? interval_ns : FIRST_DELTA_NS, interval_ns),
		session__delta_due, s, 0 };
	if (s->delta_timer.fd < 0 || loop__watch(s->loop, &s->delta_timer, EPOLLIN))
		return -1;
	s->cost_timer = (struct loop_source){
		timer__new(BUDGET_INTERVAL_NS, BUDGET_INTERVAL_NS), session__cost_due, s, 0 };
	if (s->cost_timer.fd < 0 || loop__watch(s->loop, &s->cost_timer, EPOLLIN))
		return -1;
	s->children = (struct loop_source){ recording__children_fd(s->recording),
					    session__process_changed, s, 0 };
	if (loop__watch(s->loop, &s->children, EPOLLIN))
		return -1;
	s->events.fd = recording__events_fd(s->recording);
	if (s->events.fd < 0)
		return 0;
	s->events = (struct loop_source){ s->events.fd, session__events_ready, s, 0 };
	s->drain_timer = (struct loop_source){ timer__new(DRAIN_NS, DRAIN_NS), session__drain_due, s, 0 };
	if (s->drain_timer.fd < 0 || loop__watch(s->loop, &s->drain_timer, EPOLLIN))
		return -1;
	return loop__watch(s->loop, &s->events, EPOLLIN);
}

static void session__start(struct session *s, uint32_t id,
			   const Kview__Wire__StartRecordingRequest *request)
{
	const struct recording_sink sink = {
		session__send, session__must_events_wait, session__must_figures_wait, s };
	struct error error = { 0 };
	const uint8_t *token = NULL;

	if (s->recording) {
		error__set(&error, ERR_BUSY, "This connection records already: stop that first, or open another one.");
		return session__refuse(s, id, &error);
	}
	if (request->grace_ms) {
		token = link__keep(s->link, request->grace_ms, &error);
		if (!token)
			return session__refuse(s, id, &error);
	}
	s->revoked = false;
	kview__wire__losses__init(&s->told_losses);
	if (!permission__hold(request->pid, &error) &&
	    !permission__risk(request->force_return_probes || !request->budget_ppm ||
			      request->budget_ppm > MAX_BUDGET_OF_OTHERS_PPM, &error))
		s->recording = recording__start(request, id, token, &sink, &s->calibration, &error);
	if (!s->recording) {
		permission__release();
		link__let_go(s->link);
		return session__refuse(s, id, &error);
	}
	permission__attached();
	s->recorded = watched__get(s->watched, request->pid, &error);
	if (s->recorded && !session__start_timers(s))
		session__process_changed(s, 0);
	else
		session__end_recording(s, s->recorded ?
				       KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED :
				       KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED, NULL);
	error__free(&error);
}

static void session__stop(struct session *s, uint32_t id)
{
	Kview__Wire__StopRecordingReply reply = KVIEW__WIRE__STOP_RECORDING_REPLY__INIT;
	struct error error = { 0 };

	/* The loop may bring this request before an end that was there earlier. */
	if (s->recorded)
		target__look(s->recorded);
	if (!s->recording) {
		error__set(&error, ERR_BAD_REQUEST, "Nothing is being recorded: the process has ended, or no recording was started.");
		/* It may just have ended by itself: how it did is said before that there is none. */
		reply__error_behind(s->wire, id, &error);
		error__free(&error);
		return;
	}
	session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED, NULL);
	wire__send(s->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_STOP_RECORDING, &reply);
}

static void session__request(void *context, const Kview__Wire__ToAgent *request)
{
	struct session *s = context;
	uint32_t id = request->request_id;
	struct error error = { 0 };

	if (link__take(s->link, request))
		return;
	if (!id || (!s->greeted && request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO)) {
		error__set(&error, ERR_BAD_REQUEST, id ? "The first request must be hello." :
			   "A request must have a request_id above 0.");
		return session__refuse(s, id, &error);
	}
	/* Sent once more after a rejoin, for its answer was lost: that one is sent again as well. */
	if (link__is_offered(s->link) && id <= s->last_request_id)
		return;
	s->last_request_id = id;
	if (request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO && permission__any(&error))
		return session__refuse(s, id, &error);
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_HELLO:
		link__offer(s->link, request->hello);
		s->greeted |= reply__hello(s->wire, id, request->hello);
		return;
	case KVIEW__WIRE__TO_AGENT__BODY_LAUNCH:
		return watched__launch(s->watched, id, request->launch);
	case KVIEW__WIRE__TO_AGENT__BODY_RESUME:
		return watched__resume(s->watched, id, request->resume);
	case KVIEW__WIRE__TO_AGENT__BODY_START_RECORDING:
		return session__start(s, id, request->start_recording);
	case KVIEW__WIRE__TO_AGENT__BODY_STOP_RECORDING:
		return session__stop(s, id);
	case KVIEW__WIRE__TO_AGENT__BODY_END_PROGRAM:
		return watched__end(s->watched, id, request->end_program);
	default:
		reply__stateless(s->wire, request, &s->calibration);
	}
}

static void session__wire_ended(void *context, const char *reason)
{
	struct session *s = context;

	link__lost(s->link, reason);
}

static void session__over(void *context, int exit_code)
{
	struct session *s = context;

	s->exit_code = exit_code;
	loop__stop(s->loop);
}

static void session__signalled(void *context, uint32_t events)
{
	struct session *s = context;
	int signal = signals__read(s->signals.fd);

	/* The end of a login is one of the ways to lose a link. */
	if (!signal || (signal == SIGHUP && link__is_kept(s->link)))
		return;
	log__line("ended by signal %d", signal);
	session__over(s, 128 + signal);
}

static int session__open(struct session *s, int in_fd, int out_fd)
{
	struct wire_opts wire_opts = {
		.in_fd = in_fd, .out_fd = out_fd, .request = session__request,
		.ended = session__wire_ended, .drained = session__drained, .context = s,
	};
	struct link_opts link_opts = { .over = session__over, .context = s };
	struct watched_opts watched_opts = { .exiting = session__exiting, .context = s };

	s->loop = wire_opts.loop = link_opts.loop = watched_opts.loop = loop__new();
	s->signals = (struct loop_source){ signals__new(), session__signalled, s, 0 };
	if (!s->loop || s->signals.fd < 0 || loop__watch(s->loop, &s->signals, EPOLLIN))
		return -1;
	s->link = link__new(&link_opts);
	s->wire = watched_opts.wire = wire__new(&wire_opts);
	s->watched = watched__new(&watched_opts);
	if (!s->link || !s->wire || !s->watched)
		return -1;
	link__use(s->link, s->wire);
	return 0;
}

int session__run(int in_fd, int out_fd)
{
	struct session *s = calloc(1, sizeof(*s));
	int exit_code = 1;

	if (!s)
		return 1;
	s->delta_timer.fd = s->drain_timer.fd = s->cost_timer.fd = s->events.fd = s->signals.fd = -1;
	if (session__open(s, in_fd, out_fd))
		goto out;
	loop__run(s->loop);
	session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED, NULL);
	wire__flush(s->wire, FINAL_FLUSH_NS);
	exit_code = s->exit_code;
out:
	watched__free(s->watched);
	link__free(s->link, exit_code);
	wire__free(s->wire);
	if (s->signals.fd >= 0)
		close(s->signals.fd);
	loop__free(s->loop);
	free(s);
	return exit_code;
}
