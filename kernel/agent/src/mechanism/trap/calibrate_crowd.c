// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "mechanism/trap/calibrate_crowd.h"
#include "mechanism/trap/calibration_code.h"

#define CALLS		8	/* between two looks whether it goes on */
/* Others that have no CPU until then come late; the first time they are waited for. */
#define START_NS	5000000
#define FIRST_START_NS	1000000000

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_made, goes;
	unsigned int nr, calling;
	unsigned int round;	/* + 1 with each begin */
	uint8_t class;
} crowd = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

unsigned int crowd__size(void)
{
	cpu_set_t cpus;
	unsigned int nr = sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);

	return nr < CROWD_THREADS ? nr : CROWD_THREADS;
}

/* How often each has called so often, each on a line of the caches, and what it was when last looked. */
static uint64_t made[CROWD_THREADS][8], marked[CROWD_THREADS];

static void *take_part(void *own)
{
	uint64_t *made = own;
	unsigned int seen = 0;

	pthread_mutex_lock(&crowd.lock);
	while (true) {
		while (!crowd.goes || crowd.round == seen)
			pthread_cond_wait(&crowd.changed, &crowd.lock);
		seen = crowd.round;
		__atomic_add_fetch(&crowd.calling, 1, __ATOMIC_SEQ_CST);
		pthread_mutex_unlock(&crowd.lock);
		while (__atomic_load_n(&crowd.goes, __ATOMIC_SEQ_CST)) {
			calibration_code__call(calibration_code[crowd.class].start, CALLS);
			__atomic_store_n(made, *made + 1, __ATOMIC_SEQ_CST);
		}
		pthread_mutex_lock(&crowd.lock);
		__atomic_sub_fetch(&crowd.calling, 1, __ATOMIC_SEQ_CST);
		pthread_cond_broadcast(&crowd.changed);
	}
	return NULL;
}

static void crowd__make(void)
{
	unsigned int wanted = crowd__size() - 1;
	pthread_t thread;

	crowd.is_made = true;
	while (crowd.nr < wanted && !pthread_create(&thread, NULL, take_part, &made[crowd.nr][0]))
		crowd.nr++;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

void crowd__begin(uint8_t class)
{
	uint64_t start_ns, wait_ns = crowd.is_made ? START_NS : FIRST_START_NS;

	if (!crowd.is_made)
		crowd__make();
	pthread_mutex_lock(&crowd.lock);
	crowd.class = class;
	crowd.round++;
	__atomic_store_n(&crowd.goes, true, __ATOMIC_SEQ_CST);
	pthread_cond_broadcast(&crowd.changed);
	pthread_mutex_unlock(&crowd.lock);
	start_ns = now_ns();
	while (__atomic_load_n(&crowd.calling, __ATOMIC_SEQ_CST) < crowd.nr &&
	       now_ns() - start_ns < wait_ns)
		sched_yield();
}

void crowd__mark(void)
{
	unsigned int i;

	for (i = 0; i < crowd.nr; i++)
		marked[i] = __atomic_load_n(&made[i][0], __ATOMIC_SEQ_CST);
}

unsigned int crowd__calling(void)
{
	unsigned int nr = 1, i;

	for (i = 0; i < crowd.nr; i++)
		nr += __atomic_load_n(&made[i][0], __ATOMIC_SEQ_CST) != marked[i];
	return nr;
}

void crowd__end(void)
{
	pthread_mutex_lock(&crowd.lock);
	__atomic_store_n(&crowd.goes, false, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&crowd.calling, __ATOMIC_SEQ_CST))
		pthread_cond_wait(&crowd.changed, &crowd.lock);
	pthread_mutex_unlock(&crowd.lock);
}
