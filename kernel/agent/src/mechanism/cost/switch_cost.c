// SPDX-License-Identifier: GPL-2.0
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"
#include "mechanism/cost/switch_cost.h"

#define SWITCHES	100	/* a batch */
/* make sanitized sets a smaller number, as its test does not check the price. */
#ifndef SWITCH_BATCHES
#define SWITCH_BATCHES	80
#endif
/*
 * Fewer, but not less than so many, once this thread has had so much CPU time, as on an emulated
 * machine.  By CPU time, as a busy machine needs all of them to find a batch that was not disturbed.
 */
#define LEAST_BATCHES	16
#define ENOUGH_NS	30000000
#define SWITCH_ROUNDS	3	/* without and with, in turn, against a drifting clock rate */

/* Two processes on one CPU that wake each other in turn: each round trip is two switches. */
static void partner__run(int in_fd, int out_fd)
{
	char byte;

	while (read(in_fd, &byte, 1) == 1 && write(out_fd, &byte, 1) == 1)
		;
	_exit(0);
}

/* Lowers best_ns to that of the least disturbed batch. */
static int switches__measure(int out_fd, int in_fd, double *best_ns)
{
	uint64_t start, enough_ns = clock__cpu_ns() + ENOUGH_NS;
	double switch_ns;
	char byte = 0;
	int i, j;

	for (i = 0; i < SWITCH_BATCHES && (i < LEAST_BATCHES || clock__cpu_ns() < enough_ns); i++) {
		start = clock__now_ns();
		for (j = 0; j < SWITCHES / 2; j++)
			if (write(out_fd, &byte, 1) != 1 || read(in_fd, &byte, 1) != 1)
				return -1;
		switch_ns = (double)(clock__now_ns() - start) / SWITCHES;
		if (switch_ns < *best_ns)
			*best_ns = switch_ns;
	}
	return 0;
}

int switch_cost__measure(uint64_t *cost_ns, int (*attach)(void *context),
			 void (*detach)(void *context), void *context)
{
	pid_t parent = getpid(), partner = -1;
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, result = -1, i;
	cpu_set_t before, one;
	double without = 1e9, with = 1e9;
	bool is_attached = false;

	*cost_ns = 0;
	loop__breathe();
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (pipe(to) || pipe(from) || sched_setaffinity(0, sizeof(one), &one))
		goto out;
	partner = fork();
	if (partner < 0)
		goto out;
	if (!partner) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(to[1]);
		close(from[0]);
		partner__run(to[0], from[1]);
	}
	for (i = 0; i < SWITCH_ROUNDS; i++) {
		if (sched_setaffinity(0, sizeof(one), &one) || switches__measure(to[1], from[0], &without))
			goto out;
		/* Whoever is served is on any CPU, and nothing is attached meanwhile. */
		sched_setaffinity(0, sizeof(before), &before);
		loop__breathe();
		if (sched_setaffinity(0, sizeof(one), &one) || attach(context))
			goto out;
		is_attached = true;
		if (switches__measure(to[1], from[0], &with))
			goto out;
		detach(context);
		is_attached = false;
		sched_setaffinity(0, sizeof(before), &before);
		loop__breathe();
	}
	*cost_ns = with > without ? with - without : 0;
	result = 0;
out:
	if (is_attached)
		detach(context);
	if (partner > 0) {
		kill(partner, SIGKILL);
		waitpid(partner, NULL, 0);
	}
	for (i = 0; i < 2; i++) {
		if (to[i] >= 0)
			close(to[i]);
		if (from[i] >= 0)
			close(from[i]);
	}
	sched_setaffinity(0, sizeof(before), &before);
	loop__breathe();
	return result;
}
