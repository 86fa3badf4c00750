// SPDX-License-Identifier: GPL-2.0
/* By which way the kernel's functions are probed, and the probes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkview.h>

#include "base/loop.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel/kernel.h"
#include "mechanism/kernel/state.h"
#include "mechanism/kview_module.h"
#include "mechanism/shared_view.h"

int kernel_functions__can(struct error *error)
{
	enum kernel_way way;
	char why[512];
	struct kview *module = kview_module__open(why, sizeof(why));

	kview__free(module);
	return module ? 0 : kernel_way__find(&way, error);
}

static int functions__hook(const char *const *symbols, const __u64 *cookies, size_t nr, struct view_hooks *hooks,
			   struct kview_view *view, struct error *error)
{
	struct kview_set_opts opts = { 0 };

	if (view_hooks__add(hooks, kview_view__add_returns(view, symbols, nr, &opts), "function_return_single", cookies, false) ||
	    view_hooks__add(hooks, kview_view__add_functions(view, symbols, nr, &opts), "function_entry_single", cookies, true))
		return view_hooks__refused(opts.bad < nr ? symbols[opts.bad] : "these functions", error);
	return 0;
}

/* Those that have no hook at their entries, or at their returns, in either case without a set that stays. */
static int functions__refuse(struct kernel_functions *k, struct kview_view *view)
{
	struct kview_site_result *results = calloc(k->base.nr, sizeof(*results));
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = results };
	struct kview_set *set;
	bool is_return = true;
	int failed = 0;
	size_t i;

	do {
		set = !results ? NULL : is_return ? kview_view__add_returns(view, k->symbols, k->base.nr, &opts) :
						    kview_view__add_functions(view, k->symbols, k->base.nr, &opts);
		/* Then it is all of them. */
		failed |= !set && (!results || errno != EADDRNOTAVAIL);
		kview_set__free(set);
		for (i = 0; i < k->base.nr && !failed; i++)
			if (results[i].error && !k->refused[i])
				k->refused[i] = results[i].error;
		is_return = !is_return;
	} while (!is_return && !failed);
	free(results);
	return failed ? -1 : 0;
}

/* Who asked for a view gets all that can be hooked there; the others are told as refused, see functions__follow. */
static int functions__hook_rest(struct kernel_functions *k, struct view_hooks *hooks, struct kview_view *view, struct error *error)
{
	size_t nr = 0, i;

	view_hooks__free(hooks);
	if (functions__refuse(k, view))
		return -1;
	for (i = 0; i < k->base.nr; i++)
		if (!k->refused[i]) {
			k->hooked[nr] = k->symbols[i];
			k->hooked_cookies[nr++] = k->cookies[i];
		}
	if (!nr)
		return -1;
	error->code = 0;
	return functions__hook(k->hooked, k->hooked_cookies, nr, hooks, view, error);
}

static int functions__hook_all(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error)
{
	struct kernel_functions *k = context;

	if (!functions__hook(k->symbols, k->cookies, k->base.nr, hooks, view, error))
		return 0;
	return k->is_view_wanted ? functions__hook_rest(k, hooks, view, error) : -1;
}

/* Those that were refused come off, for one reason at a time. */
const char *functions__follow(struct mechanism *mechanism, struct mechanism_off *off)
{
	struct kernel_functions *k = functions__of(mechanism);
	int refused = 0;
	size_t i;

	for (i = 0; i < mechanism->nr && k->tracer.view; i++) {
		if (!k->refused[i] || (refused && k->refused[i] != refused))
			continue;
		refused = k->refused[i];
		k->refused[i] = 0;
		off->points[off->nr++] = i;
	}
	off->were_never_on = off->nr;
	if (off->nr)
		snprintf(off->why, sizeof(off->why), "The kview module has no place for this function in a view (%s).",
			 view_hooks__reason(refused));
	return NULL;
}

int functions__hook_priced(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error)
{
	struct kernel_functions *k = context;

	return functions__hook(k->symbols + k->base.nr, k->cookies + k->base.nr, 1, hooks, view, error);
}

int functions__choose_way(struct kernel_functions *k, struct shared_view *view, struct error *error)
{
	struct error no_probe = { 0 };

	k->is_view_wanted = view && view->filter == KVIEW__WIRE__FILTER__FILTER_VIEW;
	if (tracer__choose_view(&k->tracer, view, true, functions__hook_all, k, error))
		return -1;
	k->way = KERNEL_WAY_VIEW;
	if (k->tracer.view)
		return 0;
	if (kernel_way__find(&k->way, &no_probe))
		return error__set(error, no_probe.code, "%.400s%s%.400s", no_probe.message, view && *view->why ? " " : "",
				  view ? view->why : "");
	if (k->way == KERNEL_WAY_SINGLE && k->base.nr > KERNEL_SINGLE_MOST)
		return error__set(error, ERR_TOO_MANY,
				  "This kernel sets probes on its functions one by one, which takes long for %zu: choose at most %u.",
				  k->base.nr, KERNEL_SINGLE_MOST);
	return 0;
}

void functions__choose_programs(struct kernel_functions *k)
{
	bool is_multi = k->way == KERNEL_WAY_MULTI;

	bpf_program__set_autoload(k->skel->progs.function_entry, is_multi);
	bpf_program__set_autoload(k->skel->progs.function_return, is_multi);
	bpf_program__set_autoload(k->skel->progs.function_entry_single, !is_multi);
	bpf_program__set_autoload(k->skel->progs.function_return_single, !is_multi);
	/* A process that is forked takes its first steps before it is in the group's view. */
	if (k->tracer.cgroup || k->tracer.tree)
		bpf_program__set_autoload(k->skel->progs.sched_process_fork, true);
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

		loop__breathe();
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
