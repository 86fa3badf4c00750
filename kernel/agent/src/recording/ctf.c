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

/* The metadata's text; what stands between two '@' is filled in, by one of the blanks below. */
static const char layout[] =
#include "trace_tsdl.h"
;

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

	for (i = 0; i < trace->nr_functions; i++) {
		const char *name = trace->function_names[i];
		char *unique = NULL;

		/* Static functions of one name: a label may stand only once. */
		if (name__is_taken(trace, i) && asprintf(&unique, "%s#%zu", name, i) > 0)
			name = unique;
		fputs(i ? ",\n\t" : "", text);
		put_string(text, name);
		fprintf(text, " = %zu", i);
		free(unique);
	}
	if (!trace->nr_functions)
		fputs("\"none\" = 0", text);
}

static void put_uuid(FILE *text, const struct ctf_trace *trace)
{
	const uint8_t *u = trace->uuid;

	fprintf(text,
		"\"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\"",
		u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11],
		u[12], u[13], u[14], u[15]);
}

static void put_hostname(FILE *text, const struct ctf_trace *trace)
{
	put_string(text, trace->hostname);
}

static void put_traced_pid(FILE *text, const struct ctf_trace *trace)
{
	fprintf(text, "%d", trace->traced_pid);
}

/* In one number: Trace Compass 6.2 passes over offset_s. */
static void put_realtime_offset(FILE *text, const struct ctf_trace *trace)
{
	fprintf(text, "%lld", (long long)trace->realtime_offset_ns);
}

static const struct blank {
	const char *name;
	void (*put)(FILE *text, const struct ctf_trace *trace);
} blanks[] = {
	{ "uuid", put_uuid },
	{ "hostname", put_hostname },
	{ "target_pid", put_traced_pid },
	{ "realtime_offset_ns", put_realtime_offset },
	{ "functions", put_functions },
};

static void put_blank(FILE *text, const char *name, size_t length, const struct ctf_trace *trace)
{
	size_t i;

	for (i = 0; i < sizeof(blanks) / sizeof(*blanks); i++)
		if (strlen(blanks[i].name) == length && !strncmp(blanks[i].name, name, length))
			blanks[i].put(text, trace);
}

char *ctf__metadata(const struct ctf_trace *trace)
{
	const char *at = layout, *end;
	char *result = NULL;
	FILE *text;
	size_t length;
	bool blank;

	text = open_memstream(&result, &length);
	if (!text)
		return NULL;
	for (blank = false; *at; blank = !blank, at = *end ? end + 1 : end) {
		end = strchrnul(at, '@');
		if (blank)
			put_blank(text, at, end - at, trace);
		else
			fwrite(at, 1, end - at, text);
	}
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
