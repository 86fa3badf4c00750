// SPDX-License-Identifier: GPL-2.0
/*
 * A server that forks for each request.  A child makes calls every ms, and tells how long after its
 * birth one was last as dear as a probe makes it, what such calls took, and whether it never was free.
 *
 * usage: forks-often FORKS-A-SECOND LIFE-IN-MS FORKS
 */
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "common.h"

#define CALLS	10
#define DEAR_NS	(6000 * CALLS)	/* one steps an instruction */
#define PAUSE_US 1000

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }
PROBED long f_return(long x) { END(); return x; }

static void serve(uint64_t life_ns)
{
	uint64_t born_ns = now_ns(CLOCK_MONOTONIC), last_ns = 0, took_ns = 0, begin_ns, ns;
	bool is_dear = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (now_ns(CLOCK_MONOTONIC) - born_ns < life_ns) {
		begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < CALLS; i++)
			f_return(f_work(i));
		ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		is_dear = ns > DEAR_NS;
		if (is_dear) {
			last_ns = now_ns(CLOCK_MONOTONIC) - born_ns;
			took_ns += ns;
		}
		usleep(PAUSE_US);
	}
	printf("%llu %llu %d\n", (unsigned long long)last_ns, (unsigned long long)took_ns, is_dear);
	exit(0);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	puts("ready");
	fflush(stdout);
	getchar();
	for (long i = 0; i < atol(argv[3]); i++) {
		if (!fork())
			serve(atol(argv[2]) * 1000000ULL);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		usleep(1000000 / atol(argv[1]));
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
