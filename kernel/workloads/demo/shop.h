/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small shop whose functions are slow, each for one known reason.
 *
 * Every function of the shop is called by one thread through shop__call(), which reads the clocks
 * before and after.  The functions are never inlined or cloned, and their arguments are never
 * changed (noipa), so that their symbols stand for all their calls.
 */
#ifndef KVIEW_DEMO_SHOP_H
#define KVIEW_DEMO_SHOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SHOP_FUNCTION __attribute__((noipa))

/* With any options, gcc omits the frame pointer of a leaf function unless it is used. */
#define KEEP_FRAME() asm volatile("" : : "r" (__builtin_frame_address(0)))

enum shop_id {
	RENDER_PAGE, POLL_QUEUE, PRICE_BASKET, FLUSH_CACHE, BUILD_INDEX, FETCH_RATES, WALK_TREE,
	LOOKUP_PRICE, SHOP_FUNCTIONS
};

/* How long the calls of one function took, by the clocks of its caller. */
struct shop_truth {
	uint64_t calls;
	uint64_t wall_ns;	/* sum, CLOCK_MONOTONIC */
	uint64_t wall_max_ns;
	uint64_t on_cpu_ns;	/* sum, CLOCK_THREAD_CPUTIME_ID */
	/* By the scheduler's account, of short functions 0: */
	uint64_t waited_ns;	/* sum, for a CPU */
	uint64_t waited_max_ns;	/* of one call */
	uint64_t runs;		/* how often the thread was given a CPU within the calls */
	int tid;		/* the thread that calls it */
};

struct shop_entry {
	const char *name;
	const char *cause;	/* as in the report; "on_cpu" if it computes */
	const char *thread;	/* its name, at most 15 characters */
	void (*run)(void);	/* calls the function until shop_stop */
	bool competes;		/* on the CPU kept for the competition */
	bool is_short;		/* calls take some us: the scheduler is not asked for each */
	enum shop_id needs;	/* a function that must run with this one; itself if none */
	const char *about;
};

extern const struct shop_entry shop_entries[SHOP_FUNCTIONS];
extern struct shop_truth shop_truths[SHOP_FUNCTIONS];
extern atomic_bool shop_stop;
extern unsigned int shop_lookups_per_second;
extern unsigned int shop_percent[SHOP_FUNCTIONS];	/* of the usual time, that each takes */
extern const char *shop_folder;		/* for the cache's file; exists while threads run */

/* Where the truth is written the scheduler is asked how long threads waited for a CPU. */
extern bool shop_asks_scheduler;

/* How often a thread was given a CPU so far, and how long it waited for that. */
struct shop_waits {
	uint64_t ns, runs;
};

/* The clocks of a thread at one moment. */
struct shop_clocks {
	struct shop_waits waits;
	uint64_t cpu_ns, wall_ns;
	uint64_t asking_ns;	/* between these and the call */
};

/*
 * Calls the function and adds to its truth.  The wall clock is read between the two readings of the
 * CPU clock.  So wall-clock time includes half of each of its own two readings; on-CPU time
 * includes both of these, and half of each reading of the CPU clock.  Neither includes what asking
 * the scheduler takes.
 */
#define shop__call(id, call) do {						\
	struct shop_clocks begin_ = clocks__begin(id), end_;			\
	call;									\
	end_ = clocks__end(id);							\
	truth__add(&shop_truths[id], &begin_, &end_);				\
} while (0)

/* What a function does usually, in whatever unit, made longer as --slower asks. */
static inline unsigned int shop__longer(enum shop_id id, unsigned int usual)
{
	return (uint64_t)usual * shop_percent[id] / 100;
}

uint64_t clock__wall_ns(void);
uint64_t clock__cpu_ns(void);
struct shop_clocks clocks__begin(enum shop_id id);
struct shop_clocks clocks__end(enum shop_id id);
void truth__add(struct shop_truth *truth, const struct shop_clocks *begin, const struct shop_clocks *end);
/* Writes JSON for the selected functions to path, "-" for standard output; 0 or -1. */
int truth__write(const char *path, const bool *selected, uint64_t run_ns);

/* Computation that takes a given CPU time, whatever the machine. */
void work__calibrate(void);
SHOP_FUNCTION uint64_t work__us(unsigned int microseconds);

/*
 * Sleeps until the clock next reads phase + n * period, so that the load does not depend on the
 * machine's speed.  Functions that use the same CPU for long have different phases, and periods
 * that divide or multiply 20 ms: so they never run at the same time.
 */
void pace__wait_us(unsigned int period_us, unsigned int phase_us);

/* Pins the thread to its set of CPUs: the competition's if it competes, otherwise the others. */
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
