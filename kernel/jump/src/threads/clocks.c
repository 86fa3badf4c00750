// SPDX-License-Identifier: GPL-2.0
#include "threads/clocks.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "layout.h"
#include "threads.skel.h"

static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static int load(struct thread_clocks *clocks, pid_t pid)
{
	struct threads_bpf *programs = threads_bpf__open();

	clocks->programs = programs;
	if (!programs)
		return -1;
	programs->rodata->process = pid;
	if (bpf_map__set_max_entries(programs->maps.clocks, clocks->nr) || threads_bpf__load(programs))
		return -1;
	clocks->file = bpf_map__fd(programs->maps.clocks);
	/* Whoever has its file can only read it; a file for reading alone can't be mapped. */
	return bpf_map_freeze(clocks->file) || threads_bpf__attach(programs) ? -1 : 0;
}

int thread_clocks__open(struct thread_clocks *clocks, pid_t pid, struct error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	int processors = libbpf_num_possible_cpus(), err;

	*clocks = (struct thread_clocks){ .file = -1 };
	if (processors < 1 || processors > JUMP_MAX_CLOCKS)
		return error__set(error, ERR_UNSUPPORTED, "The number of processors is not known, or is more than %d.",
				  JUMP_MAX_CLOCKS);
	clocks->nr = processors;
	clocks->bytes = (processors * sizeof(struct jump_clock) + JUMP_PAGE - 1) / JUMP_PAGE * JUMP_PAGE;
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	libbpf_set_print(print_nothing);
	err = load(clocks, pid);
	return !err ? 0 : error__set(error, ERR_UNSUPPORTED, "The scheduler's programs can't be loaded: %s.",
				     strerror(errno));
}

void thread_clocks__close(struct thread_clocks *clocks)
{
	if (clocks->programs)
		threads_bpf__destroy(clocks->programs);
	*clocks = (struct thread_clocks){ .file = -1 };
}
