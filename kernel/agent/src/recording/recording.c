// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/usage.h"
#include "mechanism/trap/code_watch.h"
#include "permission/permission.h"
#include "recording/events.h"
#include "recording/filter.h"
#include "recording/histograms.h"
#include "recording/losses.h"
#include "recording/probes.h"
#include "recording/recording.h"
#include "recording/spending.h"
#include "recording/start_reply.h"

#define DEFAULT_INTERVAL_MS	500
#define MIN_INTERVAL_MS		10
#define MAX_INTERVAL_MS		60000
/* Mapped twice by the reader: counts twice in its resident set. */
#define RING_BYTES		(4U << 20)
/* A delta is split beyond it: the limit of a frame is far away then. */
#define FUNCTIONS_PER_DELTA	256

#define PROCESS_LOST "The process executed another program, and not by its first thread: there the kernel puts no probe. The recording ended with the program before it."

struct recording {
	struct recording_sink sink;
	struct probes *probes;
	struct xprobe *xprobe;
	struct histograms *histograms;
	struct spending *spending;
	struct events *events;		/* NULL without */
	uint64_t last_delta_ns;
	uint64_t missed_before;
	uint64_t cpu_before_ns;
	struct calibration calibration;
	uint32_t interval_ms;
	pid_t pid;
	bool force_returns, switches_stacks;
	bool returns_off;		/* probes that replace return addresses came off */
	uint8_t uuid[16];
};

static void recording__free(struct recording *r)
{
	if (!r)
		return;
	events__free(r->events);
	spending__free(r->spending);
	histograms__free(r->histograms);
	xprobe__free(r->xprobe);
	probes__free(r->probes);
	free(r);
}

static int send_packet_failed(struct error *error)
{
	return error__set(error, ERR_FAILED, "The events' ring buffer could not be read: %s.",
			  strerror(errno));
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
		.ring_fd = xprobe__ring_fd(r->xprobe),
		.dropped = xprobe__events_dropped(r->xprobe),
		.start_ns = start_ns,
		.pid = r->pid,
		.packet = recording__send_packet,
		.must_wait = recording__must_events_wait,
		.context = r,
	};

	memcpy(opts.uuid, r->uuid, sizeof(opts.uuid));
	r->events = events__new(&opts);
	return r->events ? 0 : send_packet_failed(error);
}

/* The classes of probes that the recording uses. */
static uint32_t recording__classes(const struct recording *r)
{
	uint32_t classes = 0;
	size_t i;

	for (i = 0; i < probes__nr(r->probes); i++) {
		const struct fn_function *function = probes__functions(r->probes)[i].function;

		classes |= calibrate__classes_of(function);
		/* Elsewhere calls that are entered within others end within them. */
		if (r->switches_stacks)
			classes |= calibrate__parts_of(function);
	}
	return classes;
}

/* Without costs the recording is as good as probes get without correction; the reply tells. */
static void recording__calibrate(struct recording *r)
{
	struct error failure = { 0 };

	if (calibrate__probes(r->xprobe, recording__classes(r), &r->calibration, &failure)) {
		log__line("%s", failure.message);
		snprintf(r->calibration.note, sizeof(r->calibration.note), "%s",
			 failure.message);
	}
}

static int recording__reply(struct recording *r, uint32_t request_id, const uint8_t *token,
			    uint64_t start_ns, uint64_t attach_ns)
{
	struct start_reply reply = {
		.request_id = request_id, .token = token, .start_ns = start_ns,
		.attach_ns = attach_ns, .pid = r->pid, .uuid = r->events ? r->uuid : NULL,
		.probes = r->probes, .calibration = &r->calibration, .sink = &r->sink,
	};

	return start_reply__send(&reply);
}

static int recording__load(struct recording *r, const Kview__Wire__StartRecordingRequest *request,
			   struct error *error)
{
	struct xprobe_opts opts = {
		.events = request->events, .ring_bytes = RING_BYTES,
		.no_raising_files = !permission__raising_files(),
		.ends_at_raise = permission__ends_at_raise(), .max_bytes = permission__memory(),
	};

	r->probes = probes__find(request, error);
	if (!r->probes)
		return -1;
	opts.nr_functions = probes__nr(r->probes);
	opts.nr_places = probes__nr_places(r->probes);
	r->xprobe = xprobe__new(&opts, error);
	if (!r->xprobe)
		return -1;
	r->histograms = histograms__new(xprobe__counts(r->xprobe), opts.nr_functions);
	if (!r->histograms)
		return error__set(error, ERR_FAILED, "Out of memory.");
	return 0;
}

static void recording__comes_off(void *context, uint32_t function)
{
	struct recording *r = context;

	histograms__mention(r->histograms, function);
}

static int recording__watch(struct recording *r, uint32_t budget_ppm)
{
	struct spending_opts opts = {
		.xprobe = r->xprobe, .probes = r->probes, .pid = r->pid,
		.budget_ppm = budget_ppm, .comes_off = recording__comes_off, .context = r,
	};

	r->spending = spending__new(&opts);
	return r->spending ? 0 : -1;
}

/* From here on the xprobe sees it by itself. */
static int recording__check(const struct recording *r, struct error *error)
{
	return permission__may_tell() ? 0 :
		error__set(error, ERR_NO_PERMISSION,
			   "Process %d has executed a program that gives it rights, or that its user may not trace: it may not be measured.",
			   r->pid);
}

struct recording *recording__start(const Kview__Wire__StartRecordingRequest *request,
				   uint32_t request_id, const uint8_t *token,
				   const struct recording_sink *sink,
				   struct calibration *latest, struct error *error)
{
	struct fn_process_safety safety;
	struct recording *r;
	uint64_t attach_ns;

	if (filter__check(request->filter, error))
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	r->sink = *sink;
	r->pid = request->pid;
	r->force_returns = request->force_return_probes;
	r->interval_ms = request->interval_ms ? request->interval_ms : DEFAULT_INTERVAL_MS;
	if (r->interval_ms < MIN_INTERVAL_MS)
		r->interval_ms = MIN_INTERVAL_MS;
	if (r->interval_ms > MAX_INTERVAL_MS)
		r->interval_ms = MAX_INTERVAL_MS;
	r->cpu_before_ns = usage__cpu_ns();
	if (getrandom(r->uuid, sizeof(r->uuid), 0) != sizeof(r->uuid)) {
		error__set(error, ERR_FAILED, "No random number could be had: %s.", strerror(errno));
		goto fail;
	}
	if (recording__load(r, request, error))
		goto fail;
	if (permission__safety(&safety, r->pid, error))
		goto fail;
	xprobe__set_one_stack(r->xprobe, safety.one_stack);
	r->switches_stacks = !safety.one_stack;
	recording__calibrate(r);
	if (r->calibration.measured)
		calibration__learn(latest, &r->calibration);
	r->missed_before = xprobe__missed_runs(r->xprobe);

	attach_ns = clock__now_ns();
	if (request->events && recording__open_events(r, attach_ns, error))
		goto fail;
	xprobe__reset_counters(r->xprobe);
	if (code_watch__begin(r->xprobe, r->pid, r->force_returns, error) ||
	    recording__check(r, error) ||
	    xprobe__attach(r->xprobe, r->pid, probes__functions(r->probes),
			   probes__nr(r->probes), error))
		goto fail;
	attach_ns = clock__now_ns() - attach_ns;
	r->last_delta_ns = xprobe__begin_ns(r->xprobe);
	if (recording__watch(r, request->budget_ppm) ||
	    recording__reply(r, request_id, token, r->last_delta_ns, attach_ns)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	return r;
fail:
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

int recording__children_fd(const struct recording *r)
{
	return xprobe__children_fd(r->xprobe);
}

const char *recording__follow_processes(struct recording *r)
{
	char why[512];

	xprobe__free_children(r->xprobe);
	if (xprobe__has_lost_process(r->xprobe))
		return PROCESS_LOST;
	if (r->returns_off || code_watch__look(r->xprobe, r->pid, r->force_returns, why))
		return NULL;
	r->returns_off = true;
	return spending__code_changed(r->spending, why) ? NULL : spending__message(r->spending);
}

int recording__exit_code(const struct recording *r)
{
	return xprobe__leader_exit_code(r->xprobe);
}

static void recording__losses(struct recording *r, Kview__Wire__Losses *losses, bool last)
{
	struct xprobe_counts counts = xprobe__counts(r->xprobe);
	struct xp_counters counters = xprobe__counters(r->xprobe);

	losses->events_dropped = r->events ? events__dropped(r->events) : 0;
	losses->missed_returns = xprobe__missed_runs(r->xprobe) - r->missed_before;
	losses->healed_switches = counters.healed_switches;
	losses->early_returns = counters.early_returns;
	losses->children_with_probes = xprobe__children_kept(r->xprobe);
	losses__of_calls(losses, &counts, probes__nr(r->probes), last);
}

static void recording__tell_function(const struct recording *r,
				     Kview__Wire__FunctionDelta *function, bool last)
{
	spending__tell_function(r->spending, function);
	/* It may have come and gone between two looks. */
	function->never_loaded = last && !function->calls &&
				 probes__is_awaited(r->probes, function->function_id);
}

/* At most so many functions a message; the last message of the last delta says so. */
static void recording__send_delta(struct recording *r, bool last)
{
	Kview__Wire__HistogramDelta delta = KVIEW__WIRE__HISTOGRAM_DELTA__INIT;
	Kview__Wire__Losses losses = KVIEW__WIRE__LOSSES__INIT;
	Kview__Wire__FunctionDelta **functions;
	size_t nr, at, part;

	delta.begin_ns = r->last_delta_ns;
	delta.end_ns = last ? xprobe__end_ns(r->xprobe) : clock__now_ns();
	probes__look_for_loaded(r->probes, r->pid);
	for (at = 0; last && at < probes__nr(r->probes); at++)
		if (probes__is_awaited(r->probes, at))
			histograms__mention(r->histograms, at);
	losses.figures_lost = histograms__take(r->histograms, xprobe__begin_ns(r->xprobe),
					       last ? delta.end_ns : 0, &functions, &nr);
	recording__losses(r, &losses, last);
	delta.losses = &losses;
	spending__tell(r->spending, &delta);
	for (at = 0; at < nr; at++)
		recording__tell_function(r, functions[at], last);
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

const char *recording__watch_links(struct recording *r)
{
	return spending__has_lost_links(r->spending) ? spending__message(r->spending) : NULL;
}

const char *recording__watch_cost(struct recording *r)
{
	/* Those that had to wait. */
	xprobe__free_children(r->xprobe);
	return spending__look(r->spending) ? NULL : spending__message(r->spending);
}

void recording__take_delta(struct recording *r)
{
	/* The next one then covers the time of both. */
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

	/* Also where the other program ended at once. */
	if (xprobe__has_lost_process(r->xprobe)) {
		reason = KVIEW__WIRE__RECORDING_ENDED__REASON__FAILED;
		message_text = PROCESS_LOST;
	}
	xprobe__detach(r->xprobe);
	ended.end_ns = xprobe__end_ns(r->xprobe);
	ended.detach_ns = clock__now_ns() - ended.end_ns;
	if (r->events)
		events__finish(r->events);
	recording__send_delta(r, true);
	calibrate__check(r->xprobe, recording__classes(r), &r->calibration);
	ended.calibration_note = r->calibration.note;
	ended.reason = reason;
	ended.message = (char *)(message_text ? message_text : "");
	ended.agent_cpu_ns = usage__cpu_ns() - r->cpu_before_ns;
	ended.agent_peak_rss_bytes = usage__peak_rss_bytes();
	r->sink.send(r->sink.context, 0, KVIEW__WIRE__FROM_AGENT__BODY_RECORDING_ENDED, &ended);
	recording__free(r);
}
