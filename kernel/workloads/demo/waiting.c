// SPDX-License-Identifier: GPL-2.0
/* Functions that are slow because they wait: for time, a peer, a disk, a lock. */
#include "shop.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CACHE_BYTES (128 * 1024)
#define CACHE_FLUSHES 10

SHOP_FUNCTION void poll_queue(void)
{
	unsigned int ns = shop__longer(POLL_QUEUE, 3000000);
	struct timespec three_ms = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&three_ms, NULL);
}

void run_poll_queue(void)
{
	while (!shop_stop) {
		pace__wait_us(5000, 500);
		shop__call(POLL_QUEUE, poll_queue());
	}
}

/* rates_sockets[0] is the shop's end, [1] the bank's, which answers after a while. */
static int rates_sockets[2] = { -1, -1 };
static pthread_t bank;

static void *bank__run(void *unused)
{
	unsigned int ns = shop__longer(FETCH_RATES, 2500000);
	struct timespec delay = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	char request[16];

	(void)unused;
	pthread_setname_np(pthread_self(), "bank");
	cpus__pin(false);
	while (recv(rates_sockets[1], request, sizeof(request), 0) > 0) {
		nanosleep(&delay, NULL);
		if (send(rates_sockets[1], request, sizeof(request), MSG_NOSIGNAL) < 0)
			break;
	}
	return NULL;
}

int rates__open(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, rates_sockets))
		return -1;
	if (pthread_create(&bank, NULL, bank__run, NULL)) {
		close(rates_sockets[0]);
		close(rates_sockets[1]);
		return -1;
	}
	return 0;
}

void rates__close(void)
{
	shutdown(rates_sockets[0], SHUT_RDWR);
	pthread_join(bank, NULL);
	close(rates_sockets[0]);
	close(rates_sockets[1]);
}

SHOP_FUNCTION ssize_t fetch_rates(void)
{
	char rates[16] = "EUR USD";

	if (send(rates_sockets[0], rates, sizeof(rates), MSG_NOSIGNAL) < 0)
		return -1;
	return recv(rates_sockets[0], rates, sizeof(rates), MSG_WAITALL);
}

void run_fetch_rates(void)
{
	while (!shop_stop) {
		pace__wait_us(5000, 4000);
		shop__call(FETCH_RATES, fetch_rates());
	}
}

/*
 * flush_cache holds the lock while it writes.  Then cache_is_flushing lets price_basket start, so
 * that it always finds the lock taken and waits for about the rest of the flush.
 */
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t cache_is_flushing;
static char cache_path[4096];
static int cache_file = -1;
static char cache[CACHE_BYTES];

int cache__open(void)
{
	memset(cache, 'c', sizeof(cache));
	snprintf(cache_path, sizeof(cache_path), "%s/cache", shop_folder);
	cache_file = open(cache_path, O_CREAT | O_RDWR | O_CLOEXEC | O_TRUNC, 0600);
	if (cache_file < 0)
		return -1;
	/* The blocks are allocated now, so that a flush waits only for the disk. */
	if (pwrite(cache_file, cache, sizeof(cache), 0) != sizeof(cache) || fsync(cache_file)) {
		cache__close();
		return -1;
	}
	return sem_init(&cache_is_flushing, 0, 0);
}

void cache__close(void)
{
	close(cache_file);
	unlink(cache_path);
}

SHOP_FUNCTION int flush_cache(void)
{
	int err = 0;

	pthread_mutex_lock(&cache_lock);
	sem_post(&cache_is_flushing);
	for (unsigned int i = shop__longer(FLUSH_CACHE, CACHE_FLUSHES); i; i--) {
		err |= pwrite(cache_file, cache, sizeof(cache), 0) < 0;
		err |= fsync(cache_file);
	}
	pthread_mutex_unlock(&cache_lock);
	return err;
}

void run_flush_cache(void)
{
	while (!shop_stop) {
		pace__wait_us(20000, 6000);
		shop__call(FLUSH_CACHE, flush_cache());
	}
	sem_post(&cache_is_flushing);
}

SHOP_FUNCTION uint64_t price_basket(void)
{
	uint64_t total;

	pthread_mutex_lock(&cache_lock);
	total = work__us(20);
	pthread_mutex_unlock(&cache_lock);
	return total;
}

void run_price_basket(void)
{
	while (!shop_stop) {
		sem_wait(&cache_is_flushing);
		if (!shop_stop)
			shop__call(PRICE_BASKET, price_basket());
	}
}
