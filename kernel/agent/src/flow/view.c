// SPDX-License-Identifier: GPL-2.0
#include "flow/view.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libkview.h>

#include "flow/bpf/flow.h"

/* Behind the layouts that it is made of. */
#include "flow.skel.h"

#define NAME	"kview flow"

/* Each function that a thread is in takes one, also those that it waits in. */
#define RETURNS_PER_THREAD	32
#define LEAST_RETURNS		16384

static uint32_t returns__for(size_t threads)
{
	size_t returns = threads * RETURNS_PER_THREAD;

	return returns < LEAST_RETURNS ? LEAST_RETURNS : returns > KVIEW_RETURNS_MAX ? KVIEW_RETURNS_MAX : returns;
}

static int set__refused(const char *what, struct error *error)
{
	return error__set(error, ERR_UNSUPPORTED, "The kview module has no place for %.100s in a view (%s).", what,
			  errno == ENOENT ? "this kernel has no such function" : strerror(errno));
}

/* By function, whether it has a place; its number is the cookie there. */
static int set__number(struct flow_view *v, int set, const struct kview_site_result *results, size_t nr,
		       bool *has_place)
{
	size_t places = kview_set__size(v->sets[set]), i;

	v->cookies[set] = calloc(places + 1, sizeof(*v->cookies[set]));
	if (!v->cookies[set])
		return -1;
	for (i = 0; i < nr; i++) {
		has_place[i] = results[i].site < places;
		if (has_place[i])
			v->cookies[set][results[i].site] = i;
	}
	return 0;
}

static int view__add(struct flow_view *v, int set, const struct flow_functions *f, struct kview_site_result *results,
		     bool *has_place, struct error *error)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = results };

	if (set == FLOW_RETURNS) {
		opts.returns = v->returns;
		v->sets[set] = kview_view__add_return_addresses(v->base.view, f->addresses, f->nr, &opts);
	} else {
		v->sets[set] = kview_view__add_addresses(v->base.view, f->addresses, f->nr, &opts);
	}
	if (!v->sets[set])
		return set__refused("the functions of the kernel", error);
	if (set__number(v, set, results, f->nr, has_place))
		return error__set(error, ERR_FAILED, "Out of memory.");
	return 0;
}

/*
 * Of a place that is in both, the set that was added last runs first.  What has no place in one of the sets is in the
 * other alone: an entry without a return, or a return without an entry, which nobody misses.
 */
static int view__add_functions(struct flow_view *v, const struct flow_functions *f, size_t root, struct error *error)
{
	struct kview_site_result *results = calloc(f->nr, sizeof(*results));
	bool *has_return = calloc(f->nr, sizeof(*has_return)), *has_entry = calloc(f->nr, sizeof(*has_entry));
	int failed = -1;
	size_t i;

	if (!results || !has_return || !has_entry) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto out;
	}
	if (view__add(v, FLOW_RETURNS, f, results, has_return, error) ||
	    view__add(v, FLOW_ENTRIES, f, results, has_entry, error))
		goto out;
	if (!has_return[root] || !has_entry[root]) {
		error__set(error, ERR_NOT_PROBEABLE,
			   "The kernel's function of this system call, %.100s, can't be hooked: choose another system call.",
			   f->symbols[root]);
		goto out;
	}
	for (i = 0; i < f->nr; i++)
		v->hooked += has_return[i] && has_entry[i];
	failed = 0;
out:
	free(results);
	free(has_return);
	free(has_entry);
	return failed;
}

static int view__add_entry(struct flow_view *v, int set, const struct flow_functions *f, const char *name,
			   struct error *error)
{
	size_t function = flow_functions__find(f, name);

	errno = ENOENT;
	if (function != FLOW_NO_FUNCTION)
		v->sets[set] = kview_view__add_addresses(v->base.view, &f->addresses[function], 1, NULL);
	return v->sets[set] ? 0 : set__refused(name, error);
}

/* Behind the functions: a function that is called as a thread gets its CPU begins after that. */
static int view__add_scheduler(struct flow_view *v, const struct flow_functions *f, struct error *error)
{
	const char *name = "sched_switch";

	v->sets[FLOW_OUT] = kview_view__add_tracepoints(v->base.view, &name, 1, NULL);
	if (!v->sets[FLOW_OUT])
		return set__refused(name, error);
	return view__add_entry(v, FLOW_IN, f, "finish_task_switch", error) ||
	       view__add_entry(v, FLOW_EXIT, f, "exit_mm_release", error) ? -1 : 0;
}

int flow_view__make(struct flow_view *v, struct kview *module, const struct flow_functions *functions, size_t root,
		    size_t threads, struct error *error)
{
	memset(v, 0, sizeof(*v));
	v->returns = returns__for(threads);
	if (process_view__make(&v->base, module, NAME, error))
		return -1;
	return view__add_functions(v, functions, root, error) || view__add_scheduler(v, functions, error) ? -1 : 0;
}

int flow_view__run(struct flow_view *v, const struct flow_bpf *skel, struct error *error)
{
	const struct bpf_program *programs[FLOW_SETS] = {
		[FLOW_RETURNS] = skel->progs.flow_leave, [FLOW_ENTRIES] = skel->progs.flow_enter,
		[FLOW_OUT] = skel->progs.flow_out, [FLOW_IN] = skel->progs.flow_in, [FLOW_EXIT] = skel->progs.flow_exit,
	};
	int set, failed;

	for (set = 0; set < FLOW_SETS; set++) {
		failed = kview_set__add_prog(v->sets[set], bpf_program__fd(programs[set]), 0,
					     set < FLOW_OUT ? v->cookies[set] : NULL);
		if (failed)
			return error__set(error, ERR_UNSUPPORTED, "The kview module refused the eBPF program %s: %s.",
					  bpf_program__name(programs[set]), strerror(-failed));
	}
	return 0;
}

/* The view first: then nobody is in a hook any more, and for the rest the module waits for nothing. */
void flow_view__close(struct flow_view *v)
{
	int set;

	kview_view__free(v->base.view);
	v->base.view = NULL;
	process_view__leave(&v->base);
	for (set = 0; set < FLOW_SETS; set++)
		kview_set__free(v->sets[set]);
	process_view__close(&v->base);
	for (set = 0; set < FLOW_OUT; set++)
		free(v->cookies[set]);
	memset(v, 0, sizeof(*v));
}

void flow_view__losses(const struct flow_view *v, struct flow_view_losses *losses)
{
	struct kview_set_stat stat;

	*losses = (struct flow_view_losses){ 0 };
	if (v->sets[FLOW_RETURNS] && !kview_set__stat(v->sets[FLOW_RETURNS], &stat))
		losses->missed_returns = stat.missed;
	/* What was turned away at an entry was turned away in both of its sets. */
	if (v->sets[FLOW_ENTRIES] && !kview_set__stat(v->sets[FLOW_ENTRIES], &stat)) {
		losses->nested_functions = stat.lost_nested;
		losses->interrupt_functions = stat.lost_irq;
	}
}

uint64_t flow_view__memory(const struct flow_view *v)
{
	struct kview_view_stat stat;

	return v->base.view && !kview_view__stat(v->base.view, &stat) ? stat.memory : 0;
}
