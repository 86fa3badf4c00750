// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "bpf/causes.h"
#include "bpf/descriptors.h"
#include "mechanism/bpf/waits.h"
#include "mechanism/bpf_access.h"
#include "mechanism/capabilities.h"
#include "mechanism/kernel_types.h"
#include "mechanism/map_memory.h"
#include "mechanism/scope.h"
#include "mechanism/split.h"
#include "mechanism/trap/entry_code.h"
#include "mechanism/trap/preemption.h"
#include "mechanism/trap/xprobe_children.h"
#include "mechanism/trap/xprobe_measures.h"
#include "mechanism/trap/xprobe_state.h"
#include "mechanism/trap/xprobe_view.h"
#include "mechanism/view_hooks.h"

/* About what the kernel takes for a place with a probe, and for the rest. */
#define PLACE_BYTES	512
/* Processes that were forked within calls, and have not returned from them. */
#define MOST_INHERITING	16384
#define REST_BYTES	(992U << 10)
/* What measures keep beside the states of threads. */
#define MEASURES_BYTES	(1U << 20)

static uint32_t ring_bytes(const struct xprobe_opts *opts)
{
	return opts->events ? opts->ring_bytes : sysconf(_SC_PAGESIZE);
}

/* Copies of the program's stacks take most of what waits do: of whom may have little there are fewer. */
#define FEW_BYTES	(16U << 20)
#define FEW_USER_STACKS	(XP_USER_STACKS / 8)

static uint32_t user_stacks__nr(const struct xprobe_opts *opts)
{
	return opts->max_bytes && opts->max_bytes < FEW_BYTES ? FEW_USER_STACKS : XP_USER_STACKS;
}

static uint64_t waits_bytes(const struct xprobe_opts *opts, size_t functions)
{
	uint64_t cpus = libbpf_num_possible_cpus();

	/* Each table has one entry more for each CPU, and those that are read are for each CPU one. */
	return (user_stacks__nr(opts) + 2 * cpus) * (sizeof(struct xp_user_stack) + MAP_ENTRY_BYTES) + sizeof(struct xp_code) +
	       (XP_WAIT_STACKS + 2 * cpus) * (sizeof(struct xp_wait_stack) + MAP_ENTRY_BYTES) +
	       (XP_WAIT_FILES + 2 * cpus) * (sizeof(struct xp_wait_file) + MAP_ENTRY_BYTES) +
	       (XP_WAITS + cpus) * (sizeof(struct xp_wait_key) + sizeof(struct xp_wait) + MAP_ENTRY_BYTES) +
	       functions * XP_CAUSES * sizeof(struct xp_wait);
}

/* Of the kernel's memory: what is there once, and what a slot takes. */
static uint64_t fixed_bytes(const struct xprobe_opts *opts, size_t functions)
{
	return REST_BYTES + ring_bytes(opts) + (opts->measures ? MEASURES_BYTES : 0) + (opts->waits ? waits_bytes(opts, functions) : 0) +
	       (opts->conditions ? functions * sizeof(struct xp_condition) : 0) +
	       (opts->splits ? functions * sizeof(struct xp_split) + splits__tables(opts->splits) * sizeof(struct xp_split_table) : 0) +
	       functions * (sizeof(struct xp_function) + sizeof(struct xp_beginning) + MAP_ENTRY_BYTES) +
	       opts->nr_places * PLACE_BYTES;
}

static int check_memory(const struct xprobe_opts *opts, uint64_t bytes, struct error *error)
{
	if (!opts->max_bytes || bytes <= opts->max_bytes)
		return 0;
	return error__set(error, ERR_TOO_MANY,
			  "A recording of %zu functions with %zu probes takes %.1f MiB of the kernel's memory, and you may have %.1f MiB for each here: choose fewer functions.",
			  opts->nr_functions, opts->nr_places, bytes / 1048576.0,
			  opts->max_bytes / 1048576.0);
}

/* What is missing, found by trying: the verifier's own answer helps nobody else. */
static int load__failed(int error, struct error *failure)
{
	struct capability found[CAPABILITIES_MAX];
	size_t nr, i;

	if (error == -EPERM || error == -EACCES)
		return error__set(failure, ERR_NO_PERMISSION,
				  "The kernel refused to load eBPF programs for user %u: it takes root, or an agent with CAP_BPF and CAP_PERFMON.",
				  geteuid());
	nr = capabilities__find(found, CAPABILITIES_MAX);
	for (i = 0; i < nr; i++)
		if (found[i].required && !found[i].available)
			return error__set(failure, ERR_UNSUPPORTED, "%s", found[i].detail);
	return error__set(failure, ERR_UNSUPPORTED,
			  "This kernel refused the eBPF programs of the cpu-latency xprobe (%s), though it has all that they need: please report it with the kernel's version.",
			  strerror(-error));
}

void xprobe__set_one_stack(struct xprobe *xprobe, bool one_stack)
{
	xprobe->skel->bss->one_stack = one_stack;
}

static int xprobe__load(struct xprobe *xprobe, const struct xprobe_opts *opts,
			struct error *error)
{
	struct figures *counts = &xprobe->counts;
	uint32_t functions = opts->nr_functions + XPROBE_SPARE_FUNCTIONS;
	uint64_t fixed = fixed_bytes(opts, functions);
	uint32_t own = opts->measures ? 2 * functions : functions;	/* each has a place for its quantities */
	uint32_t places = own + (opts->splits ? splits__places(opts->splits) : 0);
	uint32_t slots = map_memory__slots(fixed, places, opts->max_bytes), entries = slots * places;
	struct xprobe_bpf *skel = xprobe->skel;
	int failed;

	if (check_memory(opts, fixed + slots * figures__slot_bytes(places), error))
		return -1;
	skel->rodata->stops_at_raise = opts->ends_at_raise;
	skel->rodata->max_threads = opts->max_bytes / (map_memory__of_task(skel->maps.threads) +
						       (opts->measures ? map_memory__of_task(skel->maps.measured_threads) : 0));
	skel->rodata->with_events = opts->events;
	skel->rodata->asks_at_entry = xprobe->links_kind == LINKS_WHOLE;
	skel->rodata->calls_go_on = !opts->no_going_on || !opts->no_register_jumps;
	skel->rodata->nr_functions = places;
	skel->rodata->slot_mask = slots - 1;
	skel->rodata->entry_code = entry_code__find();
	skel->rodata->calls_are_pairs = opts->pairs;
	skel->rodata->has_conditions = opts->conditions;
	skel->rodata->has_splits = opts->splits;
	if (opts->splits)
		splits__place(opts->splits, own);
	skel->rodata->measures = opts->measures;
	skel->rodata->first_quantities = functions;
	bpf_map__set_autocreate(skel->maps.measured_threads, opts->measures);
	xprobe_measures__choose(skel->obj, opts->measures);
	bpf_map__set_max_entries(skel->maps.splits, opts->splits ? functions : 1);
	bpf_map__set_max_entries(skel->maps.split_tables, opts->splits ? splits__tables(opts->splits) : 1);
	causes__fill(skel->rodata->cause_of_syscall);
	skel->rodata->wake_bytes = opts->ring_bytes / 4;
	bpf_map__set_max_entries(skel->maps.calls, entries);
	bpf_map__set_max_entries(skel->maps.totals, entries * XP_SETS);
	bpf_map__set_max_entries(skel->maps.buckets, entries * XP_SETS);
	bpf_map__set_max_entries(skel->maps.functions, functions);
	bpf_map__set_max_entries(skel->maps.beginnings, functions);
	bpf_map__set_max_entries(skel->maps.conditions, opts->conditions ? functions : 1);
	bpf_map__set_max_entries(skel->maps.ring, ring_bytes(opts));
	bpf_program__set_autoload(skel->progs.sched_waking, opts->events);
	bpf_program__set_autoload(skel->progs.view_waking, opts->events);
	if (opts->view && opts->events)
		bpf_map__set_max_entries(skel->maps.absent, VIEW_ABSENT);
	xprobe_view__choose_programs(opts->view, skel->obj);
	skel->rodata->own_switches = opts->own_switches;
	own_switches__choose(skel->obj, opts->own_switches);
	bpf_program__set_autoload(skel->progs.wait_waker, opts->waits);
	bpf_program__set_autoload(skel->progs.wait_ends, opts->waits);
	bpf_map__set_autocreate(skel->maps.waits, opts->waits);
	bpf_map__set_autocreate(skel->maps.other_waits, opts->waits);
	bpf_map__set_autocreate(skel->maps.wait_stacks, opts->waits);
	bpf_map__set_autocreate(skel->maps.read_stacks, opts->waits);
	bpf_map__set_autocreate(skel->maps.wait_files, opts->waits);
	bpf_map__set_autocreate(skel->maps.read_files, opts->waits);
	bpf_map__set_autocreate(skel->maps.user_stacks, opts->waits);
	bpf_map__set_autocreate(skel->maps.read_user_stacks, opts->waits);
	bpf_map__set_autocreate(skel->maps.process_code, opts->waits);
	if (opts->waits) {
		bpf_map__set_max_entries(skel->maps.user_stacks, user_stacks__nr(opts));
		bpf_map__set_max_entries(skel->maps.waits, XP_WAITS);
		bpf_map__set_max_entries(skel->maps.other_waits, functions * XP_CAUSES);
		bpf_map__set_max_entries(skel->maps.wait_files, XP_WAIT_FILES);
		skel->rodata->with_waits = true;
		descriptors__fill((uint8_t *)skel->rodata->names_descriptor);
		skel->rodata->with_wait_stacks = opts->wait_stacks;
		if (opts->wait_stacks)
			bpf_map__set_max_entries(skel->maps.wait_stacks, XP_WAIT_STACKS);
	}
	/* Most of the time until a recording begins is the verifier's, so it gets what will be attached and nothing else. */
	bpf_program__set_autoload(skel->progs.call_return, !opts->no_replaced_returns && xprobe->links_kind != LINKS_WHOLE);
	bpf_program__set_autoload(skel->progs.call_whole, false);
	bpf_program__set_autoload(skel->progs.call_whole_awake, false);
	xprobe->whole = opts->own_switches || xprobe_measures__never_sleep(opts->measures) ? skel->progs.call_whole_awake : skel->progs.call_whole;
	bpf_program__set_autoload(xprobe->whole, !opts->no_replaced_returns && xprobe->links_kind == LINKS_WHOLE);
	bpf_program__set_autoload(skel->progs.call_hidden_site, !opts->no_going_on);
	links__prepare(xprobe->links_kind, skel->progs.call_entry);
	links__prepare(xprobe->links_kind, skel->progs.call_return);
	links__prepare(xprobe->links_kind, skel->progs.call_exit_site);
	links__prepare(xprobe->links_kind, skel->progs.call_hidden_site);
	links__prepare(xprobe->links_kind, skel->progs.code_changes);
	links__prepare_whole(xprobe->links_kind, xprobe->whole);

	skel->rodata->has_inner = opts->inner_fd;
	skel->rodata->marks_programs = opts->marks_fd;
	SCOPE_CHOOSE(skel, opts->cgroup);
	SCOPE_CHOOSE_TREE(skel, opts->tree);
	bpf_map__set_max_entries(skel->maps.inherited, opts->cgroup || opts->tree ? MOST_INHERITING : 1);
	if (((opts->cgroup || opts->tree) && bpf_access__share(skel->maps.members, opts->members_fd, error)) ||
	    (opts->tree && bpf_access__share(skel->maps.tree, opts->tree->map, error)) ||
	    bpf_access__share(skel->maps.inner_threads, opts->inner_fd ?: -1, error) ||
	    bpf_access__share(skel->maps.program_marks, opts->marks_fd ?: -1, error))
		return -1;
	failed = xprobe_bpf__load(skel);
	if (failed)
		return load__failed(failed, error);
	if (opts->view && xprobe_view__run(opts->view, skel->obj, error))
		return -1;
	if (opts->own_switches && own_switches__learn(skel->obj, error))
		return -1;
	if (xprobe_measures__begin(skel->obj, opts->measures, error))
		return -1;

	if (opts->conditions && xprobe__set_conditions(xprobe, error))
		return -1;
	if (opts->splits && splits__tell(opts->splits, XPROBE_SPARE_FUNCTIONS, skel->maps.splits, error))
		return -1;
	counts->conditions = opts->conditions;
	counts->splits = opts->splits ? opts->splits->of : NULL;
	counts->measured = opts->measures;
	counts->first_quantities = functions;
	counts->costs = skel->bss->costs;
	counts->slots = slots;
	counts->functions = places;
	counts->metrics = (1U << XP_METRICS) - 1;
	counts->waits_may_be_its_own = preemption__find() != PREEMPTION_AT_ONCE;
	if (figure_views__open(&xprobe->views, skel->maps.calls, skel->maps.totals, skel->maps.buckets, counts, error))
		return -1;
	if (map_view__open(&xprobe->tables_view, skel->maps.split_tables, PROT_READ) ||
	    xprobe__hear(xprobe))
		return error__set(error, ERR_FAILED, "The counters could not be mapped: %s.",
				  strerror(errno));
	counts->split_tables = xprobe->tables_view.at;
	return 0;
}

struct xprobe *xprobe__new(const struct xprobe_opts *opts, struct error *error)
{
	struct xprobe *xprobe = calloc(1, sizeof(*xprobe));

	if (!xprobe) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	if (bpf_access__prepare(error)) {
		free(xprobe);
		return NULL;
	}
	xprobe->events = opts->events;
	xprobe->waits = opts->waits;
	xprobe->own_switches = opts->own_switches;
	xprobe->view = opts->view;
	xprobe->cgroup = opts->cgroup;
	xprobe->tree = opts->tree;
	xprobe->conditions = opts->conditions;
	xprobe->nr_functions = opts->nr_functions;
	xprobe->no_raising_files = opts->no_raising_files;
	xprobe->links_kind = links__best_kind();
	if ((xprobe->cgroup || xprobe->tree) && xprobe->links_kind == LINKS_SINGLE) {
		error__set(error, ERR_UNSUPPORTED,
			   "This kernel sets probes one by one, for one process each (Linux 6.6 and later set them for all): functions of programs can't be measured of %s here, record %s.",
			   xprobe->tree ? "a process with its children" : "a whole cgroup", xprobe->tree ? "it alone" : "a process of it");
		goto out;
	}
	do {
		xprobe_bpf__destroy(xprobe->skel);
		xprobe->skel = xprobe_bpf__open_opts(kernel_types__opts());
		if (!xprobe->skel) {
			load__failed(-errno, error);
			goto out;
		}
		if (!xprobe__load(xprobe, opts, error))
			return xprobe;
	} while (kernel_types__join());
out:
	xprobe__free(xprobe);
	return NULL;
}

void xprobe__free(struct xprobe *xprobe)
{
	if (!xprobe)
		return;
	xprobe__detach(xprobe);
	xprobe__hear_no_more(xprobe);
	figure_views__close(&xprobe->views);
	map_view__close(&xprobe->tables_view);
	xprobe_bpf__destroy(xprobe->skel);
	free(xprobe);
}
