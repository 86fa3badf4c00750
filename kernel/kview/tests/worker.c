// SPDX-License-Identifier: GPL-2.0
/*
 * Workers wait on a futex in shared memory, so that being told what to do makes
 * none of the system calls that tests count.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness.h"

struct order {
	int state;		/* futex: 0 idle, 1 begun, 2 taken by execve */
	int op;
	long n;
	int fd;			/* of this memory */
	long done;
};

static int zero, cpus;		/* set at the start: finding out reads files */

static void futex_wait(int *word, int while_is)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == while_is)
		syscall(SYS_futex, word, FUTEX_WAIT, while_is, NULL, NULL, 0);
}

static void futex_set(int *word, int value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

void reads(long n)
{
	int fd = open("/dev/zero", O_RDONLY);
	char b;

	while (n--)
		syscall(SYS_read, fd, &b, 1);
	close(fd);
}

static void reads_migrating(long n)
{
	cpu_set_t set;
	long i;
	char b;

	for (i = 0; i < n; i++) {
		syscall(SYS_read, zero, &b, 1);
		if (i % 1024 == 0) {
			CPU_ZERO(&set);
			CPU_SET(i / 1024 % cpus, &set);
			sched_setaffinity(0, sizeof(set), &set);
		}
	}
	CPU_ZERO(&set);
	for (i = 0; i < cpus; i++)
		CPU_SET(i, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *reads_thread(void *n)
{
	char b;
	long i;

	for (i = 0; i < (long)n; i++)
		syscall(SYS_read, zero, &b, 1);
	return NULL;
}

static void reads_in_threads(long n)
{
	pthread_t t[4];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		if (pthread_create(&t[i], NULL, reads_thread, (void *)n))
			_exit(3);
	for (i = 0; i < ARRAY_SIZE(t); i++)
		pthread_join(t[i], NULL);
}

/* One byte each.  Its buffer has to lie where 32 bits reach. */
static void reads_32(long n)
{
	char *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		       -1, 0);
	long ret;

	while (n--) {
		asm volatile("int $0x80" : "=a" (ret) : "a" (3), "b" (zero), "c" (b), "d" (1)
			     : "memory", "r8", "r9", "r10", "r11");
		if (ret != 1)
			_exit(6);
	}
	munmap(b, 4096);
}

static void child_does(long n, bool forks)
{
	pid_t pid = fork();

	if (!pid) {
		if (!forks)
			reads_thread((void *)n);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void vfork_exec(long n)
{
	char count[32];
	pid_t pid;

	snprintf(count, sizeof(count), "%ld", n);
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", "kview-test", "--reads", count, NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void on_signal(int nr)
{
	(void)nr;
}

/* Real-time and on one CPU, so that no child runs before it has got its signal. */
static void signal_children(long n)
{
	struct sched_param p = { .sched_priority = 1 };
	cpu_set_t set;
	pid_t pid;
	int i;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || sched_setscheduler(0, SCHED_FIFO, &p))
		_exit(6);
	signal(SIGUSR1, on_signal);
	for (i = 0; i < 20; i++) {
		pid = fork();
		if (!pid) {
			reads_thread((void *)n);
			_exit(0);
		}
		kill(pid, SIGUSR1);
		waitpid(pid, NULL, 0);
	}
}

/* Once it ends, it is there until the worker's starter, who traces it now, has waited for it. */
static void *traced_thread(void *begun)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(3);
	futex_set(begun, 1);
	for (;;)
		pause();
	return NULL;
}

static void exec_worker(const struct order *o)
{
	char fd[16], n[32];

	snprintf(fd, sizeof(fd), "%d", o->fd);
	snprintf(n, sizeof(n), "%ld", o->n);
	execl("/proc/self/exe", "kview-test", "--worker", fd, n, NULL);
	_exit(4);
}

/* ... which ends the other threads first, and waits until they have gone. */
static void exec_from_threads(const struct order *o)
{
	int begun = 0;
	pthread_t t;

	if (pthread_create(&t, NULL, traced_thread, &begun))
		_exit(3);
	futex_wait(&begun, 0);
	exec_worker(o);
}

static void exec_again(const struct order *o)
{
	char fd[16];

	snprintf(fd, sizeof(fd), "%d", o->fd);
	execl("/proc/self/exe", "kview-test", "--execs", fd, NULL);
	_exit(4);
}

/* As long as a file is written to, this process is the one who patches text. */
static void toggle_tracer(long n)
{
	while (n--) {
		try_write_file(TRACING "current_tracer", "function");
		try_write_file(TRACING "current_tracer", "nop");
	}
}

static void obey(struct order *o)
{
	long i;

	switch (o->op) {
	case OP_READ:
		reads_thread((void *)o->n);
		break;
	case OP_READ_MIGRATE:
		reads_migrating(o->n);
		break;
	case OP_READ_THREADS:
		reads_in_threads(o->n);
		break;
	case OP_FORK_READ:
		child_does(o->n, false);
		break;
	case OP_FORKS:
		for (i = 0; i < o->n; i++)
			child_does(0, true);
		break;
	case OP_VFORK_EXEC_READ:
		vfork_exec(o->n);
		break;
	case OP_LSEEK:
		for (i = 0; i < o->n; i++)
			syscall(SYS_lseek, zero, 0, 0);
		break;
	case OP_CALL_32:
		reads_32(o->n);
		break;
	case OP_WRITE_FILES:
		toggle_tracer(o->n);
		break;
	case OP_EXEC_READ:
		exec_worker(o);
		break;
	case OP_THREAD_EXEC_READ:
		exec_from_threads(o);
		break;
	case OP_FORK_SIGNAL_READ:
		signal_children(o->n);
		break;
	case OP_EXECS:
		__atomic_store_n(&o->done, 0, __ATOMIC_RELEASE);
		exec_again(o);
		break;
	case OP_QUIT:
		_exit(0);
	}
}

static void serve(struct order *o)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	zero = open("/dev/zero", O_RDONLY);
	for (;;) {
		futex_wait(&o->state, 0);
		obey(o);
		futex_set(&o->state, 0);
	}
}

static struct order *order_map(int fd)
{
	struct order *o = mmap(NULL, sizeof(*o), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (o == MAP_FAILED)
		_exit(5);
	return o;
}

/* After execve: the order is still the one that was begun. */
void worker_main(int order_fd, long n)
{
	struct order *o = order_map(order_fd);

	zero = open("/dev/zero", O_RDONLY);
	reads_thread((void *)n);
	futex_set(&o->state, 0);
	serve(o);
}

void worker_execs(int order_fd)
{
	struct order *o = order_map(order_fd);

	if (__atomic_add_fetch(&o->done, 1, __ATOMIC_ACQ_REL) < o->n)
		exec_again(o);
	futex_set(&o->state, 0);
	serve(o);
}

long worker_done(const struct worker *w)
{
	return __atomic_load_n(&w->order->done, __ATOMIC_ACQUIRE);
}

pid_t fork_into(int cgroup_fd)
{
	/* newer than some build hosts' <linux/sched.h> */
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
			 set_tid, set_tid_size, cgroup;
	} args = {
		.flags = 0x200000000ULL /* CLONE_INTO_CGROUP */,
		.exit_signal = SIGCHLD,
		.cgroup = cgroup_fd,
	};

	return cgroup_fd < 0 ? fork() : syscall(SYS_clone3, &args, sizeof(args));
}

struct worker worker_start_in(int cgroup_fd)
{
	struct worker w;
	int fd = memfd_create("order", 0);

	CHECK(fd >= 0);
	CHECK(!ftruncate(fd, sizeof(struct order)));
	w.order = order_map(fd);
	w.order->fd = fd;
	w.pid = fork_into(cgroup_fd);
	CHECK(w.pid >= 0);
	if (!w.pid)
		serve(w.order);
	close(fd);
	worker_do(&w, OP_READ, 0);	/* it has started when this is done */
	return w;
}

struct worker worker_start(void)
{
	return worker_start_in(-1);
}

void worker_begin(struct worker *w, enum op op, long n)
{
	w->order->op = op;
	w->order->n = n;
	futex_set(&w->order->state, 1);
}

void worker_sleeps(const struct worker *w)
{
	char path[32], state = 0;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", w->pid);
	while (state != 'S') {
		stat = fopen(path, "re");
		CHECK(stat && fscanf(stat, "%*d (%*[^)]) %c", &state) == 1);
		fclose(stat);
	}
}

void worker_wait(struct worker *w)
{
	futex_wait(&w->order->state, 1);
}

bool worker_idle(const struct worker *w)
{
	return !__atomic_load_n(&w->order->state, __ATOMIC_ACQUIRE);
}

void worker_do(struct worker *w, enum op op, long n)
{
	worker_begin(w, op, n);
	worker_wait(w);
}

void worker_quit(struct worker *w)
{
	int status;

	worker_begin(w, OP_QUIT, 0);
	CHECK(waitpid(w->pid, &status, 0) == w->pid);
	CHECK_EQ(status, 0);
	munmap(w->order, sizeof(*w->order));
}
