// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "recording/sources.h"

#define BATCH	512	/* records between two looks at the wire */

struct source {
	struct sources *sources;
	const struct mechanisms_source *of;
	struct ring_buffer *buffer;	/* NULL: it has a reader */
	uint64_t settled_ns;		/* of a ring, see struct xp_event */
};

struct sources {
	struct sources_opts opts;
	struct source *all;
	int epoll_fd;
};

/* The mechanism's ids of points become the recording's.  -1: there is no such point. */
static int event__translate(union any_event *event, const struct mechanisms_source *of)
{
	if (event->head.type != XP_CALL_ENTRY && event->head.type != XP_CALL_EXIT)
		return 0;
	if (event->call.function >= of->nr)
		return -1;
	event->call.function = of->points[event->call.function];
	return 0;
}

static void source__take(void *context, const struct xp_event *head, size_t bytes)
{
	struct source *source = context;
	const struct sources_opts *opts = &source->sources->opts;
	union any_event event;

	if (head->cpu >= XP_MAX_CPUS || head->time_ns < opts->start_ns)
		return;
	if (bytes <= sizeof(event))
		memcpy(&event, head, bytes);
	opts->event(opts->context, head->cpu,
		    bytes > sizeof(event) || event__translate(&event, source->of) ? NULL : &event);
}

static int source__take_record(void *context, void *data, size_t bytes)
{
	struct source *source = context;
	const struct xp_event *head = data;

	if (head->reserved_ns > source->settled_ns)
		source->settled_ns = head->reserved_ns;
	source__take(source, head, bytes);
	return 0;
}

static int source__open(struct source *source)
{
	const struct mechanisms_source *of = source->of;
	struct epoll_event event = { .events = EPOLLIN };
	int fd = -1;

	if (!of->reader) {
		source->buffer = ring_buffer__new(of->ring.fd, source__take_record, source, NULL);
		if (!source->buffer)
			return -1;
		fd = ring_buffer__epoll_fd(source->buffer);
	} else if (of->reader->fd) {
		fd = of->reader->fd(of->mechanism);
	}
	return fd < 0 ? 0 : epoll_ctl(source->sources->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

struct sources *sources__new(const struct sources_opts *opts)
{
	struct sources *sources = calloc(1, sizeof(*sources));
	size_t i;

	if (!sources)
		return NULL;
	sources->opts = *opts;
	sources->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	sources->all = calloc(opts->nr, sizeof(*sources->all));
	for (i = 0; sources->epoll_fd >= 0 && sources->all && i < opts->nr; i++) {
		sources->all[i] = (struct source){ .sources = sources, .of = &opts->sources[i] };
		if (source__open(&sources->all[i]))
			break;
	}
	if (i == opts->nr)
		return sources;
	sources__free(sources);
	return NULL;
}

void sources__free(struct sources *sources)
{
	int error = errno;
	size_t i;

	if (!sources)
		return;
	for (i = 0; sources->all && i < sources->opts.nr; i++)
		ring_buffer__free(sources->all[i].buffer);
	if (sources->epoll_fd >= 0)
		close(sources->epoll_fd);
	free(sources->all);
	free(sources);
	errno = error;
}

int sources__fd(const struct sources *sources)
{
	return sources->epoll_fd;
}

static bool source__read_ring(struct source *source, uint64_t now_ns)
{
	struct ring *ring = ring_buffer__ring(source->buffer, 0);

	/* Data that can't be consumed: its writer was preempted; the next read has it. */
	if (ring__avail_data_size(ring))
		return ring__consume_n(ring, BATCH) > 0;
	/* What is reserved from now on is younger than the look at the clock. */
	if (now_ns > source->settled_ns)
		source->settled_ns = now_ns;
	return false;
}

bool sources__read(struct sources *sources, uint64_t now_ns)
{
	bool is_some = false;
	size_t i;

	for (i = 0; i < sources->opts.nr; i++) {
		struct source *source = &sources->all[i];

		if (source->buffer)
			is_some |= source__read_ring(source, now_ns);
		else
			is_some |= source->of->reader->read(source->of->mechanism, now_ns, source__take, source);
	}
	return is_some;
}

uint64_t sources__settled_ns(const struct sources *sources)
{
	uint64_t least = UINT64_MAX, settled_ns;
	size_t i;

	for (i = 0; i < sources->opts.nr; i++) {
		const struct source *source = &sources->all[i];

		settled_ns = source->buffer ? source->settled_ns :
			     source->of->reader->settled_ns(source->of->mechanism);
		if (settled_ns < least)
			least = settled_ns;
	}
	return least;
}

uint64_t sources__dropped(const struct sources *sources, uint32_t cpu)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sources->opts.nr; i++) {
		const struct mechanisms_source *of = &sources->opts.sources[i];

		sum += of->reader ? of->reader->dropped(of->mechanism, cpu) :
		       *(const volatile uint64_t *)&of->ring.dropped[cpu];
	}
	return sum;
}
