// SPDX-License-Identifier: GPL-2.0
/* Functions that are slow because they compute, and threads that compete for a CPU. */
#include "shop.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define WALK_DEPTH 10
#define PRICES 1024

unsigned int shop_lookups_per_second = 20000;

static double loops_per_us = 100;
static volatile uint64_t sink;

static uint64_t work__loops(uint64_t loops)
{
	uint64_t x = 88172645463325252ull;

	while (loops--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

/*
 * The least disturbed of some rounds.  On an emulated host the clock may stand still for a tick and jump then, so a round goes on
 * until it is several ticks further.
 */
void work__calibrate(void)
{
	const uint64_t loops = 100000, round_ns = 20000000;

	loops_per_us = 0;
	for (int i = 0; i < 5; i++) {
		uint64_t begin_ns = clock__cpu_ns(), took_ns, done = 0;

		do {
			sink = work__loops(loops);
			done += loops;
			took_ns = clock__cpu_ns() - begin_ns;
		} while (took_ns < round_ns);
		if (done * 1000.0 / took_ns > loops_per_us)
			loops_per_us = done * 1000.0 / took_ns;
	}
}

SHOP_FUNCTION uint64_t work__us(unsigned int microseconds)
{
	return work__loops(microseconds * loops_per_us);
}

void pace__wait_us(unsigned int period_us, unsigned int phase_us)
{
	uint64_t period_ns = period_us * 1000ull, phase_ns = phase_us * 1000ull;
	uint64_t turns = (clock__wall_ns() - phase_ns) / period_ns + 1;
	uint64_t next_ns = turns * period_ns + phase_ns;
	struct timespec next = { next_ns / 1000000000, next_ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
}

SHOP_FUNCTION void render_page(void)
{
	sink = work__us(shop__longer(RENDER_PAGE, 2000));
}

void run_render_page(void)
{
	while (!shop_stop) {
		pace__wait_us(20000, 0);
		shop__call(RENDER_PAGE, render_page());
	}
}

/* Every level is a call of its own.  The truth counts each level, including those below it. */
SHOP_FUNCTION void walk_tree(int depth)
{
	sink = work__us(shop__longer(WALK_TREE, 10));
	if (depth < 2)
		return;
	shop__call(WALK_TREE, walk_tree(depth - 1));
	shop__call(WALK_TREE, walk_tree(depth - 2));
}

void run_walk_tree(void)
{
	while (!shop_stop) {
		pace__wait_us(40000, 12000);
		shop__call(WALK_TREE, walk_tree(WALK_DEPTH));
	}
}

SHOP_FUNCTION uint64_t lookup_price(const uint64_t *prices, uint64_t article)
{
	KEEP_FRAME();
	for (unsigned int probe = shop__longer(LOOKUP_PRICE, 128); probe; probe--)
		article = article * 6364136223846793005ull + prices[article % PRICES];
	return article;
}

void run_lookup_price(void)
{
	static uint64_t prices[PRICES];
	uint64_t due = 0, begin_ns = clock__wall_ns();

	for (int i = 0; i < PRICES; i++)
		prices[i] = i * 2654435761u;
	for (uint64_t done = 0; !shop_stop; ) {
		pace__wait_us(1000, 500);
		due = (clock__wall_ns() - begin_ns) / 1e9 * shop_lookups_per_second;
		for (; done < due && !shop_stop; done++)
			shop__call(LOOKUP_PRICE, sink = lookup_price(prices, done));
	}
}

/*
 * The competition: two threads pinned to the CPU of build_index compute whenever
 * build_index does, and sleep otherwise, so that the rest of the machine stays idle.
 */
#define COMPETITORS 2

static sem_t competitor_start;
static atomic_bool competing;

static void *competitor__run(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "competitor");
	cpus__pin(true);
	while (!shop_stop) {
		sem_wait(&competitor_start);
		while (competing && !shop_stop)
			sink = work__us(20);
	}
	return NULL;
}

SHOP_FUNCTION void build_index(void)
{
	sink = work__us(shop__longer(BUILD_INDEX, 8000));
}

void run_build_index(void)
{
	pthread_t threads[COMPETITORS];
	int started = 0;

	sem_init(&competitor_start, 0, 0);
	while (started < COMPETITORS &&
	       !pthread_create(&threads[started], NULL, competitor__run, NULL))
		started++;
	while (!shop_stop) {
		pace__wait_us(60000, 0);
		competing = true;
		for (int i = 0; i < started; i++)
			sem_post(&competitor_start);
		shop__call(BUILD_INDEX, build_index());
		competing = false;
	}
	for (int i = 0; i < started; i++)
		sem_post(&competitor_start);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	sem_destroy(&competitor_start);
}
