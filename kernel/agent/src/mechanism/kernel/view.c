// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libkview.h>

#include "mechanism/kernel/bpf/kernel.h"
#include "mechanism/kernel/view.h"

/* Behind the layouts that it is made of. */
#include "kernel.skel.h"

#define NAME	"kview record"

/* What tells of context switches, new threads and ends of threads, besides a tracepoint. */
static const char *const entries[] = { "finish_task_switch", "calculate_sigpending", "exit_mm_release" };
enum { ENTRIES = sizeof(entries) / sizeof(*entries) };
/* As this kernel calls them, where compilers give them another ending: "finish_task_switch.isra.0".  Or "". */
static char entry_symbols[ENTRIES][128];

static bool symbol__is_of(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(symbol, function, length) && (!symbol[length] || symbol[length] == '.') &&
	       !strstr(symbol, ".cold") && strlen(symbol) < sizeof(*entry_symbols);
}

/* Once: it is a long file, and the kernel's own functions stay. */
static void entry_symbols__find(void)
{
	FILE *file = *entry_symbols[0] ? NULL : fopen("/proc/kallsyms", "re");
	char line[1024], name[512];
	int i;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*x %*c %511s", name) != 1)
			continue;
		for (i = 0; i < ENTRIES; i++)
			if (!*entry_symbols[i] && symbol__is_of(name, entries[i]))
				strcpy(entry_symbols[i], name);
	}
	if (file)
		fclose(file);
}

static int set__refused(const char *name, struct error *error)
{
	return error__set(error, ERR_UNSUPPORTED, "The kview module has no place for %.100s in a view (%s).",
			  name, errno == ENOENT ? "this kernel has no such function, or several" : strerror(errno));
}

static int view__add_functions(struct function_view *v, const char *const *symbols, size_t nr, struct error *error)
{
	struct kview_set_opts opts = { 0 };

	v->sets[VIEW_RETURNS] = kview_view__add_returns(v->base.view, symbols, nr, &opts);
	if (v->sets[VIEW_RETURNS])
		v->sets[VIEW_ENTRIES] = kview_view__add_functions(v->base.view, symbols, nr, &opts);
	return v->sets[VIEW_ENTRIES] ? 0 : set__refused(opts.bad < nr ? symbols[opts.bad] : "these functions", error);
}

static int view__add_entry(struct function_view *v, int i, struct error *error)
{
	const char *name = entry_symbols[i];
	struct kview_set **set = &v->sets[VIEW_SWITCH_IN + i];

	errno = ENOENT;
	if (*name)
		*set = kview_view__add_functions(v->base.view, &name, 1, NULL);
	return *set ? 0 : set__refused(entries[i], error);
}

/* In place of the scheduler's tracepoints. */
static int view__add_scheduler(struct function_view *v, struct error *error)
{
	const char *name = "sched_switch";
	int i;

	entry_symbols__find();
	v->sets[VIEW_SWITCH_OUT] = kview_view__add_tracepoints(v->base.view, &name, 1, NULL);
	if (!v->sets[VIEW_SWITCH_OUT])
		return set__refused(name, error);
	for (i = 0; i < ENTRIES; i++)
		if (view__add_entry(v, i, error))
			return -1;
	return 0;
}

int function_view__make(struct function_view *v, struct kview *module, const char *const *symbols, size_t nr,
			struct error *error)
{
	memset(v, 0, sizeof(*v));
	if (process_view__make(&v->base, module, NAME, error))
		return -1;
	/*
	 * Of a place that is in both, the set that was added last runs first: a function that is called as a
	 * thread gets its CPU begins after that.
	 */
	if ((!nr || !view__add_functions(v, symbols, nr, error)) && !view__add_scheduler(v, error))
		return 0;
	function_view__close(v);
	return -1;
}

int function_view__run(struct function_view *v, const struct kernel_bpf *skel, const __u64 *cookies,
		       struct error *error)
{
	const struct bpf_program *programs[VIEW_SETS] = {
		[VIEW_RETURNS] = skel->progs.function_return_single,
		[VIEW_ENTRIES] = skel->progs.function_entry_single,
		[VIEW_SWITCH_OUT] = skel->progs.view_switch_out, [VIEW_SWITCH_IN] = skel->progs.view_switch_in,
		[VIEW_BEGIN] = skel->progs.view_thread_begins, [VIEW_END] = skel->progs.view_thread_ends,
	};
	int at, failed;

	for (at = 0; at < VIEW_SETS; at++) {
		failed = v->sets[at] ? kview_set__add_prog(v->sets[at], bpf_program__fd(programs[at]), 0,
							   at < VIEW_FUNCTIONS ? (const uint64_t *)cookies : NULL) : 0;
		if (failed)
			return error__set(error, ERR_UNSUPPORTED, "The kview module refused the eBPF program %s: %s.",
					  bpf_program__name(programs[at]), strerror(-failed));
	}
	return 0;
}

void function_view__close(struct function_view *v)
{
	int i;

	process_view__leave(&v->base);
	for (i = 0; i < VIEW_SETS; i++)
		kview_set__free(v->sets[i]);
	process_view__close(&v->base);
	memset(v, 0, sizeof(*v));
}

uint64_t function_view__missed(const struct function_view *v)
{
	struct kview_set_stat stat;

	return v->sets[VIEW_ENTRIES] && !kview_set__stat(v->sets[VIEW_ENTRIES], &stat) ? stat.lost_nested : 0;
}
