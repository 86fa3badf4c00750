// SPDX-License-Identifier: GPL-2.0
/* kview-demo: runs the shop for a while and says how long its functions really took. */
#include "shop.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

const struct shop_entry shop_entries[SHOP_FUNCTIONS] = {
	[RENDER_PAGE] = { "render_page", "on_cpu", "renderer", run_render_page, false, false,
		RENDER_PAGE, "computes 2 ms, 50 times a second" },
	[POLL_QUEUE] = { "poll_queue", "sleep", "queue-poller", run_poll_queue, false, false,
		POLL_QUEUE, "sleeps 3 ms" },
	[PRICE_BASKET] = { "price_basket", "lock", "checkout", run_price_basket, false, false,
		FLUSH_CACHE, "waits for the lock that flush_cache holds" },
	[FLUSH_CACHE] = { "flush_cache", "block_io", "cache-flusher", run_flush_cache, false, false,
		FLUSH_CACHE, "writes a file and waits for the disk" },
	[BUILD_INDEX] = { "build_index", "preempted", "indexer", run_build_index, true, false,
		BUILD_INDEX, "computes 8 ms against two competitors on one CPU" },
	[FETCH_RATES] = { "fetch_rates", "network", "rates", run_fetch_rates, false, false,
		FETCH_RATES, "waits 2.5 ms for a peer's answer" },
	[WALK_TREE] = { "walk_tree", "on_cpu", "tree-walker", run_walk_tree, false, true,
		WALK_TREE, "recursion, 10 deep, 177 calls a walk" },
	[LOOKUP_PRICE] = { "lookup_price", "on_cpu", "price-lookup", run_lookup_price, false, true,
		LOOKUP_PRICE, "cheap, called 20000 times a second (--rate)" },
};

atomic_bool shop_stop;
const char *shop_folder;

unsigned int shop_percent[SHOP_FUNCTIONS];

static cpu_set_t quiet_cpus, competition_cpus;

/* The last CPU that may be used is for the competition, the others are for all other threads. */
static void cpus__choose(void)
{
	cpu_set_t allowed;
	int last = -1;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			last = cpu;
	quiet_cpus = allowed;
	if (CPU_COUNT(&allowed) > 1)
		CPU_CLR(last, &quiet_cpus);
	CPU_ZERO(&competition_cpus);
	CPU_SET(last, &competition_cpus);
}

void cpus__pin(bool competes)
{
	const cpu_set_t *cpus = competes ? &competition_cpus : &quiet_cpus;

	pthread_setaffinity_np(pthread_self(), sizeof(*cpus), cpus);
}

static void *shop__run(void *argument)
{
	const struct shop_entry *entry = argument;

	pthread_setname_np(pthread_self(), entry->thread);
	shop_truths[entry - shop_entries].tid = gettid();
	cpus__pin(entry->competes);
	entry->run();
	return NULL;
}

static int find_function(const char *name)
{
	for (int id = 0; id < SHOP_FUNCTIONS; id++)
		if (!strcmp(shop_entries[id].name, name))
			return id;
	fprintf(stderr, "kview-demo: no function %s; --list shows them\n", name);
	return -1;
}

/* NAME[,NAME…]=PERCENT */
static int slow_functions(char *argument)
{
	char *number = strchr(argument, '='), *rest, *end = NULL;
	unsigned long percent = number ? strtoul(number + 1, &end, 10) : 0;

	if (!number || end == number + 1 || *end || percent > 10000) {
		fprintf(stderr, "kview-demo: --slower takes NAME[,NAME]=PERCENT, up to 10000\n");
		return -1;
	}
	*number = 0;
	for (char *name = strtok_r(argument, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		int id = find_function(name);

		if (id == PRICE_BASKET)
			fprintf(stderr, "kview-demo: price_basket takes what flush_cache takes\n");
		if (id < 0 || id == PRICE_BASKET)
			return -1;
		shop_percent[id] = 100 + percent;
	}
	return 0;
}

static int select_functions(char *names, bool *selected)
{
	char *rest;

	memset(selected, 0, SHOP_FUNCTIONS * sizeof(*selected));
	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		int id = find_function(name);

		if (id < 0)
			return -1;
		selected[id] = true;
		selected[shop_entries[id].needs] = true;
	}
	return 0;
}

static void list_functions(void)
{
	for (int id = 0; id < SHOP_FUNCTIONS; id++)
		printf("%-13s %-10s %s\n", shop_entries[id].name, shop_entries[id].cause,
		       shop_entries[id].about);
}

/*
 * Waits for a signal, at most timeout_ms (-1: for ever).  Returns its number, or 0 at the timeout.
 */
static int wait_for_signal(int signals, int timeout_ms, bool or_a_line)
{
	uint64_t end_ns = clock__wall_ns() + timeout_ms * 1000000ull;
	struct pollfd fds[] = { { signals, POLLIN, 0 }, { or_a_line ? 0 : -1, POLLIN, 0 } };
	struct signalfd_siginfo info;
	char line[256];

	for (;;) {
		uint64_t now_ns = clock__wall_ns();
		int left_ms = -1, ready;

		if (timeout_ms >= 0)
			left_ms = now_ns < end_ns ? (end_ns - now_ns + 999999) / 1000000 : 0;
		ready = poll(fds, 2, left_ms);
		if (ready == 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return -1;
		if (ready > 0 && fds[0].revents &&
		    read(signals, &info, sizeof(info)) == sizeof(info))
			return info.ssi_signo;
		if (ready > 0 && fds[1].revents) {
			if (read(0, line, sizeof(line)) > 0)
				return SIGUSR1;
			fds[1].fd = -1;		/* no line will come: wait for the signal only */
		}
	}
}

static int shop__open(const bool *selected, int seconds, int signals)
{
	pthread_t threads[SHOP_FUNCTIONS];
	bool started[SHOP_FUNCTIONS] = { false };
	int err = 0, signal;

	if (selected[FLUSH_CACHE] && cache__open()) {
		fprintf(stderr, "kview-demo: can't write in %s: %m\n", shop_folder);
		return -1;
	}
	if (selected[FETCH_RATES] && rates__open()) {
		fprintf(stderr, "kview-demo: can't open a socket pair: %m\n");
		err = -1;
		goto out_cache;
	}
	for (int id = 0; id < SHOP_FUNCTIONS && !err; id++) {
		if (!selected[id])
			continue;
		err = pthread_create(&threads[id], NULL, shop__run, (void *)&shop_entries[id]);
		started[id] = !err;
	}
	if (err)
		fprintf(stderr, "kview-demo: can't start a thread: %s\n", strerror(err));
	else
		do
			signal = wait_for_signal(signals, seconds ? seconds * 1000 : -1, false);
		while (signal == SIGUSR1);
	shop_stop = true;
	for (int id = 0; id < SHOP_FUNCTIONS; id++)
		if (started[id])
			pthread_join(threads[id], NULL);
	if (selected[FETCH_RATES])
		rates__close();
out_cache:
	if (selected[FLUSH_CACHE])
		cache__close();
	return err;
}

static void usage(FILE *out)
{
	fputs("usage: kview-demo [options]\n"
	      "  --seconds N       run for N seconds, 0 until SIGINT or SIGTERM (10)\n"
	      "  --truth FILE      at the end write what the calls took as JSON, - to stdout\n"
	      "  --only NAME[,…]   these functions only, and what they need\n"
	      "  --slower NAME[,…]=PERCENT   each call of these takes so much longer than it\n"
	      "                    usually does; may be given several times\n"
	      "  --rate N          calls of lookup_price a second (20000)\n"
	      "  --folder DIR      where flush_cache writes (TMPDIR, else /var/tmp)\n"
	      "  --wait            start at SIGUSR1 or a line on standard input\n"
	      "  --list            name the functions and why they are slow\n", out);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' }, { "truth", required_argument, NULL, 't' },
		{ "only", required_argument, NULL, 'o' }, { "rate", required_argument, NULL, 'r' },
		{ "folder", required_argument, NULL, 'f' }, { "wait", no_argument, NULL, 'w' },
		{ "slower", required_argument, NULL, 'p' },
		{ "list", no_argument, NULL, 'l' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *parent = getenv("TMPDIR") ?: "/var/tmp", *truth = NULL;
	bool selected[SHOP_FUNCTIONS], waits = false;
	int option, seconds = 10, signals, err = 0;
	char folder[4000];
	uint64_t begin_ns;
	sigset_t set;

	memset(selected, 1, sizeof(selected));
	for (int id = 0; id < SHOP_FUNCTIONS; id++)
		shop_percent[id] = 100;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's': seconds = atoi(optarg); break;
		case 't': truth = optarg; shop_asks_scheduler = true; break;
		case 'r': shop_lookups_per_second = strtoul(optarg, NULL, 10); break;
		case 'f': parent = optarg; break;
		case 'w': waits = true; break;
		case 'l': list_functions(); return 0;
		case 'h': usage(stdout); return 0;
		case 'p':
			if (slow_functions(optarg))
				return 2;
			break;
		case 'o':
			if (select_functions(optarg, selected))
				return 2;
			break;
		default: usage(stderr); return 2;
		}
	}
	if (optind < argc || seconds < 0 || seconds > 1000000) {
		usage(stderr);
		return 2;
	}

	/*
	 * Blocked in every thread: only main takes them, so that no measured call is interrupted.
	 */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC);

	snprintf(folder, sizeof(folder), "%s/kview-demo-XXXXXX", parent);
	if (!mkdtemp(folder)) {
		fprintf(stderr, "kview-demo: can't make a folder in %s: %m\n", parent);
		return 1;
	}
	shop_folder = folder;
	cpus__choose();
	work__calibrate();
	if (waits) {
		fprintf(stderr, "kview-demo: process %d waits for SIGUSR1 or a line\n", getpid());
		if (wait_for_signal(signals, -1, true) != SIGUSR1)
			goto out;
	}
	begin_ns = clock__wall_ns();
	err = shop__open(selected, seconds, signals);
	if (!err && truth && truth__write(truth, selected, clock__wall_ns() - begin_ns)) {
		fprintf(stderr, "kview-demo: can't write %s: %m\n", truth);
		err = -1;
	}
out:
	rmdir(folder);
	return err ? 1 : 0;
}
