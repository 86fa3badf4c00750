// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/ctf.h"

#define MAGIC		0xC1FC1FC1U
/* Those of lower numbers are the programs' own: enum xp_event_type. */
#define THREAD_EVENT	6
/* u32 magic, u8 uuid[16], u32 stream_id */
#define HEADER_BYTES	24
/* u64 begin, end, content_size, packet_size, sequence, discarded; u32 cpu */
#define CONTEXT_BYTES	52

/* What the causes are called in the trace, by enum xp_metric. */
static const char *const cause_names[XP_METRICS] = {
	[XP_RUN_QUEUE] = "run_queue", [XP_PREEMPTED] = "preempted",
	[XP_BLOCK_IO] = "block_io", [XP_LOCK] = "lock", [XP_SLEEP] = "sleep",
	[XP_NETWORK] = "network", [XP_PAGE_FAULT] = "page_fault", [XP_STEAL] = "steal",
	[XP_OTHER] = "other", [XP_THROTTLED] = "throttled", [XP_STOPPED] = "stopped",
};

static const char types[] =
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := s32;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char8;\n";

static const char stream_and_events[] =
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct {\n"
	"\t\tu64c timestamp_begin;\n\t\tu64c timestamp_end;\n"
	"\t\tu64 content_size;\n\t\tu64 packet_size;\n\t\tu64 packet_seq_num;\n"
	"\t\tu64 events_discarded;\n\t\tu32 cpu_id;\n"
	"\t};\n"
	"\tevent.header := struct { u32 id; u64c timestamp; };\n"
	"};\n"
	"event {\n\tname = \"kview:call_entry\";\n\tid = 0;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; function_id function; u16 depth; };\n};\n"
	"event {\n\tname = \"kview:call_exit\";\n\tid = 1;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; function_id function; u16 depth; u64 begin; u64 wall;\n"
	"\t\tu64 on_cpu; u8 causes_length;\n"
	"\t\tstruct { cause_id cause; u64 ns; } causes[causes_length]; };\n};\n"
	"event {\n\tname = \"kview:switch_out\";\n\tid = 2;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; cause_id cause; s32 syscall; };\n};\n"
	"event {\n\tname = \"kview:wakeup\";\n\tid = 3;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; u32 waker_tid; u8 waker_comm_length;\n"
	"\t\tchar8 waker_comm[16]; };\n};\n"
	"event {\n\tname = \"kview:switch_in\";\n\tid = 4;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; u64 off_ns; u64 queued_ns; };\n};\n"
	"event {\n\tname = \"kview:thread_exit\";\n\tid = 5;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; };\n};\n"
	"event {\n\tname = \"kview:thread\";\n\tid = 6;\n\tstream_id = 0;\n"
	"\tfields := struct { u32 tid; u32 pid; u8 name_length; char8 name[16]; };\n};\n";

/* A quoted string.  Anything beyond printable ASCII becomes '?': readers differ there. */
static void put_string(FILE *text, const char *string)
{
	const unsigned char *c;

	fputc('"', text);
	for (c = (const unsigned char *)string; *c; c++) {
		if (*c == '"' || *c == '\\')
			fputc('\\', text);
		fputc(*c < 0x20 || *c > 0x7e ? '?' : *c, text);
	}
	fputc('"', text);
}

static bool name__is_taken(const struct ctf_trace *trace, size_t id)
{
	size_t i;

	for (i = 0; i < id; i++)
		if (!strcmp(trace->function_names[i], trace->function_names[id]))
			return true;
	return false;
}

static void put_functions(FILE *text, const struct ctf_trace *trace)
{
	size_t i;

	fputs("typealias enum : u32 {", text);
	for (i = 0; i < trace->nr_functions; i++) {
		const char *name = trace->function_names[i];
		char *unique = NULL;

		/* Static functions of one name: a label may stand only once. */
		if (name__is_taken(trace, i) && asprintf(&unique, "%s#%zu", name, i) > 0)
			name = unique;
		fputs(i ? ",\n\t" : "\n\t", text);
		put_string(text, name);
		fprintf(text, " = %zu", i);
		free(unique);
	}
	if (!trace->nr_functions)
		fputs("\n\t\"none\" = 0", text);
	fputs("\n} := function_id;\n", text);
}

char *ctf__metadata(const struct ctf_trace *trace)
{
	char uuid[37], *result = NULL;
	const uint8_t *u = trace->uuid;
	FILE *text;
	size_t length;
	int i;

	text = open_memstream(&result, &length);
	if (!text)
		return NULL;
	snprintf(uuid, sizeof(uuid),
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		 u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11],
		 u[12], u[13], u[14], u[15]);
	fprintf(text, "/* CTF 1.8 */\n%s", types);
	fprintf(text, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n\tbyte_order = le;\n"
		"\tpacket.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };\n};\n", uuid);
	fputs("env {\n\thostname = ", text);
	put_string(text, trace->hostname);
	fprintf(text, ";\n\ttracer_name = \"kview\";\n\ttracer_major = 0;\n"
		"\ttracer_minor = 3;\n\ttarget_pid = %d;\n};\n", trace->target_pid);
	/* The offset in one number: Trace Compass 6.2 passes over offset_s. */
	fprintf(text, "clock {\n\tname = \"monotonic\";\n\tdescription = \"CLOCK_MONOTONIC\";\n"
		"\tfreq = 1000000000;\n\toffset = %lld;\n};\n",
		(long long)trace->realtime_offset_ns);
	fputs("typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := u64c;\n",
	      text);
	put_functions(text, trace);
	fputs("typealias enum : u8 {", text);
	for (i = XP_FIRST_CAUSE; i < XP_METRICS; i++)
		fprintf(text, "%s\n\t\"%s\" = %d", i == XP_FIRST_CAUSE ? "" : ",", cause_names[i], i);
	fputs("\n} := cause_id;\n", text);
	fputs(stream_and_events, text);
	if (fclose(text)) {
		free(result);
		return NULL;
	}
	return result;
}

static uint8_t *put(uint8_t *at, uint64_t value, int bytes)
{
	while (bytes--) {
		*at++ = value;
		value >>= 8;
	}
	return at;
}

static uint8_t *put_exit(uint8_t *at, const struct xp_event *event)
{
	const struct xp_event_exit_causes *e = (const void *)event;
	int i;

	at = put(at, e->exit.begin_ns, 8);
	at = put(at, e->exit.wall_ns, 8);
	at = put(at, e->exit.on_cpu_ns, 8);
	/* Without causes the record is the short one: off_ns is not there. */
	at = put(at, event->cause, 1);
	for (i = 0; event->cause && i < XP_CAUSES; i++) {
		if (!e->off_ns[i])
			continue;
		at = put(at, XP_FIRST_CAUSE + i, 1);
		at = put(at, e->off_ns[i], 8);
	}
	return at;
}

static uint8_t *put_name(uint8_t *at, const char *name)
{
	size_t length = strnlen(name, CTF_NAME_BYTES);

	at = put(at, length, 1);
	memset(at, 0, CTF_NAME_BYTES);
	memcpy(at, name, length);
	return at + CTF_NAME_BYTES;
}

static uint8_t *put_wakeup(uint8_t *at, const struct xp_event_wakeup *event)
{
	_Static_assert(sizeof(event->waker_comm) == CTF_NAME_BYTES, "names are of one length");

	at = put(at, event->waker_tid, 4);
	return put_name(at, event->waker_comm);
}

size_t ctf__event(uint8_t *bytes, const struct xp_event *event)
{
	const struct xp_event_call *call = (const void *)event;
	const struct xp_event_switch_out *out = (const void *)event;
	const struct xp_event_switch_in *in = (const void *)event;
	uint8_t *at = bytes;

	at = put(at, event->type, 4);
	at = put(at, event->time_ns, 8);
	at = put(at, event->tid, 4);
	switch (event->type) {
	case XP_CALL_ENTRY:
	case XP_CALL_EXIT:
		at = put(at, call->function, 4);
		at = put(at, call->depth, 2);
		if (event->type == XP_CALL_EXIT)
			at = put_exit(at, event);
		break;
	case XP_SWITCH_OUT:
		at = put(at, event->cause, 1);
		at = put(at, (uint32_t)out->syscall, 4);
		break;
	case XP_WAKEUP:
		at = put_wakeup(at, (const void *)event);
		break;
	case XP_SWITCH_IN:
		at = put(at, in->off_ns, 8);
		at = put(at, in->queued_ns, 8);
		break;
	}
	return at - bytes;
}

int ctf_packet__init(struct ctf_packet *packet, size_t capacity)
{
	packet->bytes = malloc(capacity);
	if (!packet->bytes)
		return -1;
	packet->capacity = capacity;
	ctf_packet__empty(packet);
	return 0;
}

void ctf_packet__free(struct ctf_packet *packet)
{
	free(packet->bytes);
	packet->bytes = NULL;
}

bool ctf_packet__has_room(const struct ctf_packet *packet)
{
	return packet->length + CTF_EVENT_MAX_BYTES <= packet->capacity;
}

static void ctf_packet__count(struct ctf_packet *packet, uint64_t time_ns)
{
	if (!packet->events)
		packet->begin_ns = time_ns;
	packet->end_ns = time_ns;
	packet->events++;
}

void ctf_packet__add_thread(struct ctf_packet *packet, uint64_t time_ns, uint32_t tid,
			    uint32_t pid, const char *name)
{
	uint8_t *at = packet->bytes + packet->length;

	ctf_packet__count(packet, time_ns);
	at = put(at, THREAD_EVENT, 4);
	at = put(at, time_ns, 8);
	at = put(at, tid, 4);
	at = put(at, pid, 4);
	packet->length = put_name(at, name) - packet->bytes;
}

void ctf_packet__add(struct ctf_packet *packet, const struct xp_event *event)
{
	ctf_packet__count(packet, event->time_ns);
	packet->length += ctf__event(packet->bytes + packet->length, event);
}

void ctf_packet__close(struct ctf_packet *packet, const uint8_t uuid[16], uint32_t cpu,
		       uint64_t sequence, uint64_t events_discarded)
{
	uint8_t *at = packet->bytes;

	at = put(at, MAGIC, 4);
	memcpy(at, uuid, 16);
	at = put(at + 16, 0, 4);
	at = put(at, packet->begin_ns, 8);
	at = put(at, packet->end_ns, 8);
	at = put(at, packet->length * 8, 8);
	at = put(at, packet->length * 8, 8);
	at = put(at, sequence, 8);
	at = put(at, events_discarded, 8);
	put(at, cpu, 4);
}

void ctf_packet__empty(struct ctf_packet *packet)
{
	packet->length = HEADER_BYTES + CONTEXT_BYTES;
	packet->events = 0;
}
