// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "recording/rings.h"

#define BATCH	512	/* records between two looks at the wire */

struct source {
	struct rings *rings;
	const struct mechanisms_ring *ring;
	uint64_t settled_ns;		/* of this ring, see struct xp_event */
};

struct rings {
	struct rings_opts opts;
	struct ring_buffer *buffers;
	struct source *sources;		/* by ring */
};

/* The mechanism's ids of points become the recording's.  -1: there is no such point. */
static int event__translate(union any_event *event, const struct mechanisms_ring *ring)
{
	if (event->head.type != XP_CALL_ENTRY && event->head.type != XP_CALL_EXIT)
		return 0;
	if (event->call.function >= ring->nr)
		return -1;
	event->call.function = ring->points[event->call.function];
	return 0;
}

static int source__take(void *context, void *data, size_t size)
{
	struct source *source = context;
	const struct rings_opts *opts = &source->rings->opts;
	const struct xp_event *head = data;
	union any_event event;

	if (head->cpu >= XP_MAX_CPUS)
		return 0;
	if (head->reserved_ns > source->settled_ns)
		source->settled_ns = head->reserved_ns;
	if (head->time_ns < opts->start_ns)
		return 0;
	if (size <= sizeof(event))
		memcpy(&event, data, size);
	opts->event(opts->context, head->cpu,
		    size > sizeof(event) || event__translate(&event, source->ring) ? NULL : &event);
	return 0;
}

struct rings *rings__new(const struct rings_opts *opts)
{
	struct rings *rings = calloc(1, sizeof(*rings));
	size_t i;

	if (!rings)
		return NULL;
	rings->opts = *opts;
	rings->sources = calloc(opts->nr, sizeof(*rings->sources));
	for (i = 0; rings->sources && i < opts->nr; i++) {
		struct source *source = &rings->sources[i];
		int fd = opts->rings[i].ring.fd;

		*source = (struct source){ rings, &opts->rings[i], 0 };
		if (!i)
			rings->buffers = ring_buffer__new(fd, source__take, source, NULL);
		if (!rings->buffers || (i && ring_buffer__add(rings->buffers, fd, source__take, source)))
			break;
	}
	if (rings->sources && i == opts->nr)
		return rings;
	rings__free(rings);
	return NULL;
}

void rings__free(struct rings *rings)
{
	if (!rings)
		return;
	ring_buffer__free(rings->buffers);
	free(rings->sources);
	free(rings);
}

int rings__fd(const struct rings *rings)
{
	return ring_buffer__epoll_fd(rings->buffers);
}

bool rings__read(struct rings *rings, uint64_t now_ns)
{
	bool is_some = false;
	size_t i;

	for (i = 0; i < rings->opts.nr; i++) {
		struct ring *ring = ring_buffer__ring(rings->buffers, i);
		struct source *source = &rings->sources[i];

		/* Data that can't be consumed: its writer was preempted; the next read has it. */
		if (ring__avail_data_size(ring))
			is_some |= ring__consume_n(ring, BATCH) > 0;
		/* What is reserved from now on is younger than the look at the clock. */
		else if (now_ns > source->settled_ns)
			source->settled_ns = now_ns;
	}
	return is_some;
}

uint64_t rings__settled_ns(const struct rings *rings)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < rings->opts.nr; i++)
		if (rings->sources[i].settled_ns < least)
			least = rings->sources[i].settled_ns;
	return least;
}

uint64_t rings__dropped(const struct rings *rings, uint32_t cpu)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < rings->opts.nr; i++)
		sum += *(const volatile uint64_t *)&rings->opts.rings[i].ring.dropped[cpu];
	return sum;
}
