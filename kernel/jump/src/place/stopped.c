// SPDX-License-Identifier: GPL-2.0
#include "place/stopped.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lookup/thread_policies.h"

#define SHORT_NS 5000000ull		/* how long to wait for threads that the kernel does not let stop now */
#define LONG_NS 10000000000ull		/* how long to wait for threads that wait for a processor */
#define MOST_NAP_NS 50000000ull		/* between tries */
#define EVENT(status) ((status) >> 16)

static void no_step(void)
{
}

static bool may_all(pid_t pid, struct error *error)
{
	return true;
}

bool (*stopped__may_change)(pid_t pid, struct error *error) = may_all;

void (*place__step)(void) = no_step;
uint64_t stopped__patience_ns = 5000000000;

uint64_t stopped__now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void nap(uint64_t ns)
{
	nanosleep(&(struct timespec){ ns / 1000000000, ns % 1000000000 }, NULL);
}

/* waitpid is not used, because it would take the end of a child away from others in this process. */
static int take_stop(pid_t tid)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, tid, &info, WSTOPPED | WNOHANG | __WALL) || !info.si_pid)
		return 0;
	return info.si_status << 8 | 0x7f;
}

int stopped__wait(const struct stopped *stopped, struct stopped_thread *thread)
{
	uint64_t begin = stopped__now_ns(), waited = 0;

	thread->is_stopped = false;
	for (; waited < LONG_NS; waited = stopped__now_ns() - begin) {
		int status = take_stop(thread->tid);

		if (status) {
			thread->is_stopped = true;
			thread->was_asked = EVENT(status) == PTRACE_EVENT_STOP &&
					    WSTOPSIG(status) == SIGTRAP;
			thread->signal = EVENT(status) || WSTOPSIG(status) == (SIGTRAP | 0x80) ?
					 0 : WSTOPSIG(status);
			return status;
		}
		if (waited > SHORT_NS) {
			if (thread__has_ended(stopped->pid, thread->tid)) {
				thread->tid = 0;
				return -1;
			}
			/* It waits for something that no signal interrupts, such as the program that its vfork() begins. */
			if (thread__state(stopped->pid, thread->tid) == 'D')
				return -1;
		}
		nap(waited < 50000 ? 5000 : waited > 10 * SHORT_NS ? SHORT_NS : waited / 10);
	}
	return -1;
}

static bool is_known(const struct stopped *stopped, pid_t tid)
{
	for (size_t i = 0; i < stopped->nr; i++)
		if (stopped->threads[i].tid == tid)
			return true;
	return false;
}

static struct stopped_thread *new_thread(struct stopped *stopped)
{
	if (stopped->nr == stopped->room) {
		size_t room = stopped->room ? 2 * stopped->room : 16;
		struct stopped_thread *grown = realloc(stopped->threads, room * sizeof(*grown));

		if (!grown)
			return NULL;
		stopped->threads = grown;
		stopped->room = room;
	}
	return &stopped->threads[stopped->nr++];
}

/* Returns 1 if it was not known before, 0 if there is nothing to do. */
static int seize(struct stopped *stopped, pid_t tid, struct error *error)
{
	struct stopped_thread *thread;

	if (is_known(stopped, tid) || thread__has_ended(stopped->pid, tid))
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD)) {
		if (errno == ESRCH || thread__has_ended(stopped->pid, tid))
			return 0;
		/* In a moment, another tracer may have ended. */
		return error__set(error, ERR_BUSY, "Thread %d of process %d can't be stopped: %s. Another tracer may be attached to it.",
				  tid, stopped->pid, strerror(errno));
	}
	thread = new_thread(stopped);
	if (!thread)
		return error__set(error, ERR_FAILED, "There is no memory for the threads of process %d.",
				  stopped->pid);
	*thread = (struct stopped_thread){ .tid = tid };
	place__step();
	return 1;
}

/* Stops the threads that are not known yet.  Returns how many these were, or -1. */
static int seize_all(struct stopped *stopped, struct error *error)
{
	char path[32];
	struct dirent *entry;
	int seized = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", stopped->pid);
	tasks = opendir(path);
	if (!tasks)
		return error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", stopped->pid);
	while (seized >= 0 && (entry = readdir(tasks))) {
		pid_t tid = atoi(entry->d_name);
		int one = tid ? seize(stopped, tid, error) : 0;

		seized = one < 0 ? -1 : seized + one;
	}
	closedir(tasks);
	return seized;
}

static int stop_new(struct stopped *stopped, size_t from, struct error *error)
{
	for (size_t i = from; i < stopped->nr; i++)
		ptrace(PTRACE_INTERRUPT, stopped->threads[i].tid, 0, 0);
	for (size_t i = from; i < stopped->nr; i++) {
		pid_t tid = stopped->threads[i].tid;

		place__step();
		stopped__wait(stopped, &stopped->threads[i]);
		if (stopped->threads[i].tid && !stopped->threads[i].is_stopped)
			return error__set(error, ERR_BUSY, "Thread %d of process %d does not stop: it is in the kernel.",
					  tid, stopped->pid);
	}
	return 0;
}

/* Goes on until all threads that exist stand still: then none of them can make another one. */
static int stop_all(struct stopped *stopped, struct error *error)
{
	size_t before = 0;
	int seized;

	while ((seized = seize_all(stopped, error)) > 0) {
		if (!before)
			stopped->since_ns = stopped__now_ns();
		if (stop_new(stopped, before, error))
			return -1;
		before = stopped->nr;
	}
	if (!seized && !stopped->nr)
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", stopped->pid);
	return seized;
}

pid_t stopped__living(const struct stopped *stopped)
{
	for (size_t i = 0; i < stopped->nr; i++)
		if (stopped->threads[i].tid)
			return stopped->threads[i].tid;
	return stopped->pid;
}

/* How many pages a process maps; 0 if that is not known. */
static unsigned long pages_of(pid_t pid)
{
	char path[32];
	unsigned long pages = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%lu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages;
}

static int check_other(const struct stopped *stopped, pid_t pid, struct error *error)
{
	long differs = syscall(SYS_kcmp, stopped__living(stopped), pid, KCMP_VM, 0, 0);
	unsigned long pages;

	if (differs > 0 || (differs < 0 && errno == ESRCH))
		return 0;
	if (!differs)
		return error__set(error, ERR_BUSY, "Process %d uses the memory of process %d.", pid, stopped->pid);
	/* Where two may not be compared: who uses the same memory maps as many pages. */
	pages = pages_of(pid);
	if (pages && pages != pages_of(stopped__living(stopped)))
		return 0;
	return error__set(error, ERR_NO_PERMISSION, "It is not known whether process %d uses the memory of process %d.",
			  pid, stopped->pid);
}

/* Looks for a process made with CLONE_VM, which would run the same code and is not stopped. */
static int check_alone(const struct stopped *stopped, struct error *error)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int err = 0;

	if (!processes)
		return error__set(error, ERR_FAILED, "The processes can't be listed.");
	while (!err && (entry = readdir(processes))) {
		pid_t pid = atoi(entry->d_name);

		if (pid && pid != stopped->pid)
			err = check_other(stopped, pid, error);
	}
	closedir(processes);
	return err;
}

int stopped__same_files(const struct stopped *stopped, pid_t tid)
{
	int same = 0;

	for (size_t i = 0; i < stopped->nr; i++)
		same += stopped->threads[i].tid && !syscall(SYS_kcmp, tid, stopped->threads[i].tid, KCMP_FILES, 0, 0);
	return same;
}

static void release(struct stopped *stopped, uint64_t *longest_ns)
{
	for (size_t i = 0; i < stopped->nr; i++) {
		const struct stopped_thread *thread = &stopped->threads[i];

		/* The kernel releases those that did not stop: they are traced only as long as this thread lives. */
		if (!thread->tid || !thread->is_stopped)
			continue;
		place__step();
		ptrace(PTRACE_DETACH, thread->tid, 0, thread->signal);
	}
	if (stopped->since_ns && stopped__now_ns() - stopped->since_ns > *longest_ns)
		*longest_ns = stopped__now_ns() - stopped->since_ns;
	free(stopped->threads);
	if (stopped->memory >= 0)
		close(stopped->memory);
}

struct attempt {
	pid_t pid;
	int (*work)(struct stopped *stopped, void *context, struct error *error);
	void *context;
	uint64_t *longest_ns;
	struct error *error;
	int err;
};

static int open_memory(struct stopped *stopped, struct error *error)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", stopped__living(stopped));
	stopped->memory = open(path, O_RDWR | O_CLOEXEC);
	return stopped->memory < 0 ? error__set(error, ERR_NO_PERMISSION, "The memory of process %d can't be opened: %s.",
						stopped->pid, strerror(errno)) : 0;
}

static void *attempt(void *context)
{
	struct attempt *attempt = context;
	struct stopped stopped = { .pid = attempt->pid, .memory = -1 };

	/* The other threads stand still until this is done, so it gets a processor first, if that is permitted. */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
	attempt->err = stop_all(&stopped, attempt->error) || check_alone(&stopped, attempt->error) ||
		       !stopped__may_change(attempt->pid, attempt->error) || open_memory(&stopped, attempt->error) ? -1 :
		       attempt->work(&stopped, attempt->context, attempt->error);
	release(&stopped, attempt->longest_ns);
	return NULL;
}

/* Takes a program that was started here and stands before its first instruction: it ends with this thread. */
static int work_on_own(struct attempt *attempt)
{
	struct stopped_thread thread = { .tid = attempt->pid, .is_stopped = true, .was_asked = true };
	struct stopped stopped = { .pid = attempt->pid, .memory = -1, .is_own = true, .threads = &thread, .nr = 1 };
	int err;

	if (ptrace(PTRACE_SETOPTIONS, attempt->pid, 0, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD))
		return error__set(attempt->error, ERR_PROCESS_ENDED, "Process %d has ended.", attempt->pid);
	err = !stopped__may_change(attempt->pid, attempt->error) || open_memory(&stopped, attempt->error) ? -1 :
	      attempt->work(&stopped, attempt->context, attempt->error);
	ptrace(PTRACE_SETOPTIONS, attempt->pid, 0, PTRACE_O_EXITKILL);
	if (stopped.memory >= 0)
		close(stopped.memory);
	return err;
}

int stopped__work(const struct process_id *process, int (*work)(struct stopped *stopped, void *context, struct error *error),
		  void *context, uint64_t *longest_ns, struct error *error)
{
	struct attempt this = { process->pid, work, context, longest_ns, error, -1 };
	uint64_t begin = stopped__now_ns();

	if (process__tracer(process->pid) == gettid())
		return work_on_own(&this);
	for (uint64_t pause = 1000000;; pause = pause < MOST_NAP_NS ? 2 * pause : pause) {
		pthread_t thread;
		int err;

		/* Another process that has got its number by now must not be stopped, not even for a moment. */
		if (!process_id__is(process))
			return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", process->pid);
		error->code = 0;
		/* This is done by a separate thread: when it ends, the kernel releases all that it traces. */
		err = pthread_create(&thread, NULL, attempt, &this);
		if (err)
			return error__set(error, ERR_FAILED, "There is no thread to stop others with: %s.", strerror(err));
		pthread_join(thread, NULL);
		if (!this.err || error->code != ERR_BUSY || stopped__now_ns() - begin > stopped__patience_ns)
			return this.err;
		nap(pause);
	}
}
