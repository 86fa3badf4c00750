// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for a futex that another thread moves to another one, and waits for several: each function waits once.  Prints what
 * each call returned.  Then it stays until it is ended.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "sleepers.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv	449
#endif

/* As struct futex_waitv, which not all headers have. */
struct waited {
	uint64_t value, address;
	uint32_t flags, reserved;
};

/* Its parts have names by where they lie. */
struct {
	uint32_t condition, lock;
} first, with_lock;
static uint32_t several[2];
static struct waited list[2];

static long futex(uint32_t *at, int op, long value, long count, uint32_t *other, uint32_t compared)
{
	return syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, count, other, compared);
}

PROBED long f_moved(void)
{
	long result = futex(&first.condition, FUTEX_WAIT, 0, 0, NULL, 0);

	END();
	return result;
}

PROBED long f_moved_to_lock(void)
{
	long result = futex(&with_lock.condition, FUTEX_WAIT_REQUEUE_PI, 0, 0, &with_lock.lock, 0);

	END();
	return result;
}

PROBED long f_several(void)
{
	long result = syscall(SYS_futex_waitv, list, 2, 0, NULL, CLOCK_MONOTONIC);

	END();
	return result;
}

static void await(pid_t waiter, long call)
{
	while (!waits_in(waiter, waiter, call))
		usleep(50);
}

static void *moves(void *waiter)
{
	pid_t pid = getpid();

	/* Once it is moved it is that wait in which it sleeps, and no other. */
	while (futex(&first.condition, FUTEX_CMP_REQUEUE, 0, 1, &first.lock, 0) != 1)
		usleep(50);
	await(pid, SYS_futex);
	futex(&first.lock, FUTEX_WAKE, 1, 0, NULL, 0);
	pthread_barrier_wait(waiter);
	with_lock.lock = syscall(SYS_gettid);
	while (futex(&with_lock.condition, FUTEX_CMP_REQUEUE_PI, 1, 0, &with_lock.lock, 0) != 1)
		usleep(50);
	await(pid, SYS_futex);
	futex(&with_lock.lock, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
	pthread_barrier_wait(waiter);
	/* A kernel before Linux 5.16 has no such call, and nobody waits. */
	if (list[0].address) {
		await(pid, SYS_futex_waitv);
		futex(&several[1], FUTEX_WAKE, 1, 0, NULL, 0);
	}
	return NULL;
}

int main(void)
{
	pthread_barrier_t next;
	pthread_t thread;
	long moved, to_lock;
	int i;

	for (i = 0; i < 2 && (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0), errno != ENOSYS); i++)
		list[i] = (struct waited){ .address = (uintptr_t)&several[i], .flags = 2 | FUTEX_PRIVATE_FLAG };
	pthread_barrier_init(&next, NULL, 2);
	pthread_create(&thread, NULL, moves, &next);
	moved = f_moved();
	pthread_barrier_wait(&next);
	to_lock = f_moved_to_lock();
	pthread_barrier_wait(&next);
	printf("moved %ld\nto_lock %ld\nseveral %ld\n", moved, to_lock, f_several());
	pthread_join(thread, NULL);
	printf("done 0\n");
	fflush(stdout);
	pause();
	return 0;
}
