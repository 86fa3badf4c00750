// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "capabilities.h"
#include "causes.h"
#include "children.h"
#include "error.h"
#include "links.h"
#include "loop.h"
#include "xprobe.h"
#include "xprobe.skel.h"

/* Histograms are unswappable kernel memory: fewer slots rather than more than this. */
#define MAX_BUCKET_BYTES	(64ULL << 20)
#define MAX_SLOTS		8

struct xprobe {
	struct xprobe_bpf *skel;
	struct links *entries, *exits;
	uint32_t edition;		/* of the links */
	struct held_files *files;	/* that have probes */
	struct bpf_link *scheduler[4], *processes[2];
	struct places places;		/* that have probes */
	struct ring_buffer *children;
	struct xprobe_counts counts;
	size_t calls_bytes, totals_bytes, buckets_bytes;
	enum links_kind links_kind;
	uint64_t begin_ns, end_ns;	/* between them calls were measured */
	bool events;
};

static uint32_t slots_for(size_t functions)
{
	uint64_t bytes = functions * XP_METRICS * sizeof(struct xp_buckets);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t slots = 1;

	while (slots < cpus && slots < MAX_SLOTS && 2 * slots * bytes <= MAX_BUCKET_BYTES)
		slots *= 2;
	return slots;
}

static int libbpf__print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN && getenv("KVIEW_AGENT_DEBUG") ?
		vfprintf(stderr, format, args) : 0;
}

/* What is missing, found by trying: the verifier's own answer helps nobody else. */
static int load__failed(int error, struct fn_error *failure)
{
	struct capability found[CAPABILITIES_MAX];
	size_t nr, i;

	if (error == -EPERM || error == -EACCES)
		return error__set(failure, ERR_NO_PERMISSION,
				  "The kernel refused to load eBPF programs for user %u: run the agent as root, or give it CAP_BPF and CAP_PERFMON.",
				  geteuid());
	nr = capabilities__find(found, CAPABILITIES_MAX);
	for (i = 0; i < nr; i++)
		if (found[i].required && !found[i].available)
			return error__set(failure, ERR_UNSUPPORTED, "%s", found[i].detail);
	return error__set(failure, ERR_UNSUPPORTED,
			  "This kernel refused the eBPF programs of the cpu-latency xprobe (%s), though it has all that they need: please report it with the kernel's version.",
			  strerror(-error));
}

static const void *map__view(struct bpf_map *map, size_t *bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *view;

	*bytes = (size_t)bpf_map__max_entries(map) * ((bpf_map__value_size(map) + 7) & ~7UL);
	*bytes = (*bytes + page - 1) & ~(page - 1);
	view = mmap(NULL, *bytes, PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);
	return view == MAP_FAILED ? NULL : view;
}

static void view__free(const void *view, size_t bytes)
{
	if (view)
		munmap((void *)view, bytes);
}

static int child__forked(void *context, void *record, size_t size)
{
	struct xprobe *xprobe = context;
	const struct xp_child *child = record;

	if (child__restore(child->tgid, &xprobe->places) < 0 && errno != ENOENT && errno != ESRCH)
		log__line("child %u keeps the probes until the recording ends: %s", child->tgid,
			  strerror(errno));
	bpf_map__delete_elem(xprobe->skel->maps.probed_children, &child->tgid,
			     sizeof(child->tgid), 0);
	return 0;
}

int xprobe__children_fd(const struct xprobe *xprobe)
{
	return ring_buffer__epoll_fd(xprobe->children);
}

void xprobe__free_children(struct xprobe *xprobe)
{
	ring_buffer__consume(xprobe->children);
}

static int xprobe__load(struct xprobe *xprobe, const struct xprobe_opts *opts,
			struct fn_error *error)
{
	struct xprobe_counts *counts = &xprobe->counts;
	uint32_t functions = opts->nr_functions + XPROBE_SPARE_FUNCTIONS;
	uint32_t slots = slots_for(functions), entries = slots * functions;
	struct xprobe_bpf *skel = xprobe->skel;
	int failed;

	skel->rodata->with_events = opts->events;
	skel->rodata->nr_functions = functions;
	skel->rodata->slot_mask = slots - 1;
	causes__fill(skel->rodata->cause_of_syscall);
	skel->rodata->wake_bytes = opts->ring_bytes / 4;
	bpf_map__set_max_entries(skel->maps.calls, entries);
	bpf_map__set_max_entries(skel->maps.totals, entries * XP_METRICS);
	bpf_map__set_max_entries(skel->maps.buckets, entries * XP_METRICS);
	bpf_map__set_max_entries(skel->maps.functions, functions);
	bpf_map__set_max_entries(skel->maps.beginnings, functions);
	bpf_map__set_max_entries(skel->maps.ring, opts->events ? opts->ring_bytes :
				 sysconf(_SC_PAGESIZE));
	bpf_program__set_autoload(skel->progs.sched_waking, opts->events);
	links__prepare(xprobe->links_kind, skel->progs.call_entry);
	links__prepare(xprobe->links_kind, skel->progs.call_return);
	links__prepare(xprobe->links_kind, skel->progs.call_exit_site);
	links__prepare(xprobe->links_kind, skel->progs.call_hidden_site);

	failed = xprobe_bpf__load(skel);
	if (failed)
		return load__failed(failed, error);

	counts->slots = slots;
	counts->functions = functions;
	counts->calls = map__view(skel->maps.calls, &xprobe->calls_bytes);
	counts->totals = map__view(skel->maps.totals, &xprobe->totals_bytes);
	counts->buckets = map__view(skel->maps.buckets, &xprobe->buckets_bytes);
	xprobe->children = ring_buffer__new(bpf_map__fd(skel->maps.children), child__forked, xprobe,
					    NULL);
	if (!counts->calls || !counts->totals || !counts->buckets || !xprobe->children)
		return error__set(error, ERR_FAILED, "The counters could not be mapped: %s.",
				  strerror(errno));
	return 0;
}

struct xprobe *xprobe__new(const struct xprobe_opts *opts, struct fn_error *error)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct xprobe *xprobe = calloc(1, sizeof(*xprobe));

	if (!xprobe) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	if (!capabilities__sees_host_pids()) {
		error__set(error, ERR_UNSUPPORTED,
			   "The agent runs in a container with process ids of its own: run it on the host itself, or with the host's (--pid=host).");
		free(xprobe);
		return NULL;
	}
	libbpf_set_print(libbpf__print);
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	xprobe->events = opts->events;
	xprobe->links_kind = links__best_kind();
	xprobe->skel = xprobe_bpf__open();
	if (!xprobe->skel) {
		load__failed(-errno, error);
		goto out;
	}
	if (xprobe__load(xprobe, opts, error))
		goto out;
	return xprobe;
out:
	xprobe__free(xprobe);
	return NULL;
}

void xprobe__free(struct xprobe *xprobe)
{
	if (!xprobe)
		return;
	xprobe__detach(xprobe);
	ring_buffer__free(xprobe->children);
	view__free(xprobe->counts.calls, xprobe->calls_bytes);
	view__free(xprobe->counts.totals, xprobe->totals_bytes);
	view__free(xprobe->counts.buckets, xprobe->buckets_bytes);
	xprobe_bpf__destroy(xprobe->skel);
	free(xprobe);
}

int xprobe__attach_scheduler(struct xprobe *xprobe, struct fn_error *error)
{
	struct bpf_program *programs[] = {
		xprobe->skel->progs.sched_switch, xprobe->skel->progs.sched_wakeup,
		xprobe->skel->progs.sched_process_exit, xprobe->skel->progs.sched_waking,
	};
	int i, nr = xprobe->events ? 4 : 3;

	for (i = 0; i < nr; i++) {
		xprobe->scheduler[i] = bpf_program__attach(programs[i]);
		if (!xprobe->scheduler[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused a program on the scheduler's tracepoint %s: %s.",
					  bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

static int xprobe__watch_process(struct xprobe *xprobe, struct fn_error *error)
{
	struct bpf_program *programs[] = {
		xprobe->skel->progs.sched_process_fork, xprobe->skel->progs.sched_process_exec,
	};
	int i;

	for (i = 0; i < 2; i++) {
		xprobe->processes[i] = bpf_program__attach(programs[i]);
		if (!xprobe->processes[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused a program on the tracepoint %s: %s.",
					  bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

/* The kernel's own iterator finds threads that still are in a call. */
static void xprobe__count_running(struct xprobe *xprobe)
{
	struct bpf_link *link = bpf_program__attach_iter(xprobe->skel->progs.count_running, NULL);
	char byte;
	int fd;

	if (!link) {
		log__line("calls still running could not be counted: %s", strerror(errno));
		return;
	}
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd >= 0) {
		while (read(fd, &byte, 1) > 0)
			;
		close(fd);
	}
	bpf_link__destroy(link);
}

static void xprobe__unlink(struct xprobe *xprobe)
{
	links__free(xprobe->entries);
	links__free(xprobe->exits);
	xprobe->entries = xprobe->exits = NULL;
}

void xprobe__detach(struct xprobe *xprobe)
{
	bool attached = xprobe->entries || xprobe->exits;
	size_t i;

	if (xprobe->skel && attached)
		__atomic_store_n(&xprobe->skel->bss->active, false, __ATOMIC_SEQ_CST);
	xprobe->end_ns = clock__now_ns();
	xprobe__unlink(xprobe);
	held_files__free(xprobe->files);
	xprobe->files = NULL;
	if (attached) {
		/* Waits for an RCU grace period: programs that run have ended. */
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		/* While ends of threads are still seen: each thread is looked at in one of the two. */
		xprobe__count_running(xprobe);
	}
	places__free(&xprobe->places);
	for (i = 0; i < 2; i++) {
		bpf_link__destroy(xprobe->processes[i]);
		xprobe->processes[i] = NULL;
	}
	for (i = 0; i < sizeof(xprobe->scheduler) / sizeof(*xprobe->scheduler); i++) {
		bpf_link__destroy(xprobe->scheduler[i]);
		xprobe->scheduler[i] = NULL;
	}
}

/* The number of the file of functions[i]: that of the first one in it. */
static uint32_t file__number(const struct xprobe_function *functions, size_t i)
{
	size_t first;

	for (first = 0; first < i; first++)
		if (!strcmp(functions[first].path, functions[i].path))
			break;
	return first;
}

static void beginnings__clear(struct bpf_map *beginnings)
{
	struct xp_beginning key;

	while (!bpf_map__get_next_key(beginnings, NULL, &key, sizeof(key)))
		if (bpf_map__delete_elem(beginnings, &key, sizeof(key), 0))
			break;
}

static int function__describe(struct xprobe *xprobe, uint32_t id, uint32_t file,
			      const struct fn_function *function, struct fn_error *error)
{
	struct xp_beginning beginning = { .address = function->address, .file = file };
	uint8_t there = 1;
	struct xp_function info = {
		.file = file,
		.address = function->address,
		.entry_class = xprobe__entry_class(function),
		.nr_ranges = function->nr_ranges,
	};
	size_t i;

	if (function->nr_ranges > XP_RANGES) {
		for (i = 0; i < function->nr_sites; i++)
			if (function->sites[i].kind == FN_SITE_JUMP_REG)
				return error__set(error, ERR_NOT_PROBEABLE,
						  "%.200s consists of %zu pieces of code and jumps between them through a register: its returns can't be told.",
						  function->name, function->nr_ranges);
		info.nr_ranges = 0;
	}
	for (i = 0; i < info.nr_ranges; i++)
		info.ranges[i] = (struct xp_range){ function->ranges[i].start,
						    function->ranges[i].end };
	if (bpf_map__update_elem(xprobe->skel->maps.functions, &id, sizeof(id), &info,
				 sizeof(info), BPF_ANY) ||
	    bpf_map__update_elem(xprobe->skel->maps.beginnings, &beginning, sizeof(beginning),
				 &there, sizeof(there), BPF_ANY))
		return error__set(error, ERR_FAILED,
				  "%.200s could not be described to the kernel: %s.",
				  function->name, strerror(errno));
	return 0;
}

static int xprobe__attach_places(struct xprobe *xprobe, pid_t pid,
				 const struct xprobe_function *functions, size_t nr,
				 struct fn_error *error)
{
	struct places returns = { 0 }, sites = { 0 }, hidden = { 0 }, entries = { 0 };
	struct xprobe_bpf *skel = xprobe->skel;
	int failed;

	failed = places__add_returns(&returns, functions, nr) ||
		 places__add_sites(&sites, functions, nr) ||
		 places__add_hidden(&hidden, functions, nr) ||
		 places__add_entries(&entries, functions, nr) ?
		error__set(error, ERR_FAILED, "Out of memory.") : 0;
	if (!failed)
		failed = links__add(xprobe->exits, skel->progs.call_return, pid, &returns, true,
				    error) ||
			 links__add(xprobe->exits, skel->progs.call_hidden_site, pid, &hidden,
				    false, error) ||
			 links__add(xprobe->exits, skel->progs.call_exit_site, pid, &sites, false,
				    error) ||
			 links__add(xprobe->entries, skel->progs.call_entry, pid, &entries, false,
				    error);
	places__free(&returns);
	places__free(&sites);
	places__free(&hidden);
	places__free(&entries);
	return failed ? -1 : 0;
}

/* On failure what was attached is to be freed. */
static int xprobe__link(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
			size_t nr, struct fn_error *error)
{
	xprobe->exits = links__new(xprobe->links_kind, xprobe->files, xprobe->edition, error);
	xprobe->entries = links__new(xprobe->links_kind, xprobe->files, xprobe->edition, error);
	if (!xprobe->exits || !xprobe->entries)
		return -1;
	return xprobe__attach_places(xprobe, pid, functions, nr, error);
}

int xprobe__attach(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
		   size_t nr, struct fn_error *error)
{
	struct xprobe_bpf *skel = xprobe->skel;
	size_t i;

	beginnings__clear(skel->maps.beginnings);
	for (i = 0; i < nr; i++)
		if (function__describe(xprobe, functions[i].id, file__number(functions, i),
				       functions[i].function, error))
			return -1;
	skel->bss->target_tgid = pid;
	skel->data->leader_exit_code = -1;
	if (xprobe__attach_scheduler(xprobe, error))
		goto fail;
	xprobe->files = held_files__new();
	if (!xprobe->files) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	/* Before the first probe is there to be copied. */
	if (places__add_sites(&xprobe->places, functions, nr) ||
	    places__add_hidden(&xprobe->places, functions, nr) ||
	    places__add_entries(&xprobe->places, functions, nr)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	if (xprobe__watch_process(xprobe, error) ||
	    xprobe__link(xprobe, pid, functions, nr, error))
		goto fail;
	xprobe->begin_ns = clock__now_ns();
	xprobe->end_ns = 0;
	__atomic_store_n(&skel->bss->active, true, __ATOMIC_SEQ_CST);
	return 0;
fail:
	xprobe__detach(xprobe);
	return -1;
}

/* Calls that are under way are lost from now on, and not left. */
static void function__set_off(struct xprobe *xprobe, uint32_t id)
{
	int map = bpf_map__fd(xprobe->skel->maps.functions);
	struct xp_function info;

	if (bpf_map_lookup_elem(map, &id, &info))
		return;
	info.probes_off = 1;
	bpf_map_update_elem(map, &id, &info, BPF_ANY);
}

int xprobe__drop(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *dropped,
		 size_t nr_dropped, const struct xprobe_function *kept, size_t nr_kept,
		 struct fn_error *error)
{
	struct xprobe old = *xprobe;
	size_t i;

	if (xprobe->links_kind == LINKS_MULTI) {
		xprobe->edition++;
		if (xprobe__link(xprobe, pid, kept, nr_kept, error)) {
			xprobe__unlink(xprobe);
			*xprobe = old;
			return -1;
		}
	}
	for (i = 0; i < nr_dropped; i++)
		function__set_off(xprobe, dropped[i].id);
	if (xprobe->links_kind == LINKS_MULTI) {
		__atomic_store_n(&xprobe->skel->bss->edition, xprobe->edition, __ATOMIC_SEQ_CST);
		xprobe__unlink(&old);
		return 0;
	}
	for (i = 0; i < nr_dropped; i++) {
		links__remove(xprobe->entries, dropped[i].id);
		links__remove(xprobe->exits, dropped[i].id);
	}
	return 0;
}

uint64_t xprobe__begin_ns(const struct xprobe *xprobe)
{
	return xprobe->begin_ns;
}

uint64_t xprobe__end_ns(const struct xprobe *xprobe)
{
	return xprobe->end_ns;
}

void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost)
{
	xprobe->skel->bss->costs[class] = cost;
}

enum xp_entry_class xprobe__entry_class(const struct fn_function *function)
{
	return function->entry_cost == FN_INSN_EMULATED ? XP_ENTRY_EMULATED : XP_ENTRY_STEPPED;
}

enum xp_exit_class xprobe__site_class(const struct fn_site *site)
{
	return site->cost == FN_INSN_EMULATED ? XP_EXIT_EMULATED : XP_EXIT_STEPPED;
}

enum xp_exit_class xprobe__exit_class(const struct fn_function *function)
{
	size_t i;

	if (function->exit_kind == FN_EXIT_URETPROBE)
		return XP_EXIT_URETPROBE;
	for (i = 0; i < function->nr_sites; i++)
		if (xprobe__site_class(&function->sites[i]) == XP_EXIT_STEPPED)
			return XP_EXIT_STEPPED;
	return XP_EXIT_EMULATED;
}

struct xprobe_counts xprobe__counts(const struct xprobe *xprobe)
{
	return xprobe->counts;
}

size_t xprobe_counts__index(const struct xprobe_counts *counts, uint32_t slot, size_t function)
{
	return (size_t)slot * counts->functions + function;
}

struct xp_calls xprobe_counts__calls(const struct xprobe_counts *counts, size_t function)
{
	const size_t numbers = sizeof(struct xp_calls) / sizeof(uint64_t);
	struct xp_calls sum = { 0 };
	uint64_t *sums = (uint64_t *)&sum;
	uint32_t slot;
	size_t i;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls =
			&counts->calls[xprobe_counts__index(counts, slot, function)];

		/* calls is the first one: no call is counted twice and not once. */
		for (i = numbers; i--; )
			sums[i] += ((const volatile uint64_t *)calls)[i];
	}
	return sum;
}

uint64_t xprobe_counts__timed(const struct xprobe_counts *counts, size_t function)
{
	uint64_t timed = 0;
	uint32_t slot;

	for (slot = 0; slot < counts->slots; slot++) {
		size_t index = xprobe_counts__index(counts, slot, function) * XP_METRICS + XP_WALL;

		timed += ((const volatile struct xp_total *)counts->totals)[index].count;
	}
	return timed;
}

struct xp_counters xprobe__counters(const struct xprobe *xprobe)
{
	return xprobe->skel->bss->counters;
}

uint64_t xprobe__missed_runs(const struct xprobe *xprobe)
{
	struct bpf_program *program;
	uint64_t missed = 0;

	bpf_object__for_each_program(program, xprobe->skel->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t length = sizeof(info);

		if (bpf_program__fd(program) >= 0 &&
		    !bpf_prog_get_info_by_fd(bpf_program__fd(program), &info, &length))
			missed += info.recursion_misses;
	}
	return missed;
}

int xprobe__ring_fd(const struct xprobe *xprobe)
{
	return bpf_map__fd(xprobe->skel->maps.ring);
}

const uint64_t *xprobe__events_dropped(const struct xprobe *xprobe)
{
	return (const uint64_t *)xprobe->skel->bss->events_dropped;
}

int xprobe__leader_exit_code(const struct xprobe *xprobe)
{
	return *(volatile int *)&xprobe->skel->data->leader_exit_code;
}

void xprobe__reset_counters(struct xprobe *xprobe)
{
	memset(&xprobe->skel->bss->counters, 0, sizeof(xprobe->skel->bss->counters));
	memset(xprobe->skel->bss->events_dropped, 0, sizeof(xprobe->skel->bss->events_dropped));
}
