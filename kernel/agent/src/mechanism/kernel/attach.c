// SPDX-License-Identifier: GPL-2.0
/* By which way the kernel's functions are probed, and the probes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libkview.h>

#include "mechanism/bpf_access.h"
#include "mechanism/kernel/kernel.h"
#include "mechanism/kernel/state.h"
#include "mechanism/kview_module.h"

int kernel_functions__can(struct error *error)
{
	enum kernel_way way;
	char why[512];
	struct kview *module = kview_module__open(why, sizeof(why));

	kview__free(module);
	return module ? 0 : kernel_way__find(&way, error);
}

static int way__view(struct kernel_functions *k, struct error *error)
{
	char why[512];

	k->module = kview_module__open(why, sizeof(why));
	if (!k->module)
		return error__set(error, ERR_UNSUPPORTED, "%.400s", why);
	k->way = KERNEL_WAY_VIEW;
	if (function_view__make(&k->view, k->module, k->symbols, k->base.nr, error))
		return -1;
	if (!process_view__try(&k->view.base, k->base.pid, k->process_fd, error))
		return 0;
	function_view__close(&k->view);
	return -1;
}

int functions__choose_way(struct kernel_functions *k, struct error *error)
{
	struct error no_view = { 0 }, no_probe = { 0 };

	if (k->filter != KVIEW__WIRE__FILTER__FILTER_IN && !way__view(k, &no_view))
		return 0;
	if (no_view.code == ERR_NO_SUCH_PROCESS)
		return error__set(error, no_view.code, "%s", no_view.message);
	if (k->filter == KVIEW__WIRE__FILTER__FILTER_VIEW)
		return error__set(error, no_view.code,
				  "%.400s Or record with --filter in (or auto): other processes are then told apart in the eBPF program.",
				  no_view.message);
	if (k->module)
		snprintf(k->why, sizeof(k->why), " %.480s", no_view.message);
	if (kernel_way__find(&k->way, &no_probe))
		return error__set(error, no_probe.code, "%.400s%.400s", no_probe.message, k->why);
	if (k->way == KERNEL_WAY_SINGLE && k->base.nr > KERNEL_SINGLE_MOST)
		return error__set(error, ERR_TOO_MANY,
				  "This kernel sets probes on its functions one by one, which takes long for %zu: choose at most %u.",
				  k->base.nr, KERNEL_SINGLE_MOST);
	return 0;
}

void functions__choose_programs(struct kernel_functions *k)
{
	bool is_view = k->way == KERNEL_WAY_VIEW, is_multi = k->way == KERNEL_WAY_MULTI;

	bpf_program__set_autoload(k->skel->progs.function_entry, is_multi);
	bpf_program__set_autoload(k->skel->progs.function_return, is_multi);
	bpf_program__set_autoload(k->skel->progs.function_entry_single, !is_multi);
	bpf_program__set_autoload(k->skel->progs.function_return_single, !is_multi);
	bpf_program__set_autoload(k->skel->progs.view_switch_out, is_view);
	bpf_program__set_autoload(k->skel->progs.view_switch_in, is_view);
	bpf_program__set_autoload(k->skel->progs.view_thread_begins, is_view);
	bpf_program__set_autoload(k->skel->progs.view_thread_ends, is_view);
	bpf_program__set_autoload(k->skel->progs.sched_switch, !is_view);
	bpf_program__set_autoload(k->skel->progs.sched_wakeup, !is_view);
	bpf_program__set_autoload(k->skel->progs.sched_process_fork, !is_view);
	bpf_program__set_autoload(k->skel->progs.sched_process_exit, !is_view);
	k->skel->rodata->in_view = is_view;
	if (is_view)
		bpf_program__set_autoload(k->skel->progs.sched_waking, false);
}

/* Some of them by one request. */
static int probe__many(struct kernel_functions *k, bool at_return, size_t first, size_t nr)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = k->symbols + first,
		    .cookies = k->cookies + first, .cnt = nr, .retprobe = at_return);
	struct bpf_program *program = at_return ? k->skel->progs.function_return : k->skel->progs.function_entry;

	return tracer__add_link(&k->tracer, bpf_program__attach_kprobe_multi_opts(program, NULL, &opts));
}

static int probe__singly(struct kernel_functions *k, bool at_return, size_t first, size_t nr)
{
	struct bpf_program *program = at_return ? k->skel->progs.function_return_single :
						  k->skel->progs.function_entry_single;
	size_t i;

	for (i = first; i < first + nr; i++) {
		LIBBPF_OPTS(bpf_kprobe_opts, opts, .bpf_cookie = k->cookies[i], .retprobe = at_return);

		if (tracer__add_link(&k->tracer, bpf_program__attach_kprobe_opts(program, k->symbols[i], &opts)))
			return -1;
	}
	return 0;
}

static int functions__probe(struct kernel_functions *k, bool at_return, size_t first, size_t nr)
{
	return k->way == KERNEL_WAY_MULTI ? probe__many(k, at_return, first, nr) :
					    probe__singly(k, at_return, first, nr);
}

/* What begins calls comes last. */
int functions__link(struct kernel_functions *k, size_t first, size_t nr)
{
	int failed;

	if (!tracer__link_scheduler(&k->tracer) &&
	    !tracer__link(&k->tracer, k->skel->progs.sched_process_fork) &&
	    !tracer__link(&k->tracer, k->skel->progs.sched_process_exit)) {
		/* Those that are made from now on get their state as they are. */
		bpf_access__visit_tasks(k->skel->progs.prepare_threads);
		if (!functions__probe(k, true, first, nr) && !functions__probe(k, false, first, nr))
			return 0;
	}
	failed = errno;
	tracer__unlink(&k->tracer);
	errno = failed;
	return -1;
}
