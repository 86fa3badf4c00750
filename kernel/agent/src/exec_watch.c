// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <bpf/libbpf.h>

#include "error.h"
#include "exec_watch.h"
#include "exec_watch.skel.h"

struct exec_watch {
	struct exec_watch_bpf *skel;
};

struct exec_watch *exec_watch__new(pid_t pid, struct fn_error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct exec_watch *watch = calloc(1, sizeof(*watch));

	if (!watch) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	libbpf_set_print(NULL);
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	watch->skel = exec_watch_bpf__open();
	if (!watch->skel)
		goto fail;
	watch->skel->rodata->watched_tgid = pid;
	if (exec_watch_bpf__load(watch->skel) || exec_watch_bpf__attach(watch->skel))
		goto fail;
	return watch;
fail:
	error__set(error, ERR_UNSUPPORTED,
		   "The kernel can't tell whether process %d executes programs with other rights (%s), so that only root may measure here.",
		   pid, strerror(errno));
	exec_watch__free(watch);
	return NULL;
}

void exec_watch__free(struct exec_watch *watch)
{
	if (!watch)
		return;
	exec_watch_bpf__destroy(watch->skel);
	free(watch);
}

bool exec_watch__was_raised(const struct exec_watch *watch)
{
	return __atomic_load_n(&watch->skel->bss->raised, __ATOMIC_ACQUIRE);
}
