// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/precedence.h"
#include "permission/permission.h"
#include "recording/events.h"
#include "recording/sources.h"
#include "recording/thread_names.h"

/*
 * For every four CPUs: as many events as the reader is behind by have to fit in.  It maps the ring twice in a row, so
 * it counts twice in the agent's resident set size.
 */
#define RING_BYTES		(4U << 20)
#define MAX_RING_BYTES		(32U << 20)

#define PACKET_BYTES	(64UL << 10)
#define MAX_GAPS	64

/*
 * Events are dropped where the ring is full: at the writers' end, while the reader is as far
 * behind as the ring is long.  So drops that were counted at a time belong between the
 * events before it and those after it, however long those before still wait to be read.
 */
struct gap {
	uint64_t counted_ns;
	uint64_t dropped;
};

/* held: events whose time may still come after that of one to be read. */
struct stream {
	union any_event *held;	/* by time */
	size_t nr_held, capacity;
	struct gap gaps[MAX_GAPS];	/* by time, after all that is in packets */
	size_t nr_gaps;
	struct ctf_packet packet;
	uint64_t sequence;
	uint64_t last_ns;
	uint64_t told_dropped;		/* as of the packet that is being filled */
	uint64_t sent_dropped;		/* as of the last that was sent */
	uint64_t gap_ns;		/* when the last gap was counted */
	uint64_t lost;			/* for want of the agent's own memory, or out of order */
	bool exists;
};

struct events {
	struct events_opts opts;
	struct sources *sources;
	struct thread_names *names;
	struct stream streams[XP_MAX_CPUS];
	uint32_t nr_streams;
	bool is_over;			/* nothing is to be read any more */
};

static uint64_t dropped__of(const struct events *events, uint32_t cpu)
{
	return sources__dropped(events->sources, cpu) + events->streams[cpu].lost;
}

static uint64_t events__settled_ns(const struct events *events)
{
	return events->is_over ? UINT64_MAX : sources__settled_ns(events->sources);
}

static void stream__send(struct events *events, uint32_t cpu)
{
	struct stream *stream = &events->streams[cpu];

	if (!stream->packet.events)
		stream->packet.begin_ns = stream->packet.end_ns = stream->gap_ns;
	stream->sent_dropped = stream->told_dropped;
	ctf_packet__close(&stream->packet, events->opts.uuid, cpu, stream->sequence++,
			  stream->told_dropped);
	events->opts.packet(events->opts.context, cpu, &stream->packet);
	ctf_packet__empty(&stream->packet);
}

static struct stream *stream__of(struct events *events, uint32_t cpu)
{
	struct stream *stream = &events->streams[cpu];

	if (stream->exists)
		return stream;
	if (ctf_packet__init(&stream->packet, PACKET_BYTES))
		return NULL;
	stream->exists = true;
	stream->last_ns = events->opts.start_ns;
	if (cpu >= events->nr_streams)
		events->nr_streams = cpu + 1;
	return stream;
}

/* Drops that came to light since the last look. */
static void stream__note_gap(struct events *events, uint32_t cpu, uint64_t now_ns)
{
	struct stream *stream = &events->streams[cpu];
	struct gap gap = { now_ns, dropped__of(events, cpu) };
	uint64_t known = stream->nr_gaps ? stream->gaps[stream->nr_gaps - 1].dropped :
					   stream->told_dropped;

	if (gap.dropped == known)
		return;
	/* More than there is room for: the last one reaches further. */
	if (stream->nr_gaps == MAX_GAPS)
		stream->nr_gaps--;
	stream->gaps[stream->nr_gaps++] = gap;
}

/* A gap before the time ends the packet, so that its place is seen. */
static void stream__pass_gaps(struct events *events, uint32_t cpu, uint64_t time_ns)
{
	struct stream *stream = &events->streams[cpu];
	size_t passed = 0;

	while (passed < stream->nr_gaps && stream->gaps[passed].counted_ns < time_ns)
		passed++;
	if (!passed)
		return;
	if (stream->packet.events)
		stream__send(events, cpu);
	stream->told_dropped = stream->gaps[passed - 1].dropped;
	stream->gap_ns = stream->gaps[passed - 1].counted_ns;
	memmove(stream->gaps, stream->gaps + passed,
		(stream->nr_gaps - passed) * sizeof(*stream->gaps));
	stream->nr_gaps -= passed;
}

/*
 * Before the first event of a thread stands what it is called.  Where its state could not be deleted at its end it
 * leaves its CPU once more after it was told to have ended, so leaving begins none.
 */
static void stream__name_thread(struct events *events, uint32_t cpu, const struct xp_event *event)
{
	char name[CTF_NAME_BYTES + 1];

	if (event->type != XP_SWITCH_OUT &&
	    thread_names__meet(events->names, event->tid, event->time_ns, name))
		ctf_packet__add_thread(&events->streams[cpu].packet, event->time_ns, event->tid,
				       events->opts.pid, name);
	if (event->type == XP_THREAD_EXIT)
		thread_names__end(events->names, event->tid, event->time_ns);
}

/* Writes what is settled. */
static void stream__settle(struct events *events, uint32_t cpu)
{
	struct stream *stream = &events->streams[cpu];
	uint64_t settled_ns = events__settled_ns(events);
	size_t i;

	for (i = 0; i < stream->nr_held; i++) {
		const struct xp_event *event = &stream->held[i].head;

		if (event->time_ns > settled_ns)
			break;
		stream__pass_gaps(events, cpu, event->time_ns);
		if (!ctf_packet__has_room(&stream->packet))
			stream__send(events, cpu);
		stream__name_thread(events, cpu, event);
		ctf_packet__add(&stream->packet, event);
		stream->last_ns = event->time_ns;
	}
	/* Mostly nothing is, where a mechanism lags behind the others. */
	if (!i)
		return;
	memmove(stream->held, stream->held + i, (stream->nr_held - i) * sizeof(*stream->held));
	stream->nr_held -= i;
}

static int stream__hold(struct stream *stream, const union any_event *event)
{
	size_t capacity = stream->capacity ? 2 * stream->capacity : 64, at;
	union any_event *held;

	if (stream->nr_held == stream->capacity) {
		held = realloc(stream->held, capacity * sizeof(*held));
		if (!held)
			return -1;
		stream->held = held;
		stream->capacity = capacity;
	}
	for (at = stream->nr_held; at > 0; at--) {
		if (stream->held[at - 1].head.time_ns <= event->head.time_ns)
			break;
		stream->held[at] = stream->held[at - 1];
	}
	stream->held[at] = *event;
	stream->nr_held++;
	return 0;
}

static void events__take(void *context, uint32_t cpu, const union any_event *event)
{
	struct events *events = context;
	struct stream *stream = stream__of(events, cpu);

	/* Older than what was written can't be, see struct xp_event; if ever, it is told. */
	if (!stream || !event || event->head.time_ns < stream->last_ns || stream__hold(stream, event))
		events->streams[cpu].lost++;
	else if (stream->nr_held >= 64)
		stream__settle(events, cpu);
}

uint32_t events__ring_bytes(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t bytes = RING_BYTES;

	/* Users whose memory is limited need it for figures. */
	while (!permission__memory() && bytes < MAX_RING_BYTES && bytes / RING_BYTES * 4 < cpus)
		bytes *= 2;
	return bytes;
}

struct events *events__new(const struct events_opts *opts)
{
	struct events *events = calloc(1, sizeof(*events));
	struct sources_opts sources = {
		.sources = opts->sources, .nr = opts->nr_sources, .start_ns = opts->start_ns,
		.event = events__take, .context = events,
	};

	if (!events)
		return NULL;
	events->opts = *opts;
	events->sources = sources__new(&sources);
	events->names = thread_names__new(opts->pid);
	if (!events->sources || !events->names) {
		events__free(events);
		return NULL;
	}
	return events;
}

void events__free(struct events *events)
{
	uint32_t cpu;

	if (!events)
		return;
	sources__free(events->sources);
	thread_names__free(events->names);
	for (cpu = 0; cpu < events->nr_streams; cpu++) {
		free(events->streams[cpu].held);
		ctf_packet__free(&events->streams[cpu].packet);
	}
	free(events);
}

int events__fd(const struct events *events)
{
	return sources__fd(events->sources);
}

static void events__settle(struct events *events)
{
	uint32_t cpu;

	for (cpu = 0; cpu < events->nr_streams; cpu++)
		if (events->streams[cpu].exists)
			stream__settle(events, cpu);
	thread_names__told_until(events->names, events__settled_ns(events));
}

static void events__note_gaps(struct events *events, uint64_t now_ns)
{
	uint32_t cpu;

	for (cpu = 0; cpu < events->nr_streams; cpu++)
		if (events->streams[cpu].exists)
			stream__note_gap(events, cpu, now_ns);
}

static void events__read_all(struct events *events, bool whoever_waits)
{
	uint64_t now_ns;

	do {
		if (!whoever_waits && events->opts.must_wait(events->opts.context))
			break;
		precedence__renew();
		now_ns = clock__now_ns();
		events__note_gaps(events, now_ns);
	} while (sources__read(events->sources, now_ns));
	events__settle(events);
}

void events__drain(struct events *events, bool flush)
{
	uint32_t cpu;

	events__read_all(events, false);
	for (cpu = 0; flush && cpu < events->nr_streams; cpu++)
		if (events->streams[cpu].exists && events->streams[cpu].packet.events)
			stream__send(events, cpu);
}

/* Names that were given after a thread's first event, at the end of the first stream. */
static void events__rename(void *context, uint32_t tid, const char *name)
{
	struct events *events = context;
	uint32_t cpu = 0;
	struct stream *stream;
	uint64_t now = clock__now_ns();

	while (cpu < events->nr_streams && !events->streams[cpu].exists)
		cpu++;
	if (cpu == events->nr_streams)
		return;
	stream = &events->streams[cpu];
	if (!ctf_packet__has_room(&stream->packet))
		stream__send(events, cpu);
	if (now > stream->last_ns)
		stream->last_ns = now;
	ctf_packet__add_thread(&stream->packet, stream->last_ns, tid, events->opts.pid, name);
}

void events__finish(struct events *events)
{
	struct stream *stream;
	uint32_t cpu;

	events__read_all(events, true);
	events->is_over = true;
	events__settle(events);
	for (cpu = 0; cpu < XP_MAX_CPUS; cpu++) {
		uint64_t dropped = dropped__of(events, cpu);

		if (!events->streams[cpu].exists && (!dropped || !stream__of(events, cpu)))
			continue;
		stream__note_gap(events, cpu, clock__now_ns());
		stream__pass_gaps(events, cpu, UINT64_MAX);
		stream = &events->streams[cpu];
		if (stream->packet.events || stream->told_dropped != stream->sent_dropped)
			stream__send(events, cpu);
	}
	thread_names__changed(events->names, events__rename, events);
	for (cpu = 0; cpu < events->nr_streams; cpu++)
		if (events->streams[cpu].exists && events->streams[cpu].packet.events)
			stream__send(events, cpu);
}

uint64_t events__dropped(const struct events *events)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < XP_MAX_CPUS; cpu++)
		sum += dropped__of(events, cpu);
	return sum;
}
