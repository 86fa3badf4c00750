// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/cutoff.h"
#include "base/error.h"
#include "base/loop.h"
#include "exec_watch.skel.h"
#include "permission/exec_watch.h"

#define LOOK_MS	250

struct exec_watch {
	struct exec_watch_bpf *skel;
	pthread_t thread;
	bool has_thread;
	int end;		/* an eventfd that tells the thread to end */
	uint64_t until_ns;	/* when the agent must have looked again; 0: it need not yet */
	bool blind;
};

static bool is_overdue(const struct exec_watch *watch)
{
	uint64_t until_ns = __atomic_load_n(&watch->until_ns, __ATOMIC_RELAXED);

	return until_ns && clock__now_ns() > until_ns;
}

/* A thread for this alone: even if its caller keeps the agent busy, it reacts. */
static void *watch__run(void *context)
{
	struct exec_watch *watch = context;
	struct pollfd fds[] = {
		{ .fd = watch->end, .events = POLLIN },
		{ .fd = bpf_map__fd(watch->skel->maps.news), .events = POLLIN },
	};

	while (poll(fds, 2, LOOK_MS) <= 0 || !(fds[0].revents | fds[1].revents))
		if (is_overdue(watch)) {
			__atomic_store_n(&watch->blind, true, __ATOMIC_RELEASE);
			cutoff__now();
		}
	if (exec_watch__was_raised(watch))
		cutoff__now();
	return NULL;
}

static int watch__start(struct exec_watch *watch)
{
	sigset_t all, before;

	if (cutoff__begin())
		return -1;
	watch->end = eventfd(0, EFD_CLOEXEC);
	if (watch->end < 0)
		return -1;
	/* Signals are left to the agent's main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&watch->thread, NULL, watch__run, watch);
	watch->has_thread = !errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return watch->has_thread ? 0 : -1;
}

struct exec_watch *exec_watch__new(pid_t pid, struct error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct exec_watch *watch = calloc(1, sizeof(*watch));

	if (!watch) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	watch->end = -1;
	libbpf_set_print(NULL);
	/* Kernels before 5.11 count maps against this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	watch->skel = exec_watch_bpf__open();
	if (!watch->skel)
		goto fail;
	watch->skel->rodata->watched_tgid = pid;
	if (exec_watch_bpf__load(watch->skel) || watch__start(watch) ||
	    exec_watch_bpf__attach(watch->skel))
		goto fail;
	return watch;
fail:
	error__set(error, ERR_UNSUPPORTED,
		   "The kernel can't report whether process %d executes programs with other rights (%s), so only root may measure here.",
		   pid, strerror(errno));
	exec_watch__free(watch);
	return NULL;
}

void exec_watch__free(struct exec_watch *watch)
{
	const uint64_t one = 1;

	if (!watch)
		return;
	if (watch->has_thread) {
		while (write(watch->end, &one, sizeof(one)) < 0 && errno == EINTR)
			;
		pthread_join(watch->thread, NULL);
	}
	cutoff__end();
	if (watch->end >= 0)
		close(watch->end);
	exec_watch_bpf__destroy(watch->skel);
	free(watch);
}

bool exec_watch__looks(struct exec_watch *watch, uint64_t patience_ns)
{
	__atomic_store_n(&watch->until_ns, clock__now_ns() + patience_ns, __ATOMIC_RELAXED);
	return !__atomic_load_n(&watch->blind, __ATOMIC_ACQUIRE);
}

bool exec_watch__was_raised(const struct exec_watch *watch)
{
	return __atomic_load_n(&watch->skel->bss->raised, __ATOMIC_ACQUIRE);
}
