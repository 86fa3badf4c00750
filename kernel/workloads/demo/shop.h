/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small shop whose functions are slow, each for one known reason.
 *
 * Every function of the shop is called by one thread through shop__call(), which reads
 * the clocks around it.  The functions are never inlined, cloned or changed in what they
 * are called with (noipa), so that their symbols stand for all their calls.
 */
#ifndef KVIEW_DEMO_SHOP_H
#define KVIEW_DEMO_SHOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SHOP_FUNCTION __attribute__((noipa))

/* gcc drops the frame pointer of a leaf, whatever its options, unless it is used. */
#define KEEP_FRAME() asm volatile("" : : "r" (__builtin_frame_address(0)))

enum shop_id {
	RENDER_PAGE, POLL_QUEUE, PRICE_BASKET, FLUSH_CACHE, BUILD_INDEX, FETCH_RATES, WALK_TREE,
	LOOKUP_PRICE, SHOP_FUNCTIONS
};

/* What the calls of one function took, by the clocks of its caller. */
struct shop_truth {
	uint64_t calls;
	uint64_t wall_ns;	/* sum, CLOCK_MONOTONIC */
	uint64_t wall_max_ns;
	uint64_t on_cpu_ns;	/* sum, CLOCK_THREAD_CPUTIME_ID */
	int tid;		/* the thread that calls it */
};

struct shop_entry {
	const char *name;
	const char *cause;	/* of the report, "on_cpu" where it computes */
	const char *thread;	/* its name, at most 15 characters */
	void (*run)(void);	/* calls the function until shop_stop */
	bool competes;		/* on the CPU kept for the competition */
	enum shop_id needs;	/* runs too whenever this one does; itself if none */
	const char *about;
};

extern const struct shop_entry shop_entries[SHOP_FUNCTIONS];
extern struct shop_truth shop_truths[SHOP_FUNCTIONS];
extern atomic_bool shop_stop;
extern unsigned int shop_lookups_per_second;
extern const char *shop_folder;		/* for the cache's file; exists while threads run */

/*
 * Calls the function and adds to its truth.  The wall clock is read inside the CPU clock:
 * it includes half of each of its own two readings, on-CPU time includes both of them
 * and half of each of the CPU clock's.
 */
#define shop__call(id, call) do {						\
	uint64_t cpu_ns_ = clock__cpu_ns();					\
	uint64_t wall_ns_ = clock__wall_ns();					\
	call;									\
	wall_ns_ = clock__wall_ns() - wall_ns_;					\
	cpu_ns_ = clock__cpu_ns() - cpu_ns_;					\
	truth__add(&shop_truths[id], wall_ns_, cpu_ns_);			\
} while (0)

uint64_t clock__wall_ns(void);
uint64_t clock__cpu_ns(void);
void truth__add(struct shop_truth *truth, uint64_t wall_ns, uint64_t on_cpu_ns);
/* Writes JSON for the selected functions to path, "-" for standard output; 0 or -1. */
int truth__write(const char *path, const bool *selected, uint64_t run_ns);

/* Computation that takes a given CPU time, whatever the machine. */
void work__calibrate(void);
SHOP_FUNCTION uint64_t work__us(unsigned int microseconds);

/*
 * Sleeps until the clock next reads phase + n * period, so that load does not depend on
 * speed.  Functions that take the same CPU for long have phases of their own, with periods
 * that divide or multiply 20 ms: they never meet.
 */
void pace__wait_us(unsigned int period_us, unsigned int phase_us);

/* Threads start on their own CPU set, and take part in the competition where asked. */
void cpus__pin(bool competes);

int cache__open(void);
void cache__close(void);
int rates__open(void);
void rates__close(void);

void run_render_page(void);
void run_poll_queue(void);
void run_price_basket(void);
void run_flush_cache(void);
void run_build_index(void);
void run_fetch_rates(void);
void run_walk_tree(void);
void run_lookup_price(void);

#endif
