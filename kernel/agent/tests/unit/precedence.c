// SPDX-License-Identifier: GPL-2.0
/*
 * The agent's precedence over ordinary threads is bounded, whatever it does meanwhile, and it has it whenever it waits.
 * Where the kernel refuses it, that is told, and nothing else is tried.
 */
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/precedence.h"
#include "check.h"

static bool is_first(void)
{
	return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_RR;
}

/* Computes for so long on a CPU; returns for how much of it this thread had precedence. */
static uint64_t compute(uint64_t ns, bool renews)
{
	uint64_t begin_ns = clock__cpu_ns(), last_ns = begin_ns, now_ns, first_ns = 0;

	do {
		bool was_first = is_first();

		if (renews)
			precedence__renew();
		now_ns = clock__cpu_ns();
		first_ns += was_first ? now_ns - last_ns : 0;
		last_ns = now_ns;
	} while (now_ns - begin_ns < ns);
	return first_ns;
}

static int child__is_first(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(is_first());
	return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

int main(void)
{
	const uint64_t ms = 1000000;
	int error = precedence__try();
	uint64_t first_ns, begin_ns;

	setvbuf(stdout, NULL, _IOLBF, 0);
	check(!is_first(), "to try it leaves it not on", 0);
	if (error) {
		check(precedence__begin() == error && !is_first(), strerror(error), error);
		return failed;
	}
	check(!precedence__begin() && is_first(), "it begins", 0);
	check(!child__is_first(), "a child has it not", 0);
	/* The kernel looks at its timer once a tick, which is 10 ms at most. */
	first_ns = compute(200 * ms, false);
	check(first_ns < 25 * ms, "without a look at it, it is over after its time", first_ns / ms);
	precedence__before_wait();
	check(is_first(), "it is there again when the thread waits", 0);
	begin_ns = clock__now_ns();
	first_ns = compute(400 * ms, true);
	check(first_ns >= 20 * ms, "it comes again", first_ns / ms);
	/* The first and the last window may be cut. */
	check(PRECEDENCE_SHARE * first_ns <= clock__now_ns() - begin_ns + 60 * ms, "and is over after its share of the time",
	      first_ns / ms);
	precedence__end();
	check(!is_first(), "it ends", 0);
	precedence__renew();
	precedence__before_wait();
	check(!is_first() && compute(30 * ms, true) == 0, "for good", 0);
	return failed;
}
