// SPDX-License-Identifier: GPL-2.0
/*
 * System calls of which it tells how many there were.
 *
 *	syscalls CALLS
 *
 * CALLS times each of getppid (by asks), write (1 byte to /dev/null) and a read that fails (both by
 * hands_over), CALLS / 100 sleeps of 1 ms by clock_nanosleep (by naps), by two threads each, and as
 * often a function that makes none (computes); a child makes as many getppid, and a thread is in
 * pause as the process ends.  All of the two threads is in work.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

static int calls, out;
static volatile int sink;

PROBED void asks(void)
{
	sink += syscall(SYS_getppid);
}

PROBED void hands_over(void)
{
	char byte = 0;

	if (syscall(SYS_write, out, &byte, 1) != 1 || syscall(SYS_read, -1, &byte, 1) != -1)
		abort();
}

PROBED void computes(void)
{
	sink++;
}

PROBED void naps(void)
{
	struct timespec pause = { 0, 1000000 };

	sink += syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}

PROBED void *work(void *slept_ns)
{
	long begin;
	int i;

	for (i = 0; i < calls; i++) {
		asks();
		hands_over();
		computes();
	}
	for (i = 0; i < calls / 100; i++) {
		begin = now_ns(CLOCK_MONOTONIC);
		naps();
		*(long *)slept_ns += now_ns(CLOCK_MONOTONIC) - begin;
	}
	return NULL;
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Whether its first thread sleeps. */
static int sleeps(pid_t pid)
{
	char path[64], state = 0;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
	stat = fopen(path, "re");
	if (!stat || fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
		abort();
	fclose(stat);
	return state == 'S';
}

int main(int argc, char **argv)
{
	long slept_ns[2] = { 0 };
	pthread_t thread, waiting;
	int i;

	calls = argc > 1 ? atoi(argv[1]) : 1000;
	out = open("/dev/null", O_WRONLY);
	pthread_create(&waiting, NULL, wait_for_ever, NULL);
	pthread_create(&thread, NULL, work, &slept_ns[1]);
	work(&slept_ns[0]);
	pthread_join(thread, NULL);
	if (!fork()) {
		for (i = 0; i < calls; i++)
			syscall(SYS_getppid);
		/* So that there is something to wait for, also on a busy host. */
		while (!sleeps(getppid()))
			usleep(1000);
		_exit(0);
	}
	wait(NULL);
	printf("calls %d\nslept_ns %ld\n", 2 * calls, slept_ns[0] + slept_ns[1]);
	fflush(stdout);
	return 0;
}
