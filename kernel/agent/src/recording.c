// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "error.h"
#include "events.h"
#include "histograms.h"
#include "loop.h"
#include "losses.h"
#include "message_list.h"
#include "probes.h"
#include "recording.h"
#include "rendezvous.h"
#include "spending.h"
#include "usage.h"

#define DEFAULT_INTERVAL_MS	500
#define MIN_INTERVAL_MS		10
/* Mapped twice by the reader: counts twice in its resident set. */
#define RING_BYTES		(4U << 20)
/* A delta is split beyond it: the limit of a frame is far away then. */
#define FUNCTIONS_PER_DELTA	256

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

static int check_filter(const Kview__Wire__StartRecordingRequest *request, struct fn_error *error)
{
	switch (request->filter) {
	case KVIEW__WIRE__FILTER__FILTER_AUTO:
	case KVIEW__WIRE__FILTER__FILTER_IN:
		return 0;
	case KVIEW__WIRE__FILTER__FILTER_VIEW:
		if (access("/dev/kview", F_OK))
			return error__set(error, ERR_UNSUPPORTED,
					  "A per-process kernel view was asked for and the kview module is not loaded (/dev/kview is missing): load it, or record with the filter in the eBPF program.");
		return error__set(error, ERR_UNSUPPORTED,
				  "This agent can't drive a per-process kernel view yet: record with the filter in the eBPF program.");
	case KVIEW__WIRE__FILTER__FILTER_POST:
		return error__set(error, ERR_UNSUPPORTED,
				  "Filtering after collection would cost every process of the host and gain nothing for an xprobe: record with the filter in the eBPF program.");
	default:
		return error__set(error, ERR_BAD_REQUEST, "The filter %d is unknown.", request->filter);
	}
}

static int send_packet_failed(struct fn_error *error)
{
	return error__set(error, ERR_FAILED, "The events' ring buffer could not be read: %s.",
			  strerror(errno));
}

static void recording__send_packet(void *context, uint32_t cpu, const uint8_t *bytes,
				   size_t length)
{
	struct recording *r = context;
	Kview__Wire__EventPacket packet = KVIEW__WIRE__EVENT_PACKET__INIT;

	packet.cpu = cpu;
	packet.packet = (ProtobufCBinaryData){ length, (uint8_t *)bytes };
	r->sink.send(r->sink.context, 0, KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET, &packet);
}

static bool recording__must_events_wait(void *context)
{
	struct recording *r = context;

	return r->sink.must_events_wait(r->sink.context);
}

static int recording__open_events(struct recording *r, uint64_t start_ns, struct fn_error *error)
{
	struct events_opts opts = {
		.ring_fd = xprobe__ring_fd(r->xprobe),
		.dropped = xprobe__events_dropped(r->xprobe),
		.start_ns = start_ns,
		.packet = recording__send_packet,
		.must_wait = recording__must_events_wait,
		.context = r,
	};

	memcpy(opts.uuid, r->uuid, sizeof(opts.uuid));
	r->events = events__new(&opts);
	return r->events ? 0 : send_packet_failed(error);
}

static char *recording__metadata(struct recording *r, int64_t realtime_offset_ns)
{
	char hostname[256] = "";
	struct ctf_trace trace = {
		.realtime_offset_ns = realtime_offset_ns,
		.hostname = hostname,
		.target_pid = r->pid,
		.function_names = probes__names(r->probes),
		.nr_functions = probes__nr(r->probes),
	};

	gethostname(hostname, sizeof(hostname) - 1);
	memcpy(trace.uuid, r->uuid, sizeof(trace.uuid));
	return ctf__metadata(&trace);
}

/* The classes of probes that the recording uses. */
static uint32_t recording__classes(const struct recording *r)
{
	uint32_t classes = 0;
	size_t i;

	for (i = 0; i < probes__nr(r->probes); i++)
		classes |= calibrate__classes_of(probes__functions(r->probes)[i].function);
	return classes;
}

/* Without costs the recording is as good as probes get without correction; the reply tells. */
static void recording__calibrate(struct recording *r)
{
	struct fn_error failure = { 0 };

	if (calibrate__probes(r->xprobe, recording__classes(r), &r->calibration, &failure)) {
		log__line("%s", failure.message);
		snprintf(r->calibration.note, sizeof(r->calibration.note), "%s",
			 failure.message);
	}
}

static int recording__reply(struct recording *r, uint32_t request_id, const uint8_t *token,
			    uint64_t start_ns, uint64_t attach_ns)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	size_t nr = probes__nr(r->probes), i;
	Kview__Wire__AttachedProbe **list = message_list__new(nr, sizeof(**list));
	char *metadata = NULL;
	int result = -1;

	if (!list)
		goto out;
	reply.start_ns = start_ns;
	reply.realtime_offset_ns = clock__realtime_offset_ns();
	reply.filter = KVIEW__WIRE__FILTER__FILTER_IN;
	reply.filter_note = (char *)"Filtered in the eBPF programs: other processes pay about 0.2 µs at each of their context switches, and nothing at the probes, which are in the traced process alone.";
	reply.attach_ns = attach_ns;
	reply.calibration_note = r->calibration.note;
	if (token)
		reply.resume_token = (ProtobufCBinaryData){ RENDEZVOUS_TOKEN_BYTES,
							    (uint8_t *)token };
	if (r->events) {
		metadata = recording__metadata(r, reply.realtime_offset_ns);
		if (!metadata)
			goto out;
		reply.ctf_metadata = metadata;
	}
	for (i = 0; i < nr; i++) {
		const struct fn_function *f = probes__functions(r->probes)[i].function;
		struct xp_cost cost = r->calibration.costs[calibrate__dearest_of(f)];

		kview__wire__attached_probe__init(list[i]);
		list[i]->function_id = i;
		list[i]->exit_kind = (Kview__Wire__ExitKind)f->exit_kind;
		list[i]->exit_sites = f->nr_sites;
		list[i]->inner_cost_ns = cost.inner_ns;
		list[i]->call_cost_ns = cost.call_ns;
		list[i]->forced = f->forced;
		list[i]->goes_on_to = fn_function__goes_on_unseen(f, &list[i]->n_goes_on_to);
	}
	reply.n_probes = nr;
	reply.probes = list;
	r->sink.send(r->sink.context, request_id, KVIEW__WIRE__FROM_AGENT__BODY_START_RECORDING,
		     &reply);
	result = 0;
out:
	for (i = 0; list && i < reply.n_probes; i++)
		free(list[i]->goes_on_to);
	free(list);
	free(metadata);
	return result;
}

static int recording__load(struct recording *r, const Kview__Wire__StartRecordingRequest *request,
			   struct fn_error *error)
{
	struct xprobe_opts opts = { .events = request->events, .ring_bytes = RING_BYTES };

	r->probes = probes__find(request, error);
	if (!r->probes)
		return -1;
	opts.nr_functions = probes__nr(r->probes);
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

struct recording *recording__start(const Kview__Wire__StartRecordingRequest *request,
				   uint32_t request_id, const uint8_t *token,
				   const struct recording_sink *sink,
				   struct calibration *latest, struct fn_error *error)
{
	struct fn_process_safety safety;
	struct recording *r;
	uint64_t attach_ns;

	if (check_filter(request, error))
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	r->sink = *sink;
	r->pid = request->pid;
	r->interval_ms = request->interval_ms ? request->interval_ms : DEFAULT_INTERVAL_MS;
	if (r->interval_ms < MIN_INTERVAL_MS)
		r->interval_ms = MIN_INTERVAL_MS;
	r->cpu_before_ns = usage__cpu_ns();
	if (getrandom(r->uuid, sizeof(r->uuid), 0) != sizeof(r->uuid)) {
		error__set(error, ERR_FAILED, "No random number could be had: %s.", strerror(errno));
		goto fail;
	}
	if (recording__load(r, request, error))
		goto fail;
	fn_process_safety__read(&safety, r->pid);
	xprobe__set_one_stack(r->xprobe, safety.one_stack);
	recording__calibrate(r);
	if (r->calibration.measured)
		calibration__learn(latest, &r->calibration);
	r->missed_before = xprobe__missed_runs(r->xprobe);

	attach_ns = clock__now_ns();
	if (request->events && recording__open_events(r, attach_ns, error))
		goto fail;
	xprobe__reset_counters(r->xprobe);
	if (xprobe__attach(r->xprobe, r->pid, probes__functions(r->probes),
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
	xprobe__free_children(r->xprobe);
	return !xprobe__has_executed(r->xprobe) || spending__executed(r->spending) ? NULL :
	       spending__message(r->spending);
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
	losses__of_calls(losses, &counts, probes__nr(r->probes), last);
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
	losses.figures_lost = histograms__take(r->histograms, &functions, &nr);
	recording__losses(r, &losses, last);
	delta.losses = &losses;
	spending__tell(r->spending, &delta);
	for (at = 0; at < nr; at++)
		spending__tell_function(r->spending, functions[at]);
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

const char *recording__watch_cost(struct recording *r)
{
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
