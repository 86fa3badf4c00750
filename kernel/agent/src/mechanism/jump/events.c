// SPDX-License-Identifier: GPL-2.0
/* The single calls that stamps tell of, as events of a recording. */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/events.h"
#include "mechanism/jump/state.h"
#include "mechanism/jump/told_threads.h"
#include "place/axis.h"
#include "place/call_rings.h"

#define LOOK_NS		5000000
#define BATCH		16384	/* that are handed over at a time: they wait for those of the kernel's ring */
#define MOST_RINGS	16
#define LEAST_SLOTS	(1u << 12)
#define MOST_SLOTS	(1u << 18)	/* two such rings fill in 0.1 s with 5 million events a second */

struct jump_events {
	struct jumps *jumps;
	struct call_rings rings;
	struct axis axis;
	struct told_threads *threads;
	uint64_t settled_ns;
	uint64_t lost[XP_MAX_CPUS];	/* of threads that are not known */
	int timer;			/* when to look again */
};

struct taker {
	void (*take)(void *context, const struct xp_event *event, size_t bytes);
	void *context;
};

static void event__begin(struct xp_event *event, const struct told_call *call, uint64_t ns, uint32_t tid)
{
	*event = (struct xp_event){ .reserved_ns = ns, .time_ns = ns, .tid = tid, .cpu = call->processor & (XP_MAX_CPUS - 1),
				    .type = call->is_end ? XP_CALL_EXIT : XP_CALL_ENTRY };
}

static void tell_entry(struct jump_events *events, const struct told_call *call, uint32_t point, uint64_t ns, struct told_id id,
		       const struct taker *taker)
{
	struct xp_event_call event = {
		.function = point, .depth = told_threads__enter(events->threads, id, call->place, call->ticks, ns),
	};

	event__begin(&event.head, call, ns, id.tid);
	taker->take(taker->context, &event.head, sizeof(event));
}

static void tell_end(struct jump_events *events, const struct told_call *call, uint32_t point, uint64_t ns, struct told_id id,
		     const struct taker *taker)
{
	struct xp_event_exit_causes event = { .exit = { .call.function = point, .wall_ns = call->wall_ns, .on_cpu_ns = call->wall_ns } };

	uint64_t begin_ns;
	uint32_t depth;

	if (!told_threads__leave(events->threads, id, call->place, call->began, &depth, &begin_ns))
		begin_ns = axis__ns(&events->axis, call->began);
	event.exit.begin_ns = begin_ns;
	event.exit.call.depth = depth;
	event__begin(&event.exit.call.head, call, ns, id.tid);
	for (int i = 0; i < XP_CAUSES; i++) {
		event.off_ns[i] = call->cause_ns[i];
		event.exit.on_cpu_ns -= call->cause_ns[i];
		event.exit.call.head.cause += call->cause_ns[i] != 0;
	}
	taker->take(taker->context, &event.exit.call.head, event.exit.call.head.cause ? sizeof(event) : sizeof(event.exit));
}

static void tell(struct jump_events *events, const struct told_call *call, uint64_t ns, const struct taker *taker)
{
	const struct jump_file *file = &events->jumps->files[call->source];
	struct told_id id = told_threads__by_base(events->threads, call->base, (struct told_id){ call->thread, call->born });

	if (!id.tid || call->function >= file->nr || !jump_file__measures(file, call->function))
		events->lost[call->processor & (XP_MAX_CPUS - 1)]++;
	else
		(call->is_end ? tell_end : tell_entry)(events, call, file->points[call->function], ns, id, taker);
}

/* How many were handed over, in the order of time. */
static uint32_t tell_some(struct jump_events *events, uint64_t until_ns, const struct taker *taker)
{
	struct told_call call;
	uint64_t oldest;
	uint32_t nr;

	for (nr = 0; nr < BATCH && call_rings__oldest(&events->rings, &oldest); nr++) {
		uint64_t ns = axis__ns(&events->axis, oldest);

		if (ns > until_ns)
			break;
		events->settled_ns = ns;
		if (call_rings__take(&events->rings, &call))
			tell(events, &call, ns, taker);
	}
	return nr;
}

static bool jump_events__read(struct mechanism *mechanism, uint64_t now_ns,
			      void (*take)(void *context, const struct xp_event *event, size_t bytes), void *context)
{
	struct jump_events *events = jumps__of(mechanism)->events;
	bool is_over = events->jumps->has_ended;
	uint64_t ticks = axis__look(&events->axis, is_over), times, settled_ns;
	uint32_t nr;

	if (read(events->timer, &times, sizeof(times)) < 0 && errno != EAGAIN)
		log__line("the timer could not be read: %s", strerror(errno));
	if (events->jumps->is_spoiled || call_rings__look(&events->rings, ticks, now_ns, is_over)) {
		events->jumps->is_spoiled = true;
		events->settled_ns = now_ns;
		return false;
	}
	nr = tell_some(events, now_ns, &(struct taker){ take, context });
	call_rings__release(&events->rings);
	settled_ns = axis__ns(&events->axis, call_rings__settled(&events->rings));
	if (nr < BATCH && settled_ns > events->settled_ns)
		events->settled_ns = settled_ns < now_ns ? settled_ns : now_ns;
	return nr;
}

static uint64_t jump_events__settled_ns(const struct mechanism *mechanism)
{
	return ((const struct jumps *)mechanism)->events->settled_ns;
}

static uint64_t jump_events__dropped(const struct mechanism *mechanism, uint32_t processor)
{
	const struct jump_events *events = ((const struct jumps *)mechanism)->events;

	return call_rings__dropped(&events->rings, processor) + events->lost[processor];
}

static int jump_events__fd(const struct mechanism *mechanism)
{
	return ((const struct jumps *)mechanism)->events->timer;
}

static const struct mechanism_reader reader = {
	.read = jump_events__read, .settled_ns = jump_events__settled_ns, .dropped = jump_events__dropped, .fd = jump_events__fd,
};

void jump_events__lay_out(struct shared_layout *layout, size_t nr_files)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	layout->rings = 1;
	layout->slots = LEAST_SLOTS;
	while (layout->rings < processors && layout->rings < MOST_RINGS)
		layout->rings *= 2;
	while (layout->slots < MOST_SLOTS &&
	       2ull * layout->slots * layout->rings * nr_files * sizeof(struct jump_ring_slot) <= SHARED_RINGS_BYTES)
		layout->slots *= 2;
}

int jump_events__open(struct jumps *jumps)
{
	const struct itimerspec often = { { 0, LOOK_NS }, { 0, LOOK_NS } };
	struct jump_events *events = calloc(1, sizeof(*events));

	jumps->events = events;
	if (!events)
		return -1;
	events->jumps = jumps;
	events->threads = told_threads__new();
	events->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (!events->threads || events->timer < 0 || timerfd_settime(events->timer, 0, &often, NULL))
		return -1;
	axis__look(&events->axis, true);
	jumps->base.ring = (struct mechanism_ring){ jumps->clocks.events, jumps->clocks.events_dropped };
	jumps->base.reader = &reader;
	return 0;
}

int jump_events__add(struct jumps *jumps, uint32_t file)
{
	const struct remote *remote = &jumps->files[file].remote;
	uint8_t *first = (void *)shared__ring(remote->shared, &remote->layout, 0), *end = (uint8_t *)remote->shared + remote->shared_bytes;

	/* The pages are there, and are the agent's, before the first call needs them. */
	memset(first, 0, end - first);
	return call_rings__add(&jumps->events->rings, remote->shared, &remote->layout, file);
}

void jump_events__close(struct jumps *jumps)
{
	if (!jumps->events)
		return;
	call_rings__free(&jumps->events->rings);
	told_threads__free(jumps->events->threads);
	if (jumps->events->timer >= 0)
		close(jumps->events->timer);
	free(jumps->events);
	jumps->events = NULL;
}
