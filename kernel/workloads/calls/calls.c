// SPDX-License-Identifier: GPL-2.0
/*
 * kview-calls: calls a function that does almost nothing, and counts the calls exactly, at a given
 * rate or as fast as possible.  It shows whether a recorder loses events, and what a call costs.
 */
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 256

static atomic_bool stop;
static uint64_t calls_per_second = 100000, calls_limit, run_ns = 5000000000ull;
static int null_fd = -1;

/* Has its own symbol and begins with push %rbp: the cheapest kind of function to probe. */
__attribute__((noipa)) uint64_t counted_call(uint64_t n)
{
	asm volatile("" : : "r" (__builtin_frame_address(0)));	/* so that gcc keeps the frame */
	return n + 1;
}

/* Each call makes one system call, which goes through some functions of the kernel. */
__attribute__((noipa)) uint64_t writing_call(uint64_t n)
{
	return write(null_fd, "", 1) == 1 ? n + 1 : n;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Makes the calls that are due by now, sleeps, and repeats; without a rate it never sleeps. */
static void *caller__run(void *argument)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint64_t begin_ns = now_ns(), done = 0, spent_ns;

	do {
		uint64_t due = done + 1000;

		spent_ns = now_ns() - begin_ns;
		if (calls_per_second)
			due = (double)(spent_ns < run_ns ? spent_ns : run_ns) / 1e9 * calls_per_second;
		if (calls_limit && due > calls_limit)
			due = calls_limit;
		while (done < due && !stop)
			done = null_fd < 0 ? counted_call(done) : writing_call(done);
		if (calls_limit && done >= calls_limit)
			break;
		if (calls_per_second)
			nanosleep(&pause, NULL);
	} while (!stop && spent_ns < run_ns);
	*(uint64_t *)argument = done;
	return NULL;
}

static void on_signal(int signal)
{
	(void)signal;
	stop = true;
}

static void usage(FILE *out)
{
	fputs("usage: kview-calls [options]\n"
	      "  --rate N      calls of counted_call a second and thread, 0 flat out (100000)\n"
	      "  --seconds N   for N seconds (5)\n"
	      "  --calls N     at most N calls a thread (no limit)\n"
	      "  --threads N   (1)\n"
	      "  --writes      calls of writing_call instead, which writes a byte to /dev/null\n"
	      "  --wait        start at SIGUSR1 or a line on standard input\n"
	      "Prints {\"calls\":N,\"threads\":N,\"run_ns\":N} at the end, exact, also when ended by\n"
	      "SIGINT or SIGTERM.\n", out);
}

static void wait_for_start(void)
{
	char line[256];

	fprintf(stderr, "kview-calls: process %d waits for SIGUSR1 or a line\n", getpid());
	/*
	 * Begins at a line, or at SIGUSR1, which interrupts the read; without input only at
	 * SIGUSR1.
	 */
	if (read(0, line, sizeof(line)) == 0)
		pause();
}

static void on_start(int signal)
{
	(void)signal;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rate", required_argument, NULL, 'r' }, { "seconds", required_argument, NULL, 's' },
		{ "calls", required_argument, NULL, 'c' }, { "threads", required_argument, NULL, 't' },
		{ "wait", no_argument, NULL, 'w' }, { "writes", no_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct sigaction action = { .sa_handler = on_signal };
	uint64_t counts[MAX_THREADS] = { 0 }, total = 0, begin_ns;
	int option, threads = 1, started = 0;
	pthread_t ids[MAX_THREADS];
	bool waits = false;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'r': calls_per_second = strtoull(optarg, NULL, 10); break;
		case 's': run_ns = strtod(optarg, NULL) * 1e9; break;
		case 'c': calls_limit = strtoull(optarg, NULL, 10); break;
		case 't': threads = atoi(optarg); break;
		case 'w': waits = true; break;
		case 'o': null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC); break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return 2;
		}
	}
	if (optind < argc || threads < 1 || threads > MAX_THREADS) {
		usage(stderr);
		return 2;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_start;
	sigaction(SIGUSR1, &action, NULL);
	if (waits)
		wait_for_start();

	begin_ns = now_ns();
	while (started < threads &&
	       !pthread_create(&ids[started], NULL, caller__run, &counts[started]))
		started++;
	for (int i = 0; i < started; i++) {
		pthread_join(ids[i], NULL);
		total += counts[i];
	}
	printf("{\"calls\":%" PRIu64 ",\"threads\":%d,\"run_ns\":%" PRIu64 "}\n", total, started,
	       now_ns() - begin_ns);
	return started == threads ? 0 : 1;
}
