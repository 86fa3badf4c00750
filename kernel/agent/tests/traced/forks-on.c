// SPDX-License-Identifier: GPL-2.0
/* Forks one child after another, which works a little, until standard input ends. */
#include <poll.h>
#include <sys/wait.h>

#include "common.h"

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }
PROBED long f_return(long x) { END(); return x; }

int main(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	while (!poll(&input, 1, 0)) {
		child = fork();
		if (!child) {
			for (int i = 0; i < 2000; i++)
				f_return(f_work(i));
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
