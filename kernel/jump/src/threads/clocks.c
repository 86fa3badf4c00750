// SPDX-License-Identifier: GPL-2.0
#include "threads/clocks.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/causes.h"
#include "layout.h"
#include "threads.skel.h"

static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static int load(struct thread_clocks *clocks, uint32_t ring_bytes)
{
	struct threads_bpf *programs = threads_bpf__open();

	clocks->programs = programs;
	if (!programs)
		return -1;
	/* Not until it is known of whom. */
	bpf_program__set_autoattach(programs->progs.show, false);
	causes__fill(programs->rodata->cause_of_syscall);
	programs->rodata->with_events = ring_bytes;
	programs->rodata->wake_bytes = ring_bytes / 4;
	bpf_program__set_autoload(programs->progs.on_waking, ring_bytes);
	if (bpf_map__set_max_entries(programs->maps.clocks, clocks->nr) ||
	    bpf_map__set_max_entries(programs->maps.ring, ring_bytes ? ring_bytes : (uint32_t)sysconf(_SC_PAGESIZE)) ||
	    threads_bpf__load(programs))
		return -1;
	clocks->file = bpf_map__fd(programs->maps.clocks);
	if (ring_bytes) {
		clocks->events = bpf_map__fd(programs->maps.ring);
		clocks->events_dropped = (const uint64_t *)programs->bss->events_dropped;
	}
	/* Whoever has its file can only read it; a file for reading alone can't be mapped. */
	return bpf_map_freeze(clocks->file) || threads_bpf__attach(programs) ? -1 : 0;
}

int thread_clocks__open(struct thread_clocks *clocks, uint32_t ring_bytes, struct error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	int processors = libbpf_num_possible_cpus(), err;

	*clocks = (struct thread_clocks){ .file = -1, .events = -1 };
	if (processors < 1 || processors > JUMP_MAX_CLOCKS)
		return error__set(error, ERR_UNSUPPORTED, "The number of processors is not known, or is more than %d.",
				  JUMP_MAX_CLOCKS);
	clocks->nr = processors;
	clocks->bytes = (processors * sizeof(struct jump_clock) + JUMP_PAGE - 1) / JUMP_PAGE * JUMP_PAGE;
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	libbpf_set_print(print_nothing);
	err = load(clocks, ring_bytes);
	return !err ? 0 : error__set(error, ERR_UNSUPPORTED, "The scheduler's programs can't be loaded: %s.",
				     strerror(errno));
}

/* Has the kernel visit this thread, and no other; since Linux 6.1. */
static int show(struct thread_clocks *clocks, pid_t tid)
{
	union bpf_iter_link_info which = { .task.tid = tid };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &which, .link_info_len = sizeof(which));
	struct bpf_link *link = bpf_program__attach_iter(clocks->programs->progs.show, &options);
	int visit, err;
	char nothing;

	if (!link)
		return -1;
	visit = bpf_iter_create(bpf_link__fd(link));
	err = visit < 0 || read(visit, &nothing, sizeof(nothing)) < 0 ? errno : 0;
	if (visit >= 0)
		close(visit);
	bpf_link__destroy(link);
	errno = err;
	return err ? -1 : 0;
}

int thread_clocks__watch(struct thread_clocks *clocks, pid_t tid, int *files_users, struct error *error)
{
	/* If the thread has ended, it is not visited, and nobody shares anything with it. */
	clocks->programs->data->watched.files_users = 0;
	if (show(clocks, tid))
		return error__set(error, ERR_UNSUPPORTED, "The scheduler's programs can't be shown thread %d: %s. That needs Linux 6.1.",
				  tid, strerror(errno));
	if (clocks->programs->data->watched.tgid < 0)
		return error__set(error, ERR_PROCESS_ENDED, "Thread %d has ended.", tid);
	*files_users = clocks->programs->data->watched.files_users;
	return 0;
}

void thread_clocks__tell(struct thread_clocks *clocks, bool tells)
{
	__atomic_store_n(&clocks->programs->bss->tells, tells, __ATOMIC_RELAXED);
}

void thread_clocks__close(struct thread_clocks *clocks)
{
	if (clocks->programs)
		threads_bpf__destroy(clocks->programs);
	*clocks = (struct thread_clocks){ .file = -1, .events = -1 };
}
