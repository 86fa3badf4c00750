// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/error.h"
#include "base/loop.h"
#include "mechanism/bpf_access.h"
#include "mechanism/capabilities.h"

static int libbpf__print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN && getenv("KVIEW_AGENT_DEBUG") ?
		vfprintf(stderr, format, args) : 0;
}

int bpf_access__prepare(struct error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!capabilities__sees_host_pids())
		return error__set(error, ERR_UNSUPPORTED,
				  "The agent runs in a container with process ids of its own: run it on the host itself, or with the host's (--pid=host).");
	libbpf_set_print(libbpf__print);
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	return 0;
}

int bpf_access__share(struct bpf_map *map, int fd, struct error *error)
{
	if (fd < 0)
		bpf_map__set_autocreate(map, false);
	else if (bpf_map__reuse_fd(map, fd))
		return error__set(error, ERR_FAILED, "The states of threads could not be shared: %s.", strerror(errno));
	return 0;
}

void bpf_access__allow_descriptors(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

uint64_t bpf_access__missed_runs(struct bpf_object *object)
{
	struct bpf_program *program;
	uint64_t missed = 0;

	bpf_object__for_each_program(program, object) {
		struct bpf_prog_info info = { 0 };
		uint32_t length = sizeof(info);

		if (bpf_program__fd(program) >= 0 &&
		    !bpf_prog_get_info_by_fd(bpf_program__fd(program), &info, &length))
			missed += info.recursion_misses;
	}
	return missed;
}

void bpf_access__visit_tasks(struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	char byte;
	int fd;

	if (!link) {
		log__line("the threads of this host could not be looked at: %s", strerror(errno));
		return;
	}
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd >= 0) {
		while (read(fd, &byte, 1) > 0)
			;
		close(fd);
	}
	bpf_link__destroy(link);
}

/* Who is in the way has lost its CPU, for some ms each time. */
#define VISITS		200
#define VISIT_AGAIN_US	1000

bool bpf_access__visit_all_tasks(struct bpf_program *program, bool *unseen)
{
	int visit;

	for (visit = 0; visit < VISITS; visit++) {
		__atomic_store_n(unseen, false, __ATOMIC_SEQ_CST);
		bpf_access__visit_tasks(program);
		if (!__atomic_load_n(unseen, __ATOMIC_SEQ_CST))
			return true;
		loop__rest(VISIT_AGAIN_US * 1000ULL);
	}
	return false;
}
