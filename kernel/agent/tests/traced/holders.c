// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for locks of all kinds, each of which one thread holds that is known, until the waiting thread has left its CPU: so there
 * is one wait for each.  Prints who holds them, by number.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "sleepers.h"

typedef int (*operation)(void *lock);

/* A condition, and its mutex right behind it. */
struct condition {
	pthread_cond_t changed;
	pthread_mutex_t lock;
	int is_set;
};

/* Words that look like a mutex, and are another program's own kind of lock. */
struct decoy {
	uint32_t lock, count, owner, users, kind, spins;
	uint64_t next[2];
};

/* Whose turn it is to hold a lock: threads of this process, and a child, see the same. */
static struct shared {
	pthread_mutex_t mutex;
	volatile int turn, is_held, stops;
	operation take, release;
	void *lock;
	pid_t waiter, process;
} *shared;

enum { IN_FUNCTION = 1, OUTSIDE, CHILD };

static pthread_mutex_t plain, other, recursive, robust, inherits, timed;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static struct condition condition = { .changed = PTHREAD_COND_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER };
static struct decoy decoy = { .users = 1 };
static volatile int sink;

static long futex(uint32_t *at, int operation, long value)
{
	return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* How often a thread left its CPU by itself. */
static long times_slept(void)
{
	char path[64], line[128];
	long times = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", shared->process, shared->waiter);
	file = fopen(path, "r");
	while (file && times < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &times) != 1)
			times = -1;
	if (file)
		fclose(file);
	return times;
}

static void await_sleep(void)
{
	while (!waits_in(shared->process, shared->waiter, SYS_futex))
		usleep(50);
}

static int lock(void *mutex) { return pthread_mutex_lock(mutex); }
static int unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
static int read_lock(void *rw) { return pthread_rwlock_rdlock(rw); }
static int write_lock(void *rw) { return pthread_rwlock_wrlock(rw); }
static int rw_unlock(void *rw) { return pthread_rwlock_unlock(rw); }
static int nothing(void *lock) { return !lock; }

static int set(void *at)
{
	struct condition *c = at;

	pthread_mutex_lock(&c->lock);
	c->is_set = 1;
	pthread_mutex_unlock(&c->lock);
	return pthread_cond_signal(&c->changed);
}

/* Who waited has to wait for the mutex as well then. */
static int set_and_hold(void *at)
{
	struct condition *c = at;
	long before;

	pthread_mutex_lock(&c->lock);
	before = times_slept();
	c->is_set = 1;
	pthread_cond_signal(&c->changed);
	while (times_slept() == before || !waits_in(shared->process, shared->waiter, SYS_futex))
		usleep(50);
	return pthread_mutex_unlock(&c->lock);
}

static int take_decoy(void *at)
{
	struct decoy *d = at;

	d->owner = syscall(SYS_gettid);
	__atomic_store_n(&d->lock, 2, __ATOMIC_SEQ_CST);
	return 0;
}

static int release_decoy(void *at)
{
	struct decoy *d = at;

	__atomic_store_n(&d->lock, 0, __ATOMIC_SEQ_CST);
	return futex(&d->lock, FUTEX_WAKE, 1);
}

static inline void hold(void)
{
	shared->take(shared->lock);
	shared->is_held = 1;
	await_sleep();
	shared->release(shared->lock);
	shared->turn = 0;
}

PROBED int f_holds(int mine)
{
	hold();
	END();
	return mine;
}

static void *holds(void *argument)
{
	int mine = (intptr_t)argument;

	prctl(PR_SET_NAME, mine == IN_FUNCTION ? "in-function" : mine == OUTSIDE ? "outside" : "child");
	printf("%s %ld\n", mine == IN_FUNCTION ? "in" : mine == OUTSIDE ? "out" : "child", syscall(SYS_gettid));
	fflush(stdout);
	while (!shared->stops)
		if (shared->turn != mine)
			usleep(50);
		else if (mine == IN_FUNCTION)
			sink += f_holds(mine);
		else
			hold();
	return NULL;
}

/* Nothing between these gives the CPU up, but the wait. */
#define WAITS(name, call)		\
PROBED int name(void *at)		\
{					\
	int result = call;		\
					\
	END();				\
	return result;			\
}

WAITS(f_mutex, pthread_mutex_lock(at))
WAITS(f_other, pthread_mutex_lock(at))
WAITS(f_recursive, pthread_mutex_lock(at))
WAITS(f_robust, pthread_mutex_lock(at))
WAITS(f_inherits, pthread_mutex_lock(at))
WAITS(f_shared, pthread_mutex_lock(at))
WAITS(f_write, pthread_rwlock_wrlock(at))
WAITS(f_read, pthread_rwlock_rdlock(at))
WAITS(f_write_behind_reader, pthread_rwlock_wrlock(at))

PROBED int f_timed(void *at)
{
	struct timespec until;
	int result;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1000;
	result = pthread_mutex_timedlock(at, &until);
	END();
	return result;
}

static int await_condition(struct condition *c)
{
	int result = 0;

	pthread_mutex_lock(&c->lock);
	while (!c->is_set)
		result = pthread_cond_wait(&c->changed, &c->lock);
	c->is_set = 0;
	pthread_mutex_unlock(&c->lock);
	return result;
}

WAITS(f_condition, await_condition(at))
WAITS(f_condition_and_mutex, await_condition(at))

PROBED int f_decoy(void *at)
{
	struct decoy *d = at;

	while (__atomic_load_n(&d->lock, __ATOMIC_SEQ_CST) == 2)
		futex(&d->lock, FUTEX_WAIT, 2);
	END();
	return 0;
}

/* Functions that are not measured, within one that is. */
static __attribute__((noinline)) int in_between(void *at)
{
	char room[600];
	int result;

	memset(room, 0, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	result = f_mutex(at);
	__asm__ volatile("" : : "r"(room) : "memory");
	return result;
}

PROBED int f_outer(void *at)
{
	int result = in_between(at);

	END();
	return result;
}

static void wait_for(void *at, int holder, operation take, operation release, operation function)
{
	shared->lock = at;
	shared->take = take;
	shared->release = release;
	shared->is_held = 0;
	shared->turn = holder;
	while (!shared->is_held)
		usleep(50);
	sink += function(at);
	while (shared->turn)
		usleep(50);
}

static void wait_for_mutex(void *at, int holder, operation function)
{
	wait_for(at, holder, lock, unlock, function);
	pthread_mutex_unlock(at);
}

static void init(pthread_mutex_t *mutex, int type, int is_robust, int protocol, int is_shared)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	if (is_robust)
		pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setpshared(&attributes, is_shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
	pthread_mutex_init(mutex, &attributes);
}

/* In a PID namespace of its own on demand: there it is number 2. */
static void start_child(bool apart)
{
	int own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);

	if (apart && unshare(CLONE_NEWPID))
		exit(1);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* With the first process of a namespace all others end. */
		if (!apart || !fork())
			holds((void *)CHILD);
		/* Whether it maps the lock is looked at later. */
		pause();
		_exit(0);
	}
	/* There are no threads of a process in two namespaces. */
	if (apart && setns(own, CLONE_NEWPID))
		exit(1);
	close(own);
}

/* ROUNDS [apart]: so many waits of each kind, with a child in a PID namespace of its own.  Then it stays until it is ended. */
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[2];

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	shared->waiter = shared->process = getpid();
	init(&shared->mutex, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE, 1);
	init(&plain, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE, 0);
	init(&other, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_NONE, 0);
	init(&recursive, PTHREAD_MUTEX_RECURSIVE, 0, PTHREAD_PRIO_NONE, 0);
	init(&robust, PTHREAD_MUTEX_NORMAL, 1, PTHREAD_PRIO_NONE, 0);
	init(&inherits, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT, 0);
	init(&timed, PTHREAD_MUTEX_ADAPTIVE_NP, 0, PTHREAD_PRIO_NONE, 0);
	start_child(argc > 2);
	pthread_create(&threads[0], NULL, holds, (void *)IN_FUNCTION);
	pthread_create(&threads[1], NULL, holds, (void *)OUTSIDE);
	for (int i = 0; i < rounds; i++) {
		wait_for_mutex(&plain, i % 3 ? IN_FUNCTION : OUTSIDE, f_mutex);
		wait_for_mutex(&plain, OUTSIDE, f_outer);
		wait_for_mutex(&other, IN_FUNCTION, f_other);
		wait_for_mutex(&recursive, OUTSIDE, f_recursive);
		wait_for_mutex(&robust, OUTSIDE, f_robust);
		wait_for_mutex(&inherits, IN_FUNCTION, f_inherits);
		wait_for_mutex(&timed, OUTSIDE, f_timed);
		wait_for_mutex(&shared->mutex, CHILD, f_shared);
		wait_for(&rwlock, IN_FUNCTION, write_lock, rw_unlock, f_write);
		pthread_rwlock_unlock(&rwlock);
		wait_for(&rwlock, OUTSIDE, write_lock, rw_unlock, f_read);
		pthread_rwlock_unlock(&rwlock);
		wait_for(&rwlock, OUTSIDE, read_lock, rw_unlock, f_write_behind_reader);
		pthread_rwlock_unlock(&rwlock);
		wait_for(&condition, OUTSIDE, nothing, set, f_condition);
		wait_for(&condition, OUTSIDE, nothing, set_and_hold, f_condition_and_mutex);
		wait_for(&decoy, OUTSIDE, take_decoy, release_decoy, f_decoy);
	}
	shared->stops = 1;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("done 0\n");
	fflush(stdout);
	pause();
	return 0;
}
