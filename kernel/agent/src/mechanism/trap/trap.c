// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/trap/code_watch.h"
#include "mechanism/trap/other_files.h"
#include "mechanism/trap/trap.h"
#include "mechanism/trap/trap_state.h"
#include "permission/permission.h"

#define PROCESS_LOST "The process executed another program, and not by its first thread: the kernel sets no probes in such a program. The recording ended with the former program."

#define FILTER_NOTE "Filtered in the eBPF programs: each recording that runs costs other processes about 0.2 µs at each of their context switches, and some tenths of a µs for each probed place in a file when they map it, as a program does at its start. Their calls of the functions cost nothing more."

#define VIEW_NOTE "The probes are in the process's own copies of its code: others' calls of these functions cost nothing more, and a file with probes costs them some tenths of a µs for each probed place when they map it, as a program does at its start. Children that it forks pay at their own forks, and at their execve or end. As that takes a second view, each hook in the kernel costs the process some 100 instructions more than the prices have, which are measured in one."

static void trap__free(struct mechanism *mechanism)
{
	struct trap *trap = trap__of(mechanism);

	xprobe__free(trap->xprobe);
	xprobe_view__free(trap->view);
	probes__free(trap->probes);
	free(trap->conditions);
	splits__free(&trap->splits);
	free(trap->dropped);
	free(trap->kept);
	free(trap);
}

/* By the kinds of the functions. */
static void trap__leave_out_programs(const struct trap *trap, struct xprobe_opts *opts)
{
	const struct xprobe_function *all = probes__functions(trap->probes);
	size_t i, j;

	opts->no_replaced_returns = opts->no_going_on = opts->no_register_jumps = true;
	for (i = 0; i < trap->base.nr; i++) {
		const struct fn_function *function = all[i].function;

		if (function->exit_kind == FN_EXIT_URETPROBE)
			opts->no_replaced_returns = false;
		if (function->nr_goes_on)
			opts->no_going_on = false;
		for (j = 0; j < function->nr_sites; j++)
			if (function->sites[j].kind == FN_SITE_JUMP_REG)
				opts->no_register_jumps = false;
	}
}

static int trap__load(struct mechanism *mechanism, const struct mechanism_load *load, struct error *error)
{
	struct trap *trap = trap__of(mechanism);
	struct fn_process_safety safety;
	struct xprobe_opts opts = {
		.events = load->events, .ring_bytes = load->ring_bytes, .waits = load->waits,
		.wait_stacks = load->wait_stacks,
		.nr_functions = mechanism->nr, .nr_places = probes__nr_places(trap->probes),
		.no_raising_files = !permission__raising_files(),
		.ends_at_raise = permission__ends_at_raise(), .max_bytes = load->max_bytes,
		.inner_fd = load->inner_fd < 0 ? 0 : load->inner_fd,
		.marks_fd = load->marks_fd < 0 ? 0 : load->marks_fd,
		.conditions = trap->conditions, .splits = trap->splits.of ? &trap->splits : NULL,
		.cgroup = load->cgroup, .tree = load->tree, .members_fd = load->members_fd, .measures = trap->measures,
		.pairs = probes__are_pairs(trap->probes),
	};

	trap__leave_out_programs(trap, &opts);
	trap->cgroup = load->cgroup;
	trap->tree = load->tree;
	if (!trap__of_group(trap) && !opts.pairs && xprobe_view__choose(&trap->view, load->view, load->events, load->waits,
						     measures__cost_others(trap->measures), error))
		return -1;
	opts.view = trap->view;
	trap->xprobe = trap__load_xprobe(trap, load, &opts, error);
	if (!trap->xprobe)
		return -1;
	mechanism->in_view = trap->view;
	if (trap->view)
		mechanism->filter_note = VIEW_NOTE;
	trap__tell_measures(trap);
	mechanism->figures = xprobe__figures(trap->xprobe);
	mechanism->figures.strays_are_told = opts.pairs;
	mechanism->changes_fd = xprobe__children_fd(trap->xprobe);
	mechanism->threads_fd = xprobe__threads_fd(trap->xprobe);
	mechanism->tells_waits = load->waits;
	if (load->waits)
		mechanism->wait_maps = xprobe__wait_maps(trap->xprobe);
	if (load->events)
		mechanism->ring = (struct mechanism_ring){ .fd = xprobe__ring_fd(trap->xprobe),
							   .dropped = xprobe__events_dropped(trap->xprobe) };
	mechanism->by_thread = xprobe__is_by_thread(trap->xprobe);
	/* Nothing is proven of code that others may have in their memory: no return address is replaced there. Pairs have no stack. */
	trap->switches_stacks = true;
	if (trap__of_group(trap) || opts.pairs)
		return 0;
	if (permission__safety(&safety, mechanism->pid, error) ||
	    (trap->force_returns && code_watch__may_force(&safety, mechanism->pid, error)))
		return -1;
	xprobe__set_one_stack(trap->xprobe, safety.one_stack);
	trap->switches_stacks = !safety.one_stack;
	return 0;
}

/* Once the process is watched: from then on the xprobe sees it by itself. */
static int trap__check(const struct trap *trap, struct error *error)
{
	return permission__may_tell() ? 0 :
		error__set(error, ERR_NO_PERMISSION,
			   "Process %d has executed a program that gives it rights, or that its user may not trace: it may not be measured.",
			   trap->base.pid);
}

/* Others that are not attached have none. */
static struct fn_known_code trap__known(const struct trap *trap)
{
	struct fn_known_code known = { .nr = 0 };
	size_t i;

	for (i = 0; i < trap->nr_others; i++)
		trap->others[i]->ops->own_code(trap->others[i], &known);
	return known;
}

static int trap__attach(struct mechanism *mechanism, struct error *error)
{
	struct trap *trap = trap__of(mechanism);
	struct fn_known_code known;
	int err;

	xprobe__reset_counters(trap->xprobe);
	if (trap__of_group(trap)) {
		mechanism->filter_note = other_files__tell(trap, trap->filter_note, sizeof(trap->filter_note));
		return xprobe__attach_only(trap->xprobe, XPROBE_GROUP, probes__functions(trap->probes), mechanism->nr, error);
	}
	known = trap__known(trap);
	err = code_watch__begin(trap->xprobe, mechanism->pid, &known, trap->force_returns, error);
	fn_known_code__free(&known);
	return err || trap__check(trap, error) ||
	       xprobe__attach_only(trap->xprobe, mechanism->pid, probes__functions(trap->probes), mechanism->nr, error) ? -1 : 0;
}

static int trap__begin(struct mechanism *mechanism, struct error *error)
{
	return xprobe__begin(trap__of(mechanism)->xprobe, mechanism->pid, error);
}

static void trap__end(struct mechanism *mechanism)
{
	xprobe__end(trap__of(mechanism)->xprobe);
}

static void trap__detach(struct mechanism *mechanism)
{
	struct trap *trap = trap__of(mechanism);

	xprobe__detach(trap->xprobe);
	trap->threads = xprobe__counters(trap->xprobe).threads;
	trap__refresh(mechanism);
}

static const char *trap__has_failed(const struct mechanism *mechanism)
{
	return !trap__of_group(trap__of(mechanism)) && xprobe__has_lost_process(trap__of(mechanism)->xprobe) ? PROCESS_LOST : NULL;
}

static const char *trap__follow(struct mechanism *mechanism, struct mechanism_off *off)
{
	struct trap *trap = trap__of(mechanism);
	const struct xprobe_function *all = probes__functions(trap->probes);
	struct fn_known_code known;
	bool is_harmless;
	size_t i;

	off->nr = 0;
	if (trap__of_group(trap))
		return NULL;
	xprobe__free_children(trap->xprobe);
	if (xprobe__has_lost_process(trap->xprobe))
		return PROCESS_LOST;
	if (trap->returns_off)
		return NULL;
	known = trap__known(trap);
	is_harmless = code_watch__look(trap->xprobe, mechanism->pid, &known, trap->force_returns, off->why);
	fn_known_code__free(&known);
	if (is_harmless)
		return NULL;
	trap->returns_off = true;
	for (i = 0; i < mechanism->nr; i++)
		if (all[i].function->exit_kind == FN_EXIT_URETPROBE)
			off->points[off->nr++] = i;
	return NULL;
}

static void trap__choose(const struct trap *trap, struct xprobe_function *to, const uint32_t *points, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		to[i] = probes__functions(trap->probes)[points[i]];
}

static int trap__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		      const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct trap *trap = trap__of(mechanism);

	trap__choose(trap, trap->dropped, dropped, nr_dropped);
	trap__choose(trap, trap->kept, kept, nr_kept);
	return xprobe__drop(trap->xprobe, trap__of_group(trap) ? XPROBE_GROUP : mechanism->pid, trap->dropped, nr_dropped, trap->kept, nr_kept, error);
}

/*
 * A function that is rarely called can be expensive because of the function in which its calls go
 * on, if others call that one often.  Then the probes on that function are given up first.  This is
 * not done if the function's own calls cost half or more.
 */
static bool trap__may_keep(const struct trap *trap, uint32_t function)
{
	const struct figures *figures = &trap->base.figures;

	return probes__follows(trap->probes, function) &&
	       2 * figures__ended_ns(figures, function) <
	       figures__calls(figures, function).cost_ns;
}

static size_t trap__relieve(struct mechanism *mechanism, uint32_t *points, size_t nr,
			    uint32_t *kept)
{
	struct trap *trap = trap__of(mechanism);
	size_t nr_kept = 0, left = 0, i;

	for (i = 0; i < nr; i++) {
		if (trap__may_keep(trap, points[i]))
			kept[nr_kept++] = points[i];
		else
			points[left++] = points[i];
	}
	for (i = 0; i < nr_kept; i++)
		probes__unfollow(trap->probes, kept[i]);
	return left;
}

static bool trap__is_relieving(const struct mechanism *mechanism)
{
	return xprobe__is_closing(trap__of(mechanism)->xprobe);
}

static void trap__settle(struct mechanism *mechanism)
{
	xprobe__settle(trap__of(mechanism)->xprobe);
}

static void trap__free_children(struct mechanism *mechanism)
{
	xprobe__free_children(trap__of(mechanism)->xprobe);
}

static struct mechanism_children trap__children(const struct mechanism *mechanism)
{
	struct xprobe_children children = xprobe__children(trap__of(mechanism)->xprobe);

	return (struct mechanism_children){ children.nr, children.cpu_ns };
}

static void trap__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	struct trap *trap = trap__of(mechanism);
	struct xp_counters counters = xprobe__counters(trap->xprobe);

	losses->missed_returns += xprobe__missed_runs(trap->xprobe) - trap->missed_before;
	losses->healed_switches += counters.healed_switches;
	losses->early_returns += counters.early_returns;
	losses->children_with_probes += xprobe__children_kept(trap->xprobe);
}

static int trap__exit_code(const struct mechanism *mechanism)
{
	return xprobe__leader_exit_code(trap__of(mechanism)->xprobe);
}

static void trap__describe(const struct mechanism *mechanism, size_t point,
			   Kview__Wire__AttachedProbe *message)
{
	const struct trap *trap = trap__of(mechanism);
	const struct fn_function *f = probes__functions(trap->probes)[point].function;
	struct xp_cost cost = trap->calibration.costs[calibrate__dearest_of(f)];

	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_TRAP;
	if (!probes__are_pairs(trap->probes))
		message->exit_kind = (Kview__Wire__ExitKind)f->exit_kind;
	message->exit_sites = f->nr_sites;
	message->inner_cost_ns = cost.inner_ns;
	message->call_cost_ns = cost.call_ns;
	message->forced = f->forced;
	message->conditional = trap->conditions && trap->conditions[point].nr;
	message->split = splits__has(&trap->splits, point);
	message->quantities = measures__describe(trap->measures, &message->n_quantities);
	message->waits = mechanism->tells_waits && !(trap->conditions && trap->conditions[point].at_end);
	message->goes_on_to = fn_function__goes_on_unseen(f, &message->n_goes_on_to);
}

static bool trap__file(const struct mechanism *mechanism, size_t index,
		       Kview__Wire__Binary *message)
{
	const struct fn_list *lists;

	if (index >= probes__lists(trap__of(mechanism)->probes, &lists))
		return false;
	message->path = lists[index].binary;
	message->build_id = (char *)lists[index].build_id;
	return true;
}

static void trap__look_for_loaded(struct mechanism *mechanism)
{
	if (!trap__of_group(trap__of(mechanism)))
		probes__look_for_loaded(trap__of(mechanism)->probes, mechanism->pid);
}

static bool trap__is_awaited(const struct mechanism *mechanism, size_t point)
{
	/* Of many processes it is not known. */
	return !trap__of_group(trap__of(mechanism)) && probes__is_awaited(trap__of(mechanism)->probes, point);
}

static int trap__avoid(struct mechanism *mechanism, const struct code_place *place, struct error *error)
{
	return probes__avoid(trap__of(mechanism)->probes, place, error);
}

static void trap__know(struct mechanism *mechanism, const struct mechanism *other)
{
	struct trap *trap = trap__of(mechanism);

	if (trap->nr_others < MOST_OTHERS)
		trap->others[trap->nr_others++] = other;
}

static const struct mechanism_ops trap_ops = {
	.free = trap__free, .load = trap__load, .calibrate = trap__calibrate,
	.attach = trap__attach, .begin = trap__begin, .end = trap__end, .detach = trap__detach,
	.avoid = trap__avoid, .know = trap__know, .recheck = trap__recheck,
	.reprice = trap__reprice, .refresh = trap__refresh, .beside_ns = trap__beside_ns, .uncertain_ns = trap__uncertain_ns,
	.follow = trap__follow, .has_failed = trap__has_failed, .drop = trap__drop,
	.relieve = trap__relieve, .is_relieving = trap__is_relieving,
	.settle = trap__settle,
	.free_children = trap__free_children, .children = trap__children, .losses = trap__losses, .exit_code = trap__exit_code,
	.describe = trap__describe, .file = trap__file,
	.look_for_loaded = trap__look_for_loaded, .is_awaited = trap__is_awaited,
};

static bool trap__serves(const Kview__Wire__StartRecordingRequest *request,
			 const Kview__Wire__Probe *probe)
{
	/* Older clients don't set it.  Without a symbol, it is a kind of point that newer ones know. */
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_USER_FUNCTION ||
	       (probe->point_case == KVIEW__WIRE__PROBE__POINT__NOT_SET && *probe->symbol);
}

struct mechanism *trap__new(const Kview__Wire__StartRecordingRequest *request, trap_find *find, struct error *error)
{
	struct trap *trap = calloc(1, sizeof(*trap));

	if (!trap)
		goto no_memory;
	trap->base.ops = &trap_ops;
	trap->base.pid = request->pid;
	trap->base.kind = "Context switches for functions of programs";
	trap->base.filter_note = FILTER_NOTE;
	trap->base.beside = "threads and their context switches";
	trap->base.note = trap->note;
	trap->base.waits_note = trap->waits_note;
	trap->base.changes_fd = trap->base.threads_fd = trap->base.ring.fd = -1;
	trap->force_returns = request->force_return_probes;
	trap->probes = find(request, error);
	if (!trap->probes)
		goto fail;
	trap->base.nr = probes__nr(trap->probes);
	if (trap__read_conditions(trap, request, error))
		goto fail;
	trap->base.names = probes__names(trap->probes);
	trap->dropped = calloc(trap->base.nr, sizeof(*trap->dropped));
	trap->kept = calloc(trap->base.nr, sizeof(*trap->kept));
	if (trap->dropped && trap->kept)
		return &trap->base;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	if (trap)
		trap__free(&trap->base);
	return NULL;
}

static struct mechanism *trap__find(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	return trap__new(request, probes__find, error);
}

const struct mechanism_kind trap_kind = { .takes_conditions = true, .takes_measures = true, .serves = trap__serves, .find = trap__find };
