// SPDX-License-Identifier: GPL-2.0
/* Threads that locks are said to be held by, where the kernel could not be asked: told are those that are there, or were once. */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "recording/lock_holders.h"

static pthread_barrier_t begun, ends;
static uint32_t holder_tid;

static void *holds(void *unused)
{
	holder_tid = syscall(SYS_gettid);
	prctl(PR_SET_NAME, "fifteen letters");
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&ends);
	return unused;
}

int main(void)
{
	static struct lock_holders holders;
	const struct lock_holder *holder;
	pthread_t thread;

	pthread_barrier_init(&begun, NULL, 2);
	pthread_barrier_init(&ends, NULL, 2);
	pthread_create(&thread, NULL, holds, NULL);
	pthread_barrier_wait(&begun);
	lock_holders__init(&holders, getpid());
	holder = lock_holders__of(&holders, holder_tid);
	check(holder && !strcmp(holder->name, "fifteen letters"), "a thread, by its name", holders.nr);
	check(!lock_holders__of(&holders, getppid()), "a thread of another process", holders.nr);
	pthread_barrier_wait(&ends);
	pthread_join(thread, NULL);
	check(lock_holders__of(&holders, holder_tid) == holder, "one that has ended", holders.nr);
	holders.nr = MOST_HOLDERS;
	check(!lock_holders__of(&holders, getpid()), "no room", holders.nr);
	holders.nr = 0;
	holders.has_numbers_of_its_own = true;
	check(!lock_holders__of(&holders, getpid()), "numbers of another namespace", holders.nr);
	return failed;
}
