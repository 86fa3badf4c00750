/* SPDX-License-Identifier: GPL-2.0 */
/* One epoll loop; handlers may add and remove others, and themselves, while they run. */
#ifndef KVIEW_LOOP_H
#define KVIEW_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;

/* A descriptor to be watched; the owner keeps it in place until loop__remove. */
struct loop_source {
	int fd;
	void (*ready)(void *context, uint32_t epoll_events);
	void *context;
	uint32_t watched;	/* used by the loop */
};

struct loop *loop__new(void);
void loop__free(struct loop *loop);

/*
 * Watches for events (EPOLLIN, EPOLLOUT, 0 for none), in place of those of the last call.
 * Returns 0 or -errno; -EPERM means a file that is always ready.
 */
int loop__watch(struct loop *loop, struct loop_source *source, uint32_t events);
void loop__remove(struct loop *loop, struct loop_source *source);
/* As loop__remove, and also closes the descriptor if there is one. */
void loop__close(struct loop *loop, struct loop_source *source);

/* Returns after the loop was told to stop. */
void loop__run(struct loop *loop);
void loop__stop(struct loop *loop);

/*
 * Makes the source a periodic timer and watches it; loop__close ends it.  Its handler reads it with
 * timer__expired.  Returns 0 or -errno.
 */
int loop__tick(struct loop *loop, struct loop_source *source, uint64_t first_ns, uint64_t period_ns,
	       void (*ready)(void *context, uint32_t epoll_events), void *context);
void timer__expired(int fd);

/*
 * Makes SIGTERM and SIGHUP readable instead of deadly, and ignores SIGPIPE and SIGINT.
 * Returns the descriptor, or -1.  signals__read returns the signal's number, or 0.
 */
int signals__new(void);
int signals__read(int fd);

/* As the kernel has them, and so eBPF programs: also where the agent is in a time namespace. */
uint64_t clock__now_ns(void);			/* CLOCK_MONOTONIC */
uint64_t clock__boot_ns(void);			/* CLOCK_BOOTTIME */
uint64_t clock__cpu_ns(void);			/* CPU time of this thread */
int64_t clock__realtime_offset_ns(void);	/* CLOCK_REALTIME - CLOCK_MONOTONIC */

#endif
