// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/precedence.h"
#include "base/usage.h"
#include "lookup/kernel_names.h"
#include "lookup/thread_policies.h"
#include "mechanism/mechanisms.h"
#include "permission/permission.h"
#include "recording/cost_to_others.h"
#include "recording/events.h"
#include "recording/histograms.h"
#include "recording/losses.h"
#include "recording/provenance.h"
#include "recording/quantities.h"
#include "recording/recording.h"
#include "recording/request.h"
#include "recording/scope_members.h"
#include "recording/spending.h"
#include "recording/start_reply.h"
#include "recording/values.h"
#include "recording/waits.h"

#define DEFAULT_INTERVAL_MS	500
#define MIN_INTERVAL_MS		10
#define MAX_INTERVAL_MS		60000
/* A delta with more is several messages, so that no frame comes near its size limit. */
#define FUNCTIONS_PER_DELTA	256

struct recording {
	struct recording_sink sink;
	struct mechanisms *mechanisms;
	struct scope_members members;
	struct provenance provenance;
	struct histograms *histograms;
	struct spending *spending;
	struct waits *waits;
	struct values *values;
	struct quantities *quantities;
	struct events *events;		/* NULL without */
	struct cost_to_others *others;	/* NULL where nobody asked */
	uint64_t last_delta_ns;
	uint64_t cpu_before_ns;
	struct mechanism_off off;	/* whose probes have to come off */
	uint32_t interval_ms;
	bool by_jumps;
	uint8_t uuid[16];
};

static void recording__free(struct recording *r)
{
	if (!r)
		return;
	precedence__end();
	cost_to_others__free(r->others);
	events__free(r->events);
	spending__free(r->spending);
	waits__free(r->waits);
	values__free(r->values);
	quantities__free(r->quantities);
	histograms__free(r->histograms);
	mechanisms__free(r->mechanisms);
	scope_members__close(&r->members);
	provenance__free(&r->provenance);
	free(r->off.points);
	free(r);
}

static void recording__send_packet(void *context, uint32_t cpu, const struct ctf_packet *packet)
{
	struct recording *r = context;
	Kview__Wire__EventPacket message = KVIEW__WIRE__EVENT_PACKET__INIT;

	message.cpu = cpu;
	message.packet = (ProtobufCBinaryData){ packet->length, packet->bytes };
	message.events = packet->events;
	r->sink.send(r->sink.context, 0, KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET, &message);
}

static bool recording__must_events_wait(void *context)
{
	struct recording *r = context;

	return r->sink.must_events_wait(r->sink.context);
}

static int recording__open_events(struct recording *r, uint64_t start_ns, struct error *error)
{
	struct events_opts opts = {
		.sources = r->mechanisms->sources,
		.nr_sources = r->mechanisms->nr_sources,
		.start_ns = start_ns,
		.pid = r->mechanisms->cgroup || r->mechanisms->tree ? 0 : r->mechanisms->pid,
		.packet = recording__send_packet,
		.must_wait = recording__must_events_wait,
		.context = r,
	};

	memcpy(opts.uuid, r->uuid, sizeof(opts.uuid));
	r->events = events__new(&opts);
	return r->events ? 0 : error__set(error, ERR_FAILED, "The events' ring buffer could not be read: %s.", strerror(errno));
}

static int recording__reply(struct recording *r, uint32_t request_id, ProtobufCBinaryData token, uint64_t attach_ns)
{
	struct start_reply reply = {
		.request_id = request_id, .token = token, .attach_ns = attach_ns,
		.uuid = r->events ? r->uuid : NULL, .mechanisms = r->mechanisms,
		.provenance = &r->provenance, .sink = &r->sink,
	};

	return start_reply__send(&reply);
}

/* By jumps threads of the process are stopped: those of a program that was started here, and stands so far, by this thread alone. */
static int recording__do(const struct recording *r, int (*work)(void *context), void *context)
{
	return r->by_jumps && process__tracer(r->mechanisms->pid) == gettid() ? work(context) : loop__do_aside(work, context);
}

struct recording_load {
	struct recording *recording;
	const Kview__Wire__StartRecordingRequest *request;
	const struct recording_prepared *prepared;
	struct error *error;
};

static int recording__load(void *context)
{
	const struct recording_load *wanted = context;
	const Kview__Wire__StartRecordingRequest *request = wanted->request;
	struct recording *r = wanted->recording;
	struct error *error = wanted->error;
	struct mechanism_load load = { .events = request->events, .ring_bytes = events__ring_bytes(), .max_bytes = permission__memory(),
				       .waits = request->waits, .wait_stacks = request->waits && kernel_names__are_shown(),
				       .switches = (enum mechanism_switches)request->switches, .no_view = wanted->prepared->no_view };

	if (scope_members__open(&r->members, request, &load, error))
		return -1;
	provenance__read(&r->provenance, request->pid);
	r->mechanisms = mechanisms__find(request, wanted->prepared->left, error);
	if (!r->mechanisms || provenance__check(&r->provenance, error) || mechanisms__load(r->mechanisms, &load, error))
		return -1;
	r->off.points = calloc(r->mechanisms->nr, sizeof(*r->off.points));
	r->histograms = histograms__new(r->mechanisms->points, r->mechanisms->nr);
	r->waits = waits__new(r->mechanisms);
	r->values = values__new(r->mechanisms);
	r->quantities = quantities__new(r->mechanisms);
	if (!r->off.points || !r->histograms || !r->waits || !r->values || !r->quantities)
		return error__set(error, ERR_FAILED, "Out of memory.");
	return 0;
}

static int recording__attach(void *context)
{
	const struct recording_load *wanted = context;

	return mechanisms__attach(wanted->recording->mechanisms, wanted->error);
}

static void recording__comes_off(void *context, uint32_t function)
{
	struct recording *r = context;

	histograms__mention(r->histograms, function);
	if (r->off.were_never_on)
		cost_to_others__point_was_never_on(r->others, function);
	else
		cost_to_others__point_comes_off(r->others);
}

static int recording__watch(struct recording *r, uint32_t budget_ppm)
{
	struct spending_opts opts = {
		.mechanisms = r->mechanisms, .budget_ppm = budget_ppm,
		.comes_off = recording__comes_off, .context = r,
	};

	r->spending = spending__new(&opts);
	return r->spending ? 0 : -1;
}

struct recording *recording__try(const Kview__Wire__StartRecordingRequest *request, uint32_t request_id, ProtobufCBinaryData token,
				 const struct recording_sink *sink, struct recording_prepared *prepared,
				 struct calibration *latest, struct error *error)
{
	struct mechanisms *mechanisms;
	struct recording *r = calloc(1, sizeof(*r));
	struct recording_load wanted = { r, request, prepared, error };
	uint64_t attach_ns;

	if (!r) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	r->others = prepared->others;
	prepared->others = NULL;
	if (request__check_process(request, error))
		goto fail;
	r->sink = *sink;
	r->interval_ms = request->interval_ms ? request->interval_ms : DEFAULT_INTERVAL_MS;
	r->interval_ms = r->interval_ms < MIN_INTERVAL_MS ? MIN_INTERVAL_MS : r->interval_ms > MAX_INTERVAL_MS ? MAX_INTERVAL_MS : r->interval_ms;
	r->cpu_before_ns = usage__cpu_ns();
	if (getrandom(r->uuid, sizeof(r->uuid), 0) != sizeof(r->uuid)) {
		error__set(error, ERR_FAILED, "The kernel gave no random number for the trace's id: %s.", strerror(errno));
		goto fail;
	}
	r->by_jumps = request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP;
	if (loop__do_aside(recording__load, &wanted))
		goto fail;
	mechanisms = r->mechanisms;
	mechanisms__calibrate(mechanisms, latest);
	attach_ns = clock__now_ns();
	if ((request->events && mechanisms->nr_sources &&
	     recording__open_events(r, attach_ns, error)) ||
	    recording__do(r, recording__attach, &wanted))
		goto fail;
	attach_ns = clock__now_ns() - attach_ns;
	r->last_delta_ns = mechanisms->begin_ns;
	if (recording__watch(r, request->budget_ppm) ||
	    recording__reply(r, request_id, token, attach_ns)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	cost_to_others__during(r->others);
	if (r->events && permission__may_go_first())
		precedence__begin();
	return r;
fail:
	mechanisms__leave(r->mechanisms, prepared->left);
	prepared->others = r->others;
	r->others = NULL;
	recording__free(r);
	return NULL;
}

uint32_t recording__interval_ms(const struct recording *r)
{
	return r->interval_ms;
}

int recording__events_fd(const struct recording *r)
{
	return r->events ? events__fd(r->events) : -1;
}

int recording__changes_fd(const struct recording *r)
{
	return r->mechanisms->changes_fd;
}

const struct scope_members *recording__members(const struct recording *r)
{
	return r->members.is_open ? &r->members : NULL;
}

const char *recording__follow_processes(struct recording *r)
{
	const char *why;

	do {
		why = mechanisms__follow(r->mechanisms, &r->off);
		if (!why && !spending__code_changed(r->spending, &r->off))
			why = spending__message(r->spending);
	} while (!why && r->off.nr);
	return why;
}

int recording__exit_code(const struct recording *r)
{
	return mechanisms__exit_code(r->mechanisms);
}

static void recording__losses(struct recording *r, Kview__Wire__Losses *losses, bool last)
{
	losses->events_dropped = r->events ? events__dropped(r->events) : 0;
	mechanisms__losses(r->mechanisms, losses);
	losses__of_calls(losses, r->mechanisms->points, r->mechanisms->nr, last);
}

static void recording__tell_function(const struct recording *r,
				     Kview__Wire__FunctionDelta *function, bool last)
{
	spending__tell_function(r->spending, function);
	/* The file may have been loaded and unloaded between two checks: then there are calls. */
	function->never_loaded = last && !function->calls &&
				 mechanisms__is_awaited(r->mechanisms, function->function_id);
}

/*
 * Sends the delta in messages of at most FUNCTIONS_PER_DELTA functions.  Only the last
 * message of the last delta has last set.
 */
static void recording__send_delta(struct recording *r, bool last)
{
	Kview__Wire__HistogramDelta delta = KVIEW__WIRE__HISTOGRAM_DELTA__INIT;
	Kview__Wire__Losses losses = KVIEW__WIRE__LOSSES__INIT;
	Kview__Wire__FunctionDelta **functions;
	struct mechanisms *mechanisms = r->mechanisms;
	size_t nr, at, part;

	delta.begin_ns = r->last_delta_ns;
	delta.end_ns = last ? mechanisms->end_ns : clock__now_ns();
	mechanisms__look_for_loaded(mechanisms);
	mechanisms__refresh(mechanisms);
	for (at = 0; last && at < mechanisms->nr; at++)
		if (mechanisms__is_awaited(mechanisms, at))
			histograms__mention(r->histograms, at);
	if (last)
		histograms__mention_told(r->histograms);
	losses.figures_lost = values__take(r->values, r->histograms, last) + quantities__take(r->quantities, r->histograms);
	losses.figures_lost += histograms__take(r->histograms, mechanisms->begin_ns, last ? delta.end_ns : 0, &functions, &nr);
	losses.figures_lost += waits__tell(r->waits, functions, nr);
	recording__losses(r, &losses, last);
	delta.losses = &losses;
	spending__tell(r->spending, &delta);
	for (at = 0; at < nr; at++)
		recording__tell_function(r, functions[at], last);
	if (last)
		mechanisms__recheck(mechanisms);
	mechanisms__widen(mechanisms, functions, nr);
	values__tell(r->values, functions, nr);
	quantities__tell(r->quantities, functions, nr);
	at = 0;
	do {
		part = nr - at < FUNCTIONS_PER_DELTA ? nr - at : FUNCTIONS_PER_DELTA;
		delta.functions = functions + at;
		delta.n_functions = part;
		at += part;
		delta.last = last && at == nr;
		r->sink.send(r->sink.context, 0, KVIEW__WIRE__FROM_AGENT__BODY_HISTOGRAM_DELTA,
			     &delta);
	} while (at < nr);
	r->last_delta_ns = delta.end_ns;
}

const char *recording__watch_probes(struct recording *r)
{
	return spending__has_lost_probes(r->spending) ? spending__message(r->spending) : NULL;
}

const char *recording__watch_cost(struct recording *r)
{
	/* Children that could not be freed at once. */
	mechanisms__free_children(r->mechanisms);
	return spending__look(r->spending) ? NULL : spending__message(r->spending);
}

void recording__take_delta(struct recording *r)
{
	/* If this delta is not sent, the next one covers its time as well. */
	if (!r->sink.must_figures_wait(r->sink.context))
		recording__send_delta(r, false);
}

void recording__drain(struct recording *r, bool flush)
{
	if (r->events)
		events__drain(r->events, flush);
}

void recording__stop(struct recording *r, Kview__Wire__RecordingEnded__Reason reason,
		     const char *message_text)
{
	Kview__Wire__RecordingEnded ended = KVIEW__WIRE__RECORDING_ENDED__INIT;
	struct mechanisms *mechanisms = r->mechanisms;
	const char *failure = mechanisms__has_failed(mechanisms);

	/* A failure is reported also if the process ended just after it. */
	if (failure) {
		reason = KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED;
		message_text = failure;
	}
	cost_to_others__end_of_recording(r->others);
	recording__do(r, mechanisms__detach, mechanisms);
	ended.end_ns = mechanisms->end_ns;
	ended.detach_ns = clock__now_ns() - ended.end_ns;
	if (r->events)
		events__finish(r->events);
	/* What probes cost is measured again as it was before: by an ordinary thread. */
	precedence__end();
	recording__send_delta(r, true);
	ended.calibration_note = (char *)mechanisms__note(mechanisms);
	ended.reason = reason;
	ended.message = (char *)(message_text ? message_text : "");
	ended.agent_cpu_ns = usage__cpu_ns() - r->cpu_before_ns;
	ended.agent_peak_rss_bytes = usage__peak_rss_bytes();
	cost_to_others__tell(r->others, &ended);
	scope_members__tell(mechanisms, &ended);
	r->sink.send(r->sink.context, 0, KVIEW__WIRE__FROM_AGENT__BODY_RECORDING_ENDED, &ended);
	mechanisms__free_members(ended.processes, ended.n_processes);
	recording__free(r);
}
