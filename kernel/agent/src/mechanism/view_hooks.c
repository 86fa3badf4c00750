// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>
#include <libkview.h>

#include "mechanism/view_hooks.h"

/* What tells of context switches, ends of threads and new threads, besides a tracepoint. */
enum entry { ENTRY_SWITCH_IN, ENTRY_END, ENTRY_BEGIN, ENTRIES };
static const char *const entries[ENTRIES] = { "finish_task_switch", "exit_mm_release", "calculate_sigpending" };
static const char *const programs[ENTRIES] = { "view_switch_in", "view_thread_ends", "view_thread_begins" };
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

const char *view_hooks__reason(int failed)
{
	switch (failed) {
	case ENOENT:
		return "there is none of that name";
	case ENOTUNIQ:
		return "several functions have that name";
	case EADDRNOTAVAIL:
		return "it can't be hooked";
	case EOPNOTSUPP:
		return "it is in a module, of which views have no copy";
	case EEXIST:
		return "it is named twice";
	case EBUSY:
		return "another tracer has it, or it overlaps with another site of the view";
	}
	return strerror(failed);
}

int view_hooks__refused(const char *name, struct error *error)
{
	return error__set(error, ERR_UNSUPPORTED, "The kview module has no place for %.100s in a view (%s).",
			  name, errno == ENOENT ? "this kernel has no such place, or several" : strerror(errno));
}

int view_hooks__add(struct view_hooks *hooks, struct kview_set *set, const char *program, const __u64 *cookies,
		    bool counts_missed)
{
	struct view_hook *more;

	if (!set)
		return -1;
	more = realloc(hooks->list, (hooks->nr + 1) * sizeof(*more));
	if (!more) {
		kview_set__free(set);
		errno = ENOMEM;
		return -1;
	}
	hooks->list = more;
	hooks->list[hooks->nr++] = (struct view_hook){ set, program, cookies, counts_missed };
	return 0;
}

static int hooks__add_entry(struct view_hooks *hooks, struct kview_view *view, enum entry entry, struct error *error)
{
	const char *name = entry_symbols[entry];

	errno = ENOENT;
	if (!*name || view_hooks__add(hooks, kview_view__add_functions(view, &name, 1, NULL), programs[entry], NULL, false))
		return view_hooks__refused(entries[entry], error);
	return 0;
}

int view_hooks__add_scheduler(struct view_hooks *hooks, struct kview_view *view, bool begins, struct error *error)
{
	const char *name = "sched_switch";
	int entry;

	entry_symbols__find();
	if (view_hooks__add(hooks, kview_view__add_tracepoints(view, &name, 1, NULL), "view_switch_out", NULL, false))
		return view_hooks__refused(name, error);
	for (entry = 0; entry < ENTRIES; entry++)
		if ((begins || entry != ENTRY_BEGIN) && hooks__add_entry(hooks, view, entry, error))
			return -1;
	return 0;
}

bool view_hooks__add_waking(struct view_hooks *hooks, struct kview_view *view)
{
	const char *name = "sched_waking";

	return !view_hooks__add(hooks, kview_view__add_tracepoints(view, &name, 1, NULL), "view_waking", NULL, false);
}

int view_hooks__add_end(struct view_hooks *hooks, struct kview_view *view, struct error *error)
{
	entry_symbols__find();
	return hooks__add_entry(hooks, view, ENTRY_END, error);
}

int view_hooks__run(const struct view_hooks *hooks, const struct bpf_object *object, struct error *error)
{
	size_t i;

	for (i = 0; i < hooks->nr; i++) {
		const struct view_hook *hook = &hooks->list[i];
		int program = bpf_program__fd(bpf_object__find_program_by_name(object, hook->program));
		int failed = kview_set__add_prog(hook->set, program, 0, (const uint64_t *)hook->cookies);

		if (failed)
			return error__set(error, ERR_UNSUPPORTED, "The kview module refused the eBPF program %s: %s.",
					  hook->program, strerror(-failed));
	}
	return 0;
}

void view_hooks__free(struct view_hooks *hooks)
{
	while (hooks->nr)
		kview_set__free(hooks->list[--hooks->nr].set);
	free(hooks->list);
	hooks->list = NULL;
}

uint64_t view_hooks__missed(const struct view_hooks *hooks)
{
	struct kview_set_stat stat;
	uint64_t missed = 0;
	size_t i;

	for (i = 0; i < hooks->nr; i++)
		if (hooks->list[i].counts_missed && !kview_set__stat(hooks->list[i].set, &stat))
			missed += stat.lost_nested;
	return missed;
}

int priced_view__enter(struct priced_view *p, struct kview *module, const struct bpf_object *object, bool begins,
		       int (*add)(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error),
		       void *context)
{
	int result = -1;

	p->hooks = (struct view_hooks){ 0 };
	if (!process_view__make(&p->base, module, "kview record", NULL) &&
	    (!add || !add(context, &p->hooks, p->base.view, NULL)) &&
	    !view_hooks__add_scheduler(&p->hooks, p->base.view, begins, NULL) &&
	    !view_hooks__run(&p->hooks, object, NULL) &&
	    !process_view__enter_self(&p->base))
		result = 0;
	else
		priced_view__leave(p);
	return result;
}

void priced_view__leave(struct priced_view *p)
{
	process_view__leave(&p->base);
	view_hooks__free(&p->hooks);
	process_view__close(&p->base);
}
