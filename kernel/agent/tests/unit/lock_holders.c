// SPDX-License-Identifier: GPL-2.0
/* Threads that locks are said to be held by, where the kernel could not be asked: told are those that are there, or were once. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

/* A child has what this process maps; its parent has it not. */
static void share(struct lock_holders *holders)
{
	char *both = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *own, *later;
	uint64_t shared = (uintptr_t)both + 4104, private, unmapped;
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
	}
	own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	later = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	private = (uintptr_t)own;
	unmapped = (uintptr_t)later;
	check(!lock_holders__share(holders, child, shared), "no round, no time", holders->nr_sharers);
	lock_holders__begin(holders);
	check(lock_holders__share(holders, child, shared), "a child, of shared memory", child);
	check(!lock_holders__share(holders, getppid(), shared), "a process that does not map it", getppid());
	check(!lock_holders__share(holders, child, private), "memory that is not shared", child);
	check(!lock_holders__share(holders, child, unmapped), "memory that was mapped later", child);
	check(!lock_holders__share(holders, child, 0), "an address of nothing", child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	check(lock_holders__share(holders, child, shared), "a child that has ended, as it was seen", child);
	check(!lock_holders__share(holders, child, shared - 4096), "one that has ended before a look", child);
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
	share(&holders);
	holders.nr = MOST_HOLDERS;
	check(!lock_holders__of(&holders, getpid()), "no room", holders.nr);
	holders.nr = 0;
	holders.has_numbers_of_its_own = true;
	check(!lock_holders__of(&holders, getpid()), "numbers of another namespace", holders.nr);
	return failed;
}
