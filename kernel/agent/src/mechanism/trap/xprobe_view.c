// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <libkview.h>

#include "mechanism/shared_view.h"
#include "mechanism/trap/xprobe_view.h"
#include "mechanism/view_hooks.h"

#define NAME	"kview record"
#define CHILDREN_NAME	"kview record: children"

struct xprobe_view {
	struct shared_view *shared;
	bool events, waits;
	struct view_hooks hooks;
	struct process_view children, calibrated;
	struct view_hooks children_hooks, calibrated_hooks;
	bool has_entered;		/* the process of the recording */
	uint64_t children_unseen;	/* of it, once it has left */
};

struct place {
	const char *name, *program;
};

static const struct place places[] = {
	{ "begin_new_exec", "view_may_execute" }, { "exec_mm_release", "view_executes" },
};
static const struct place places_of_children[] = {
	{ "exec_mm_release", "view_child_executes" }, { "exit_mm_release", "view_child_ends" },
};
enum { PLACES = 2 };

static int hooks__add_lives(struct view_hooks *hooks, struct kview_view *view, const char *at_forks,
			    const struct place places[PLACES], struct error *error)
{
	const char *forks = "sched_process_fork";
	int i;

	if (view_hooks__add(hooks, kview_view__add_tracepoints(view, &forks, 1, NULL), at_forks, NULL, false))
		return view_hooks__refused(forks, error);
	for (i = 0; i < PLACES; i++)
		if (view_hooks__add(hooks, kview_view__add_functions(view, &places[i].name, 1, NULL), places[i].program,
				    NULL, false))
			return view_hooks__refused(places[i].name, error);
	return 0;
}

static int children__hook(struct xprobe_view *v, struct error *error)
{
	if (process_view__make(&v->children, v->shared->module, CHILDREN_NAME, error))
		return -1;
	v->children.follows_forks = true;
	return hooks__add_lives(&v->children_hooks, v->children.view, "view_child_forks", places_of_children, error);
}

static int process__hook(void *context, struct kview_view *view, struct error *error)
{
	struct xprobe_view *v = context;

	if (hooks__add_lives(&v->hooks, view, "view_forks", places, error) ||
	    view_hooks__add_scheduler(&v->hooks, view, false, error) || children__hook(v, error))
		return -1;
	v->shared->tells_wakers |= v->events && view_hooks__add_waking(&v->hooks, view);
	return 0;
}

static int asked__refuse(void *context, struct kview_view *view, struct error *error)
{
	struct xprobe_view *v = context;

	if (!v->waits)
		return error__set(error, ERR_UNSUPPORTED,
				  "What is counted by eBPF programs of its own, such as I/O, is not counted in a kernel view: record without, or elsewhere.");
	return error__set(error, ERR_UNSUPPORTED,
			  "Who woke a thread, which belongs to what calls waited for, is not seen in a kernel view where another process did: functions of programs are recorded with that elsewhere.");
}

static void process__unhook(void *context)
{
	struct xprobe_view *v = context;

	view_hooks__free(&v->hooks);
	view_hooks__free(&v->children_hooks);
	process_view__close(&v->children);
}

int xprobe_view__choose(struct xprobe_view **view, struct shared_view *shared, bool events, bool waits, bool costs_others,
			struct error *error)
{
	struct xprobe_view *v = calloc(1, sizeof(*v));
	const struct view_user user = { waits || costs_others ? asked__refuse : process__hook, process__unhook, v, &v->children };
	int used;

	*view = NULL;
	if (!v)
		return error__set(error, ERR_FAILED, "Out of memory.");
	v->shared = shared;
	v->events = events;
	v->waits = waits;
	used = shared_view__use(shared, &user, error);
	if (used <= 0) {
		free(v);
		return used;
	}
	shared->base.beside = &v->children;
	*view = v;
	return 0;
}

void xprobe_view__free(struct xprobe_view *v)
{
	if (!v)
		return;
	xprobe_view__leave(v);
	process__unhook(v);
	v->shared->base.beside = NULL;
	free(v);
}

void xprobe_view__choose_programs(const struct xprobe_view *v, struct bpf_object *object)
{
	static const char *const in_view[] = {
		"view_switch_out", "view_switch_in", "view_waking", "view_thread_ends", "view_forks", "view_may_execute", "view_executes",
		"view_child_forks", "view_child_executes", "view_child_ends",
	};
	static const char *const elsewhere[] = {
		"sched_switch", "sched_wakeup", "sched_waking", "sched_process_exit", "sched_process_fork",
		"sched_process_exec", "child_exits",
	};
	const char *const *names = v ? elsewhere : in_view;
	size_t nr = v ? sizeof(elsewhere) / sizeof(*elsewhere) : sizeof(in_view) / sizeof(*in_view), i;

	for (i = 0; i < nr; i++)
		bpf_program__set_autoload(bpf_object__find_program_by_name(object, names[i]), false);
}

int xprobe_view__run(struct xprobe_view *v, const struct bpf_object *object, struct error *error)
{
	return view_hooks__run(&v->hooks, object, error) || view_hooks__run(&v->children_hooks, object, error) ? -1 : 0;
}

static int calibrated__enter(struct xprobe_view *v, pid_t pid, const struct bpf_object *object, struct error *error)
{
	int process = syscall(SYS_pidfd_open, pid, 0), result = -1;

	if (!process_view__make(&v->calibrated, v->shared->module, NAME, error) &&
	    !view_hooks__add_scheduler(&v->calibrated_hooks, v->calibrated.view, false, error) &&
	    !view_hooks__run(&v->calibrated_hooks, object, error))
		result = process_view__enter(&v->calibrated, pid, process, error);
	if (process >= 0)
		close(process);
	return result;
}

static int recorded__enter(struct xprobe_view *v, struct error *error)
{
	struct error refused = { 0 };

	if (shared_view__enter(v->shared, error))
		return -1;
	v->has_entered = true;
	v->children_unseen = 0;
	if (!process_view__enter(&v->children, v->shared->pid, v->shared->process_fd, &refused))
		return 0;
	return error__set(error, refused.code, "%.400s%s", refused.message,
			  refused.code == ERR_NO_SUCH_PROCESS ? "" : " Record again, or with --filter in.");
}

int xprobe_view__enter(struct xprobe_view *v, pid_t pid, const struct bpf_object *object, struct error *error)
{
	int failed;

	if (xprobe_view__has_entered(v))
		return 0;
	failed = pid == v->shared->pid ? recorded__enter(v, error) : calibrated__enter(v, pid, object, error);
	if (failed)
		xprobe_view__leave(v);
	return failed;
}

bool xprobe_view__has_entered(const struct xprobe_view *v)
{
	return v->has_entered || v->calibrated.attachment;
}

void xprobe_view__end_switches(struct xprobe_view *v)
{
	struct view_hook *hook, *end = v->hooks.list + v->hooks.nr, *kept = v->hooks.list;

	for (hook = v->hooks.list; hook < end; hook++)
		if (!strcmp(hook->program, "view_switch_out") || !strcmp(hook->program, "view_switch_in") ||
		    !strcmp(hook->program, "view_waking"))
			kview_set__free(hook->set);
		else
			*kept++ = *hook;
	v->hooks.nr = kept - v->hooks.list;
}

uint64_t xprobe_view__children_unseen(const struct xprobe_view *v)
{
	return v->children.attachment ? process_view__not_joined(&v->children) : v->children_unseen;
}

void xprobe_view__leave(struct xprobe_view *v)
{
	if (v->has_entered) {
		shared_view__leave(v->shared);
		/* Others of the recording may be in it still. */
		view_hooks__free(&v->hooks);
	}
	v->children_unseen = xprobe_view__children_unseen(v);
	v->has_entered = false;
	process_view__leave(&v->children);
	process_view__leave(&v->calibrated);
	view_hooks__free(&v->calibrated_hooks);
	process_view__close(&v->calibrated);
}
