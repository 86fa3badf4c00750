// SPDX-License-Identifier: GPL-2.0
/*
 * Speaks as the agent does, over the agent's own wire and link, and makes events at a set rate
 * without probes: to see what SSH, the workbench and its disk take.
 *
 * KVIEW_FLOOD_RATE events a second are made for KVIEW_FLOOD_MS; compiled in, for a program that
 * is started on another host gets no environment.  Half of them are entries, half exits.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "client/link.h"
#include "client/rendezvous.h"
#include "client/wire.h"
#include "recording/ctf.h"

#define PACKET_BYTES	(64UL << 10)
#define TICK_NS		2000000ULL

struct flood {
	struct loop *loop;
	struct wire *wire;
	struct link *link;
	struct loop_source tick;
	struct ctf_packet packet;
	uint64_t begin_ns, sequence, made, dropped;
	uint8_t uuid[16];
};

static void reply_hello(struct flood *f, uint32_t id)
{
	Kview__Wire__HelloReply reply = KVIEW__WIRE__HELLO_REPLY__INIT;

	reply.protocol_version = 1;
	reply.agent_version = reply.hostname = reply.kernel_release = (char *)"flood";
	reply.link = true;
	wire__send(f->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_HELLO, &reply);
}

static void reply_processes(struct flood *f, uint32_t id)
{
	Kview__Wire__ListProcessesReply reply = KVIEW__WIRE__LIST_PROCESSES_REPLY__INIT;
	Kview__Wire__Process process = KVIEW__WIRE__PROCESS__INIT, *list = &process;

	process.pid = 1;
	process.name = (char *)"flood";
	reply.n_processes = 1;
	reply.processes = &list;
	wire__send(f->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_LIST_PROCESSES, &reply);
}

static void reply_functions(struct flood *f, uint32_t id)
{
	Kview__Wire__FindFunctionsReply reply = KVIEW__WIRE__FIND_FUNCTIONS_REPLY__INIT;
	Kview__Wire__Function function = KVIEW__WIRE__FUNCTION__INIT, *list = &function;

	function.name = function.symbol = function.binary = (char *)"flood";
	function.probeable = true;
	reply.n_functions = reply.total_matches = 1;
	reply.functions = &list;
	wire__send(f->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_FIND_FUNCTIONS, &reply);
}

static void send_packet(struct flood *f)
{
	Kview__Wire__EventPacket packet = KVIEW__WIRE__EVENT_PACKET__INIT;

	ctf_packet__close(&f->packet, f->uuid, 0, f->sequence++, f->dropped);
	packet.packet = (ProtobufCBinaryData){ f->packet.length, f->packet.bytes };
	packet.events = f->packet.events;
	wire__send(f->wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET, &packet);
	ctf_packet__empty(&f->packet);
}

static void make_events(struct flood *f, uint64_t due, uint64_t now_ns)
{
	struct xp_event_exit event = { .call.head = { .time_ns = now_ns, .tid = 1 } };

	for (; f->made < due; f->made++) {
		if (!ctf_packet__has_room(&f->packet)) {
			if (wire__must_wait(f->wire, WIRE_EVENTS)) {
				f->dropped += due - f->made;
				f->made = due;
				return;
			}
			send_packet(f);
		}
		event.call.head.type = f->made & 1 ? XP_CALL_EXIT : XP_CALL_ENTRY;
		ctf_packet__add(&f->packet, &event.call.head);
	}
}

static void end(struct flood *f)
{
	Kview__Wire__HistogramDelta delta = KVIEW__WIRE__HISTOGRAM_DELTA__INIT;
	Kview__Wire__FunctionDelta function = KVIEW__WIRE__FUNCTION_DELTA__INIT, *functions = &function;
	Kview__Wire__MetricDelta wall = KVIEW__WIRE__METRIC_DELTA__INIT, *metrics = &wall;
	Kview__Wire__RecordingEnded ended = KVIEW__WIRE__RECORDING_ENDED__INIT;
	Kview__Wire__Losses losses = KVIEW__WIRE__LOSSES__INIT;
	uint32_t bucket = 0;

	loop__close(f->loop, &f->tick);
	send_packet(f);
	losses.events_dropped = f->dropped;
	function.calls = wall.count = f->made / 2;
	wall.n_bucket_index = wall.n_bucket_count = 1;
	wall.bucket_index = &bucket;
	wall.bucket_count = &wall.count;
	function.n_metrics = 1;
	function.metrics = &metrics;
	delta.begin_ns = f->begin_ns;
	delta.end_ns = ended.end_ns = clock__now_ns();
	delta.losses = &losses;
	delta.n_functions = 1;
	delta.functions = &functions;
	delta.last = true;
	wire__send(f->wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_HISTOGRAM_DELTA, &delta);
	ended.reason = KVIEW__WIRE__RECORDING_ENDED__REASON__PROCESS_ENDED;
	wire__send(f->wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_RECORDING_ENDED, &ended);
	link__let_go(f->link);
}

static void ticked(void *context, uint32_t events)
{
	struct flood *f = context;
	uint64_t now_ns = clock__now_ns(), spent_ms;

	timer__expired(f->tick.fd);
	spent_ms = (now_ns - f->begin_ns) / 1000000;
	if (spent_ms > KVIEW_FLOOD_MS)
		spent_ms = KVIEW_FLOOD_MS;
	make_events(f, KVIEW_FLOOD_RATE / 1000 * spent_ms / 2 * 2, now_ns);
	if (spent_ms == KVIEW_FLOOD_MS)
		end(f);
}

static void start(struct flood *f, uint32_t id, const Kview__Wire__StartRecordingRequest *request)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	Kview__Wire__AttachedProbe probe = KVIEW__WIRE__ATTACHED_PROBE__INIT, *probes = &probe;
	const char *const names[] = { "flood" };
	struct ctf_trace trace = { .hostname = "flood", .function_names = names, .nr_functions = 1 };
	struct error error = { 0 };
	const uint8_t *token = request->grace_ms ? link__keep(f->link, request->grace_ms, &error) : NULL;

	f->begin_ns = reply.start_ns = clock__now_ns();
	reply.realtime_offset_ns = trace.realtime_offset_ns = clock__realtime_offset_ns();
	reply.filter = KVIEW__WIRE__FILTER__FILTER_IN;
	reply.n_probes = 1;
	reply.probes = &probes;
	reply.ctf_metadata = ctf__metadata(&trace);
	if (token)
		reply.resume_token = (ProtobufCBinaryData){ RENDEZVOUS_TOKEN_BYTES, (uint8_t *)token };
	wire__send(f->wire, id, KVIEW__WIRE__FROM_AGENT__BODY_START_RECORDING, &reply);
	loop__tick(f->loop, &f->tick, TICK_NS, TICK_NS, ticked, f);
}

static void take(void *context, const Kview__Wire__ToAgent *request)
{
	struct flood *f = context;

	if (link__take(f->link, request))
		return;
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_HELLO:
		link__offer(f->link, request->hello);
		return reply_hello(f, request->request_id);
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_PROCESSES:
		return reply_processes(f, request->request_id);
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_FUNCTIONS:
		return reply_functions(f, request->request_id);
	case KVIEW__WIRE__TO_AGENT__BODY_START_RECORDING:
		return start(f, request->request_id, request->start_recording);
	default:
		return;
	}
}

static void wire_ended(void *context, const char *reason)
{
	struct flood *f = context;

	link__lost(f->link, reason);
}

static void drained(void *context)
{
}

static void over(void *context, int exit_code)
{
	struct flood *f = context;

	loop__stop(f->loop);
}

int main(void)
{
	static struct flood f;
	struct wire_opts wire_opts = {
		.in_fd = 0, .out_fd = 1, .request = take, .ended = wire_ended, .drained = drained,
		.context = &f,
	};
	struct link_opts link_opts = { .over = over, .context = &f };

	f.loop = wire_opts.loop = link_opts.loop = loop__new();
	if (!f.loop || ctf_packet__init(&f.packet, PACKET_BYTES))
		return 1;
	f.tick.fd = -1;
	f.link = link__new(&link_opts);
	f.wire = wire__new(&wire_opts);
	if (!f.link || !f.wire)
		return 1;
	link__use(f.link, f.wire);
	loop__run(f.loop);
	link__free(f.link, 0);
	wire__free(f.wire);
	return 0;
}
