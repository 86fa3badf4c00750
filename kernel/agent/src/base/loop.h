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
	uint32_t watched;	/* used by the loop; at first 0, or LOOP_IN_BETWEEN */
};

/* Its ready is called also while another one takes long, see loop__breathe. */
#define LOOP_IN_BETWEEN		(1U << 27)

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
 * To be called now and then within a handler that takes long: those that are LOOP_IN_BETWEEN have their turn, if there is something for
 * them.  It costs next to nothing if it was called a moment ago.  Nothing happens outside of a handler, within such a turn, and while
 * rights are put aside: who is served must find the agent's own.
 */
void loop__breathe(void);
/* Whether it is such a turn: what another handler does is half done. */
bool loop__is_breathing(void);
/* These breathe while they wait: for the end of this time; until there is something to be read, or the time is over (then false). */
void loop__rest(uint64_t ns);
bool loop__await(int fd, uint64_t ns);
/*
 * Does work on a thread of its own, and breathes until it is done: for what waits for the kernel in calls that can't be divided.
 * Returns what work does, with its errno.  Where rights are put aside now and then, which is done for all threads, it is done on this
 * one, and so where this is no handler.  Not for work that begins what lives on: a child dies with the thread that began it.
 */
int loop__do_aside(int (*work)(void *context), void *context);
/* Whether that is so: whoever forks now has a child in which what that thread had locked stays so. */
bool loop__has_aside(void);
/* Called each time that it has ended; one for the loop. */
void loop__after_aside(struct loop *loop, void (*call)(void *context), void *context);

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
