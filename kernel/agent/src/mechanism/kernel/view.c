// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libkview.h>

#include "base/cutoff.h"
#include "mechanism/kernel/bpf/kernel.h"
#include "mechanism/kernel/view.h"

/* Behind the layouts that it is made of. */
#include "kernel.skel.h"

#define NAME	"kview record"

/* As this kernel calls a function that compilers give another ending: "finish_task_switch.isra.0". */
static int symbol__find(const char *function, char *symbol, size_t size)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	size_t length = strlen(function);
	char line[1024], name[512];
	int result = -1;

	while (file && result && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*x %*c %511s", name) != 1 || strncmp(name, function, length))
			continue;
		if (name[length] && (name[length] != '.' || strstr(name, ".cold") || strlen(name) >= size))
			continue;
		strcpy(symbol, name);
		result = 0;
	}
	if (file)
		fclose(file);
	return result;
}

static int set__refused(const char *name, struct error *error)
{
	return error__set(error, ERR_UNSUPPORTED, "The kview module has no place for %.100s in a view (%s): record with --filter in.",
			  name, strerror(errno));
}

static int view__add_functions(struct function_view *v, const char *const *symbols, size_t nr, struct error *error)
{
	struct kview_set_opts opts = { 0 };

	v->sets[VIEW_RETURNS] = kview_view__add_returns(v->view, symbols, nr, &opts);
	if (v->sets[VIEW_RETURNS])
		v->sets[VIEW_ENTRIES] = kview_view__add_functions(v->view, symbols, nr, &opts);
	return v->sets[VIEW_ENTRIES] ? 0 : set__refused(symbols[opts.bad < nr ? opts.bad : 0], error);
}

static int view__add_entry(struct function_view *v, int at, const char *function, struct error *error)
{
	char symbol[128];
	const char *name = symbol;

	errno = ENOENT;
	if (!symbol__find(function, symbol, sizeof(symbol)))
		v->sets[at] = kview_view__add_functions(v->view, &name, 1, NULL);
	return v->sets[at] ? 0 : set__refused(function, error);
}

/* In place of the scheduler's tracepoints. */
static int view__add_scheduler(struct function_view *v, struct error *error)
{
	const char *name = "sched_switch";

	v->sets[VIEW_SWITCH_OUT] = kview_view__add_tracepoints(v->view, &name, 1, NULL);
	if (!v->sets[VIEW_SWITCH_OUT])
		return set__refused(name, error);
	return view__add_entry(v, VIEW_SWITCH_IN, "finish_task_switch", error) ||
	       view__add_entry(v, VIEW_BEGIN, "calculate_sigpending", error) ||
	       view__add_entry(v, VIEW_END, "exit_mm_release", error) ? -1 : 0;
}

int function_view__make(struct function_view *v, struct kview *module, const char *const *symbols, size_t nr,
			struct error *error)
{
	memset(v, 0, sizeof(*v));
	v->view = kview_view__new(module);
	if (!v->view)
		return error__set(error, ERR_FAILED, "The kview module made no view: %s.", strerror(errno));
	kview_view__set_name(v->view, NAME);
	if (!view__add_scheduler(v, error) && (!nr || !view__add_functions(v, symbols, nr, error)))
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

static int not_entered(const struct function_view *v, pid_t pid, struct error *error)
{
	const struct kview_item *owner;

	switch (errno) {
	case EBUSY:
		owner = kview_view__owner(v->view);
		if (owner)
			return error__set(error, ERR_UNSUPPORTED,
					  "Process %d is in a view of %.16s (process %u) already: record when that has ended, or with --filter in.",
					  pid, owner->owner_comm, owner->owner_pid);
		break;
	case EUSERS:
		return error__set(error, ERR_UNSUPPORTED,
				  "Process %d is in as many views as a process can be: record when one of the others has ended, or with --filter in.",
				  pid);
	case ESRCH:
		return error__set(error, ERR_NO_SUCH_PROCESS, "Process %d has ended.", pid);
	}
	return error__set(error, ERR_UNSUPPORTED, "The kview module did not let process %d into a view (%s): record with --filter in.",
			  pid, strerror(errno));
}

int function_view__enter(struct function_view *v, pid_t pid, struct error *error)
{
	v->attachment = kview_view__attach(v->view, pid, KVIEW_ATTACH_EXEC);
	if (!v->attachment)
		return not_entered(v, pid, error);
	cutoff__add(kview_attachment__fd(v->attachment));
	return 0;
}

void function_view__close(struct function_view *v)
{
	int i;

	if (v->attachment) {
		cutoff__remove(kview_attachment__fd(v->attachment));
		kview_attachment__free(v->attachment);
	}
	for (i = 0; i < VIEW_SETS; i++)
		kview_set__free(v->sets[i]);
	kview_view__free(v->view);
	memset(v, 0, sizeof(*v));
}

uint64_t function_view__missed(const struct function_view *v)
{
	struct kview_set_stat stat;
	uint64_t missed = 0;
	int i;

	for (i = 0; i < VIEW_SETS; i++)
		if (v->sets[i] && !kview_set__stat(v->sets[i], &stat))
			missed += stat.lost_nested;
	return missed;
}
