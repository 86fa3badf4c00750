// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "launch.h"
#include "loop.h"
#include "programs.h"
#include "recording.h"
#include "replies.h"
#include "session.h"
#include "target.h"
#include "wire.h"

#define MAX_TARGETS	16
/* Events wait no longer than two of these for their packet. */
#define DRAIN_NS	100000000ULL
#define FLUSH_TICKS	3
#define FINAL_FLUSH_NS	2000000000ULL

struct session {
	struct loop *loop;
	struct wire *wire;
	struct target *targets[MAX_TARGETS];
	struct calibration calibration;	/* what probes cost, as far as known */

	struct recording *recording;
	struct target *recorded;	/* in targets, or of its own */
	struct loop_source delta_timer, drain_timer, events;
	unsigned int drain_ticks;

	struct loop_source signals;
	bool greeted;
	int exit_code;
};

static void session__send(void *context, Kview__Wire__FromAgent *message)
{
	struct session *s = context;
	int i;

	wire__send(s->wire, message);
	if (wire__is_congested(s->wire))
		for (i = 0; i < MAX_TARGETS; i++)
			if (s->targets[i])
				target__pause_output(s->targets[i], true);
}

static bool session__is_congested(void *context)
{
	struct session *s = context;

	return wire__is_congested(s->wire);
}

static void session__refuse(struct session *s, uint32_t request_id, struct fn_error *error)
{
	reply__error(s->wire, request_id, error);
	fn_error__free(error);
}

static struct target **session__target_slot(struct session *s, pid_t pid)
{
	int i;

	for (i = 0; i < MAX_TARGETS; i++)
		if (pid ? s->targets[i] && target__pid(s->targets[i]) == pid : !s->targets[i])
			return &s->targets[i];
	return NULL;
}

/* Recording */

static void session__end_recording(struct session *s, Kview__Wire__RecordingEnded__Reason reason)
{
	if (!s->recording)
		return;
	loop__close(s->loop, &s->delta_timer);
	loop__close(s->loop, &s->drain_timer);
	/* The descriptor is the ring buffer's own. */
	loop__remove(s->loop, &s->events);
	recording__stop(s->recording, reason, NULL);
	s->recording = NULL;
	s->recorded = NULL;
}

static void session__delta_due(void *context, uint32_t events)
{
	struct session *s = context;

	timer__expired(s->delta_timer.fd);
	recording__take_delta(s->recording);
}

static void session__watch_events(struct session *s)
{
	if (s->recording && s->events.fd >= 0)
		loop__watch(s->loop, &s->events, wire__is_congested(s->wire) ? 0 : EPOLLIN);
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
	int i;

	for (i = 0; i < MAX_TARGETS; i++)
		if (s->targets[i])
			target__pause_output(s->targets[i], false);
	if (s->recording)
		recording__drain(s->recording, false);
	session__watch_events(s);
}

/* Targets */

static void session__send_output(void *context, struct target *target, bool error_stream,
				 const uint8_t *data, size_t length)
{
	Kview__Wire__FromAgent message = KVIEW__WIRE__FROM_AGENT__INIT;
	Kview__Wire__ProcessOutput output = KVIEW__WIRE__PROCESS_OUTPUT__INIT;

	output.pid = target__pid(target);
	output.error_stream = error_stream;
	output.data = (ProtobufCBinaryData){ length, (uint8_t *)data };
	message.body_case = KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_OUTPUT;
	message.process_output = &output;
	session__send(context, &message);
}

static void session__target_exited(void *context, struct target *target, bool known, int status)
{
	Kview__Wire__FromAgent message = KVIEW__WIRE__FROM_AGENT__INIT;
	Kview__Wire__ProcessExited exited = KVIEW__WIRE__PROCESS_EXITED__INIT;
	struct target **slot = session__target_slot(context, target__pid(target));
	struct session *s = context;

	if (s->recorded == target) {
		/* The eBPF program saw it end, where the kernel tells nobody but its parent. */
		if (!known && recording__exit_code(s->recording) >= 0) {
			known = true;
			status = recording__exit_code(s->recording);
		}
		session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED);
	}
	exited.pid = target__pid(target);
	exited.signalled = known && WIFSIGNALED(status);
	if (known)
		exited.status = exited.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
	message.body_case = KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_EXITED;
	message.process_exited = &exited;
	session__send(s, &message);
	*slot = NULL;
	target__free(target);
}

/* Watches a process; launch may be NULL.  NULL: error says why. */
static struct target *session__add_target(struct session *s, pid_t pid, struct launch *launch,
					  struct fn_error *error)
{
	struct target_opts opts = {
		.loop = s->loop, .pid = pid, .launch = launch,
		.output = session__send_output, .exited = session__target_exited, .context = s,
	};
	struct target **slot = session__target_slot(s, 0);

	if (!slot) {
		error__set(error, ERR_TOO_MANY, "One connection watches at most %d processes.",
			   MAX_TARGETS);
		return NULL;
	}
	*slot = target__new(&opts);
	if (!*slot)
		error__set(error, errno == ESRCH ? ERR_PROCESS_ENDED : ERR_FAILED,
			   "Process %d can't be watched: %s.", pid, strerror(errno));
	return *slot;
}

/* Requests */

static void session__answer(struct session *s, uint32_t request_id,
			    Kview__Wire__FromAgent__BodyCase body_case, void *body)
{
	Kview__Wire__FromAgent message = KVIEW__WIRE__FROM_AGENT__INIT;

	message.request_id = request_id;
	message.body_case = body_case;
	message.hello = body;		/* any member of the union */
	session__send(s, &message);
}

static void session__launch(struct session *s, uint32_t id, const Kview__Wire__LaunchRequest *request)
{
	Kview__Wire__LaunchReply reply = KVIEW__WIRE__LAUNCH_REPLY__INIT;
	struct fn_error error = { 0 };
	struct launch *launch = program__launch(request, &error);

	if (!launch)
		return session__refuse(s, id, &error);
	if (!session__add_target(s, launch->pid, launch, &error)) {
		launch__free(launch);
		free(launch);
		return session__refuse(s, id, &error);
	}
	reply.pid = launch->pid;
	reply.executable = launch->executable ? launch->executable : (char *)"";
	session__answer(s, id, KVIEW__WIRE__FROM_AGENT__BODY_LAUNCH, &reply);
}

/* NULL where no program of that number was launched here. */
static struct launch *session__launched(struct session *s, pid_t pid)
{
	struct target **slot = pid ? session__target_slot(s, pid) : NULL;

	return slot ? target__launch(*slot) : NULL;
}

static void session__resume(struct session *s, uint32_t id, const Kview__Wire__ResumeRequest *request)
{
	Kview__Wire__ResumeReply reply = KVIEW__WIRE__RESUME_REPLY__INIT;
	struct fn_error error = { 0 };

	if (program__resume(session__launched(s, request->pid), request, &error))
		return session__refuse(s, id, &error);
	session__answer(s, id, KVIEW__WIRE__FROM_AGENT__BODY_RESUME, &reply);
}

static void session__end_program(struct session *s, uint32_t id,
				 const Kview__Wire__EndProgramRequest *request)
{
	Kview__Wire__EndProgramReply reply = KVIEW__WIRE__END_PROGRAM_REPLY__INIT;
	struct fn_error error = { 0 };

	if (program__end(session__launched(s, request->pid), request, &error))
		return session__refuse(s, id, &error);
	session__answer(s, id, KVIEW__WIRE__FROM_AGENT__BODY_END_PROGRAM, &reply);
}

static int session__start_timers(struct session *s)
{
	s->delta_timer = (struct loop_source){
		timer__new(recording__interval_ms(s->recording) * 1000000ULL),
		session__delta_due, s, 0 };
	if (s->delta_timer.fd < 0 || loop__watch(s->loop, &s->delta_timer, EPOLLIN))
		return -1;
	s->events.fd = recording__events_fd(s->recording);
	if (s->events.fd < 0)
		return 0;
	s->events = (struct loop_source){ s->events.fd, session__events_ready, s, 0 };
	s->drain_timer = (struct loop_source){ timer__new(DRAIN_NS), session__drain_due, s, 0 };
	if (s->drain_timer.fd < 0 || loop__watch(s->loop, &s->drain_timer, EPOLLIN))
		return -1;
	return loop__watch(s->loop, &s->events, EPOLLIN);
}

static void session__start(struct session *s, uint32_t id,
			   const Kview__Wire__StartRecordingRequest *request)
{
	const struct recording_sink sink = { session__send, session__is_congested, s };
	struct target **slot = request->pid ? session__target_slot(s, request->pid) : NULL;
	struct fn_error error = { 0 };

	if (s->recording) {
		error__set(&error, ERR_BUSY, "This connection records already: stop that first, or open another one.");
		return session__refuse(s, id, &error);
	}
	s->recording = recording__start(request, id, &sink, &s->calibration, &error);
	if (!s->recording)
		return session__refuse(s, id, &error);
	s->recorded = slot ? *slot : session__add_target(s, request->pid, NULL, &error);
	if (!s->recorded || session__start_timers(s))
		session__end_recording(s, s->recorded ?
				       KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED :
				       KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED);
}

static void session__stop(struct session *s, uint32_t id)
{
	Kview__Wire__StopRecordingReply reply = KVIEW__WIRE__STOP_RECORDING_REPLY__INIT;
	struct fn_error error = { 0 };

	if (!s->recording) {
		error__set(&error, ERR_BAD_REQUEST, "Nothing is being recorded: the process has ended, or no recording was started.");
		return session__refuse(s, id, &error);
	}
	session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED);
	session__answer(s, id, KVIEW__WIRE__FROM_AGENT__BODY_STOP_RECORDING, &reply);
}

static void session__request(void *context, const Kview__Wire__ToAgent *request)
{
	struct session *s = context;
	uint32_t id = request->request_id;
	struct fn_error error = { 0 };

	if (!id || (!s->greeted && request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO)) {
		error__set(&error, ERR_BAD_REQUEST, id ? "The first request must be hello." :
			   "A request must have a request_id above 0.");
		return session__refuse(s, id, &error);
	}
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_HELLO:
		s->greeted |= reply__hello(s->wire, id, request->hello);
		return;
	case KVIEW__WIRE__TO_AGENT__BODY_LAUNCH:
		return session__launch(s, id, request->launch);
	case KVIEW__WIRE__TO_AGENT__BODY_RESUME:
		return session__resume(s, id, request->resume);
	case KVIEW__WIRE__TO_AGENT__BODY_START_RECORDING:
		return session__start(s, id, request->start_recording);
	case KVIEW__WIRE__TO_AGENT__BODY_STOP_RECORDING:
		return session__stop(s, id);
	case KVIEW__WIRE__TO_AGENT__BODY_END_PROGRAM:
		return session__end_program(s, id, request->end_program);
	default:
		reply__stateless(s->wire, request, &s->calibration);
	}
}

static void session__ended(void *context, const char *reason)
{
	struct session *s = context;

	if (reason) {
		log__line("the connection ends: %s", reason);
		s->exit_code = 1;
	}
	loop__stop(s->loop);
}

static void session__signalled(void *context, uint32_t events)
{
	struct session *s = context;
	int signal = signals__read(s->signals.fd);

	if (!signal)
		return;
	log__line("ended by signal %d", signal);
	s->exit_code = 128 + signal;
	loop__stop(s->loop);
}

int session__run(int in_fd, int out_fd)
{
	struct session *s = calloc(1, sizeof(*s));
	struct wire_opts opts = {
		.in_fd = in_fd, .out_fd = out_fd, .request = session__request,
		.ended = session__ended, .drained = session__drained, .context = s,
	};
	int exit_code = 1, i;

	if (!s)
		return 1;
	s->delta_timer.fd = s->drain_timer.fd = s->events.fd = s->signals.fd = -1;
	s->loop = opts.loop = loop__new();
	s->signals = (struct loop_source){ signals__new(), session__signalled, s, 0 };
	if (!s->loop || s->signals.fd < 0 || loop__watch(s->loop, &s->signals, EPOLLIN))
		goto out;
	s->wire = wire__new(&opts);
	if (!s->wire)
		goto out;
	loop__run(s->loop);
	session__end_recording(s, KVIEW__WIRE__RECORDING_ENDED__REASON__REQUESTED);
	wire__flush(s->wire, FINAL_FLUSH_NS);
	exit_code = s->exit_code;
out:
	for (i = 0; i < MAX_TARGETS; i++)
		target__free(s->targets[i]);
	wire__free(s->wire);
	if (s->signals.fd >= 0)
		close(s->signals.fd);
	loop__free(s->loop);
	free(s);
	return exit_code;
}
