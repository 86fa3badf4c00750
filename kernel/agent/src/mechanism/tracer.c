// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cutoff.h"
#include "base/error.h"
#include "mechanism/bpf/scope.h"
#include "mechanism/bpf_access.h"
#include "mechanism/cost/switch_cost.h"
#include "mechanism/map_memory.h"
#include "mechanism/shared_view.h"
#include "mechanism/tracer.h"
#include "mechanism/unseen.h"

/* What is taken once, beside the ring. */
#define REST_BYTES	(512U << 10)

int tracer__plan(struct tracer *tracer, const struct mechanism_load *load, size_t nr,
		 const char *what, struct error *error)
{
	uint64_t bytes;

	tracer->events = load->events;
	tracer->cgroup = load->cgroup;
	tracer->tree = load->tree;
	tracer->max_bytes = load->max_bytes;
	tracer->ring_bytes = load->ring_bytes;
	tracer->functions = nr + 1 + tracer->more_places;
	bytes = REST_BYTES + (load->events ? load->ring_bytes : 0);
	tracer->slots = map_memory__slots(bytes, tracer->functions, load->max_bytes);
	bytes += tracer->slots * (figures__slot_bytes(tracer->functions) + tracer->functions * tracer->more_bytes);
	if (load->max_bytes && bytes > load->max_bytes)
		return error__set(error, ERR_TOO_MANY,
				  "A recording of %zu %s takes %.1f MiB of the kernel's memory, and you may have %.1f MiB: choose fewer.",
				  nr, what, bytes / 1048576.0, load->max_bytes / 1048576.0);
	return bpf_access__prepare(error);
}

uint32_t tracer__max_threads(const struct tracer *tracer)
{
	uint64_t bytes = 0;
	struct bpf_map *map;

	bpf_object__for_each_map(map, tracer->object)
		if (bpf_map__type(map) == BPF_MAP_TYPE_TASK_STORAGE)
			bytes += map_memory__of_task(map);
	return tracer->max_bytes / bytes;
}

static struct bpf_map *map__of(const struct tracer *tracer, const char *name)
{
	return bpf_object__find_map_by_name(tracer->object, name);
}

void tracer__set_maps(struct tracer *tracer)
{
	uint32_t entries = tracer->slots * tracer->functions;

	bpf_map__set_max_entries(map__of(tracer, "calls"), entries);
	bpf_map__set_max_entries(map__of(tracer, "totals"), entries * XP_SETS);
	bpf_map__set_max_entries(map__of(tracer, "buckets"), entries * XP_SETS);
	bpf_map__set_max_entries(map__of(tracer, "ring"),
				 tracer->events ? tracer->ring_bytes : (uint32_t)sysconf(_SC_PAGESIZE));
	bpf_program__set_autoload(bpf_object__find_program_by_name(tracer->object, "sched_waking"),
				  tracer->events);
	bpf_program__set_autoload(bpf_object__find_program_by_name(tracer->object, "view_waking"), tracer->events);
	if (tracer->events && tracer->view)
		bpf_map__set_max_entries(map__of(tracer, "absent"), VIEW_ABSENT);
}

int tracer__open(struct tracer *tracer, struct mechanism *mechanism, struct error *error)
{
	if (tracer->own_switches && own_switches__learn(tracer->object, error))
		return -1;
	mechanism->in_view = tracer->view;
	mechanism->figures = (struct figures){
		.costs = tracer->costs, .slots = tracer->slots,
		.functions = tracer->functions, .metrics = (1U << XP_METRICS) - 1,
	};
	if (figure_views__open(&tracer->views, map__of(tracer, "calls"), map__of(tracer, "totals"), map__of(tracer, "buckets"),
			       &mechanism->figures, error))
		return -1;
	if (tracer->events)
		mechanism->ring = (struct mechanism_ring){
			.fd = bpf_map__fd(map__of(tracer, "ring")), .dropped = (const uint64_t *)tracer->dropped };
	return 0;
}

static void tracer__leave_view(struct tracer *tracer)
{
	if (tracer->has_entered) {
		tracer->missed_in_view = view_hooks__missed(&tracer->hooks);
		shared_view__leave(tracer->view);
	}
	tracer->has_entered = false;
	view_hooks__free(&tracer->hooks);
}

void tracer__close(struct tracer *tracer)
{
	tracer__unlink(tracer);
	tracer__leave_view(tracer);
	figure_views__close(&tracer->views);
	free(tracer->links);
	tracer->links = NULL;
}

int tracer__add_link(struct tracer *tracer, struct bpf_link *link)
{
	struct bpf_link **more;

	if (!link)
		return -1;
	more = realloc(tracer->links, (tracer->nr_links + 1) * sizeof(*more));
	if (!more) {
		bpf_link__destroy(link);
		errno = ENOMEM;
		return -1;
	}
	tracer->links = more;
	tracer->links[tracer->nr_links++] = link;
	cutoff__add(bpf_link__fd(link));
	return 0;
}

int tracer__link(struct tracer *tracer, struct bpf_program *program)
{
	return tracer__add_link(tracer, bpf_program__attach(program));
}

int tracer__link_scheduler(struct tracer *tracer)
{
	static const char *const names[] = { "sched_switch", "sched_wakeup", "sched_waking" };
	int i;

	if (tracer->own_switches)
		return *tracer->target_tgid ?
		       own_switches__attach(&tracer->switches_of_threads, tracer->object, *tracer->target_tgid) : 0;
	for (i = 0; i < (tracer->events ? 3 : 2); i++)
		if (tracer__link(tracer, bpf_object__find_program_by_name(tracer->object, names[i])))
			return -1;
	return 0;
}

struct view_part {
	struct tracer *tracer;
	struct shared_view *shared;
	bool begins;
	int (*add)(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error);
	void *context;
};

static int part__add(void *context, struct kview_view *view, struct error *error)
{
	const struct view_part *part = context;
	struct view_hooks *hooks = &part->tracer->hooks;

	if (part->add(part->context, hooks, view, error) || view_hooks__add_scheduler(hooks, view, part->begins, error))
		return -1;
	part->shared->tells_wakers |= part->tracer->events && view_hooks__add_waking(hooks, view);
	return 0;
}

static void part__remove(void *context)
{
	view_hooks__free(&((struct view_part *)context)->tracer->hooks);
}

int tracer__choose_view(struct tracer *tracer, struct shared_view *view, bool begins,
			int (*add)(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error),
			void *context, struct error *error)
{
	struct view_part part = { tracer, view, begins, add, context };
	const struct view_user user = { .add = part__add, .remove = part__remove, .context = &part };
	int used = shared_view__use(view, &user, error);

	tracer->view = used > 0 ? view : NULL;
	return used < 0 ? -1 : 0;
}

void tracer__choose_view_programs(struct tracer *tracer)
{
	static const char *const in_view[] = { "view_switch_out", "view_switch_in", "view_waking", "view_thread_begins",
					       "view_thread_ends", "system_calls_cut" };
	static const char *const elsewhere[] = { "sched_switch", "sched_wakeup", "sched_waking", "sched_process_fork",
						 "sched_process_exit", "sched_process_exec" };
	const char *const *names = tracer->view ? elsewhere : in_view;
	size_t nr = tracer->view ? sizeof(elsewhere) / sizeof(*elsewhere) : sizeof(in_view) / sizeof(*in_view), i;

	for (i = 0; i < nr; i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(tracer->object, names[i]);

		if (program)
			bpf_program__set_autoload(program, false);
	}
}

int tracer__enter_view(struct tracer *tracer, struct error *error)
{
	if (shared_view__enter(tracer->view, error))
		return -1;
	tracer->has_entered = true;
	return 0;
}

int tracer__choose_switches(struct tracer *tracer, const struct mechanism_load *load, pid_t pid, struct error *error)
{
	int wanted = tracer->view ? 0 :
		     own_switches__wanted(load, pid, NULL, tracer->why_host, sizeof(tracer->why_host), error);

	tracer->own_switches = wanted > 0;
	return wanted < 0 ? -1 : 0;
}

bool tracer__give_up_own_switches(struct tracer *tracer, const struct mechanism_load *load)
{
	return own_switches__give_up(&tracer->own_switches, load, tracer->why_host, sizeof(tracer->why_host));
}

void tracer__unlink(struct tracer *tracer)
{
	own_switches__detach(&tracer->switches_of_threads);
	while (tracer->nr_links) {
		struct bpf_link *link = tracer->links[--tracer->nr_links];

		cutoff__remove(bpf_link__fd(link));
		bpf_link__destroy(link);
	}
}

void tracer__wait(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

void tracer__reset(struct tracer *tracer, pid_t pid)
{
	memset(tracer->switches, 0, XP_SWITCH_SLOTS * sizeof(*tracer->switches));
	memset(tracer->counters, 0, sizeof(*tracer->counters));
	memset(tracer->dropped, 0, XP_MAX_CPUS * sizeof(*tracer->dropped));
	*tracer->nr_threads = 0;
	*tracer->exit_code = -1;
	*tracer->target_tgid = tracer->cgroup ? SCOPE_NOBODY : (uint32_t)pid;
	*tracer->target_cgroup = tracer->cgroup ? tracer->cgroup->id : 0;
	*tracer->measures_tree = tracer->tree;
	tracer->missed_before = bpf_access__missed_runs(tracer->object);
	tracer->missed_in_view = tracer->missed_in_view_before = view_hooks__missed(&tracer->hooks);
}

void tracer__set_active(struct tracer *tracer, bool active)
{
	__atomic_store_n(tracer->active, active ? XP_ACTIVE : XP_INACTIVE, __ATOMIC_SEQ_CST);
}

void tracer__stop(struct tracer *tracer, const struct figures *figures, struct bpf_program *count_running)
{
	bool all_seen;

	if (!tracer->nr_links && !tracer->switches_of_threads.nr && !tracer->has_entered)
		return;
	tracer__wait();
	all_seen = bpf_access__visit_all_tasks(count_running, tracer->running_unseen);
	tracer__unlink(tracer);
	tracer__leave_view(tracer);
	tracer__wait();
	if (!all_seen || tracer->counters->threads_unseen)
		unseen__lose_calls(figures, bpf_map__fd(map__of(tracer, "calls")));
}

static int scheduler__attach(void *context)
{
	struct tracer *tracer = context;

	if (!tracer__link_scheduler(tracer))
		return 0;
	tracer__unlink(tracer);
	return -1;
}

static void scheduler__detach(void *context)
{
	tracer__unlink(context);
}

int tracer__price_others_switches(struct tracer *tracer, uint64_t *others_ns)
{
	return switch_cost__measure(others_ns, scheduler__attach, scheduler__detach, tracer);
}

struct priced_switches {
	struct tracer *tracer;
	struct priced_view view;
};

static int view_scheduler__attach(void *context)
{
	struct priced_switches *priced = context;

	return priced_view__enter(&priced->view, priced->tracer->view->module, priced->tracer->object, false, NULL, NULL);
}

static void view_scheduler__detach(void *context)
{
	priced_view__leave(&((struct priced_switches *)context)->view);
}

/* The agent leaves its CPU to another process of its own and comes back: two switches. */
int tracer__price_switches(struct tracer *tracer, enum xp_switch kind)
{
	struct priced_switches priced = { .tracer = tracer };
	uint64_t ns;

	if (tracer->view ? switch_cost__measure(&ns, view_scheduler__attach, view_scheduler__detach, &priced) :
			   tracer__price_others_switches(tracer, &ns))
		return -1;
	tracer->switch_ns[kind] = 2 * ns;
	return 0;
}

void tracer__forget_agent(struct tracer *tracer, struct bpf_map *const *maps, size_t nr)
{
	int process = syscall(SYS_pidfd_open, getpid(), 0);
	size_t i;

	if (process < 0)
		return;
	for (i = 0; i < nr; i++)
		bpf_map_delete_elem(bpf_map__fd(maps[i]), &process);
	close(process);
}

double tracer__switches_ns(const struct tracer *tracer)
{
	const volatile struct xp_switches *switches = tracer->switches;
	double ns = 0;
	int slot, kind;

	for (slot = 0; slot < XP_SWITCH_SLOTS; slot++)
		for (kind = 0; kind < XP_SWITCH_KINDS; kind++)
			ns += switches[slot].nr[kind] * tracer->switch_ns[kind];
	return ns;
}

void tracer__losses(const struct tracer *tracer, Kview__Wire__Losses *losses)
{
	losses->missed_returns += bpf_access__missed_runs(tracer->object) - tracer->missed_before +
		(tracer->has_entered ? view_hooks__missed(&tracer->hooks) : tracer->missed_in_view) -
		tracer->missed_in_view_before;
	losses->healed_switches += tracer->counters->healed_switches;
}

int tracer__exit_code(const struct tracer *tracer)
{
	return *(volatile int *)tracer->exit_code;
}
