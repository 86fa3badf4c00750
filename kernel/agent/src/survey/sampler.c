// SPDX-License-Identifier: GPL-2.0
#include "survey/sampler.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cutoff.h"
#include "base/loop.h"
#include "base/usage.h"
#include "bpf/causes.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "permission/permission.h"
#include "survey.skel.h"

#define MAX_THREADS	8192
#define MAX_SLOTS	2048
#define RING_BYTES	(8U << 20)
#define MIN_RING_BYTES	(1U << 20)
/* What all maps may take of the kernel's memory, and of the host's, as a part. */
#define MAX_BYTES	(96ULL << 20)
#define HOST_SHARE	64
/* Stacks of waits, of all threads together, for each sample of a CPU. */
#define WAITS_PER_SAMPLE	4
#define MIN_WAIT_NS	1000000ULL
#define MAX_WAIT_NS	1000000000ULL
#define MAX_CPUS	4096
/*
 * CPU time for the stacks of one drain, so that whoever waits for the agent does not wait long; and for those that
 * are left at the end.  Unwinding can take long where files are hostile.  Further stacks are lost then.
 */
#define DRAIN_NS	10000000ULL
#define LAST_DRAIN_NS	1000000000ULL
#define TRACEPOINTS	3

struct sampler {
	struct sampler_opts opts;
	struct survey_bpf *skel;
	struct ring_buffer *ring;
	struct bpf_link *links[TRACEPOINTS];
	struct bpf_link **samples;	/* by CPU; NULL: it is not online */
	int nr_cpus;
	uint64_t last_until_ns;		/* CPU time of the agent; 0: it is not the end */
};

static unsigned int count_threads(pid_t pid)
{
	unsigned int nr = 0;
	char path[32];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	while (folder && readdir(folder))
		nr++;
	if (folder)
		closedir(folder);
	return nr;
}

static uint64_t most_bytes(void)
{
	uint64_t allowed = permission__memory(), share;

	share = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / HOST_SHARE;
	if (!allowed || allowed > MAX_BYTES)
		allowed = MAX_BYTES;
	return share < allowed ? share : allowed;
}

static int sampler__size(struct sampler *s, struct error *error)
{
	uint64_t allowed = most_bytes(), fixed, slots;
	unsigned int threads = count_threads(s->opts.pid), nr_threads = MAX_THREADS;
	uint32_t ring = RING_BYTES;
	uint64_t period = threads * s->opts.cpu_period_ns / WAITS_PER_SAMPLE;

	while (ring > MIN_RING_BYTES && ring > allowed / 4)
		ring /= 2;
	while (nr_threads > 256 && nr_threads * (uint64_t)sizeof(struct survey_thread) > allowed / 8)
		nr_threads /= 2;
	fixed = ring + (uint64_t)s->nr_cpus * sizeof(struct survey_stack) +
		nr_threads * (uint64_t)sizeof(struct survey_thread);
	/* Threads that come later need stacks as well. */
	slots = 2 * threads + 64 < MAX_SLOTS ? 2 * threads + 64 : MAX_SLOTS;
	if (allowed < fixed + sizeof(struct survey_stack))
		return error__set(error, ERR_TOO_MANY,
				  "A survey takes %.1f MiB of the kernel's memory, and you may have %.1f MiB: let root make it.",
				  (fixed + sizeof(struct survey_stack)) / 1048576.0, allowed / 1048576.0);
	if (slots * sizeof(struct survey_stack) > allowed - fixed)
		slots = (allowed - fixed) / sizeof(struct survey_stack);
	s->skel->rodata->nr_slots = slots;
	s->skel->rodata->wait_period_ns = period < MIN_WAIT_NS ? MIN_WAIT_NS :
					  period > MAX_WAIT_NS ? MAX_WAIT_NS : period;
	bpf_map__set_max_entries(s->skel->maps.threads, nr_threads);
	bpf_map__set_max_entries(s->skel->maps.slots, slots);
	bpf_map__set_max_entries(s->skel->maps.running, s->nr_cpus);
	bpf_map__set_max_entries(s->skel->maps.ring, ring);
	return 0;
}

static int take_record(void *context, void *data, size_t size)
{
	struct sampler *s = context;
	const struct survey_stack *stack = data;

	if (s->last_until_ns && usage__cpu_ns() >= s->last_until_ns) {
		s->skel->bss->losses.stacks++;
		s->skel->bss->losses.stacks_ns += stack->cause_ns + stack->queue_ns;
		return 0;
	}
	s->opts.stack(s->opts.context, data);
	return 0;
}

static int sampler__load(struct sampler *s, struct error *error)
{
	int failed;

	if (bpf_access__prepare(error))
		return -1;
again:
	s->skel = survey_bpf__open_opts(kernel_types__opts());
	if (!s->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	if (sampler__size(s, error))
		return -1;
	s->skel->rodata->target_tgid = s->opts.pid;
	s->skel->rodata->cpu_period_ns = s->opts.cpu_period_ns;
	s->skel->rodata->stops_at_raise = permission__ends_at_raise();
	causes__fill(s->skel->rodata->cause_of_syscall);
	failed = survey_bpf__load(s->skel);
	if (failed && kernel_types__join()) {
		survey_bpf__destroy(s->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs of the survey: %s.", strerror(-failed));
	s->ring = ring_buffer__new(bpf_map__fd(s->skel->maps.ring), take_record, s, NULL);
	return s->ring ? 0 : error__set(error, ERR_FAILED, "The survey's buffer could not be mapped: %s.",
					strerror(errno));
}

/* By the kernel's own iterator; false: it can't. */
static bool look_at_threads(const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	char byte;
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;

	while (fd >= 0 && read(fd, &byte, 1) > 0)
		;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return fd >= 0;
}

static int attach_tracepoints(struct sampler *s, struct error *error)
{
	const struct bpf_program *programs[TRACEPOINTS] = {
		s->skel->progs.survey_exec, s->skel->progs.survey_wakeup, s->skel->progs.survey_switch,
	};
	int i;

	for (i = 0; i < TRACEPOINTS; i++) {
		s->links[i] = bpf_program__attach(programs[i]);
		if (!s->links[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused an eBPF program on the scheduler's tracepoint %s: %s.",
					  bpf_program__name(programs[i]), strerror(errno));
		cutoff__add(bpf_link__fd(s->links[i]));
	}
	return 0;
}

/*
 * A timer on each CPU, and not one for each thread: new threads are seen from their beginning, and no
 * thread pays for starting and stopping its own at each context switch.
 */
static int attach_samples(struct sampler *s, struct error *error)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = s->opts.cpu_period_ns, .exclude_idle = 1,
	};
	int cpu, fd, attached = 0;

	for (cpu = 0; cpu < s->nr_cpus; cpu++) {
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && (errno == ENODEV || errno == ENXIO))
			continue;
		s->samples[cpu] = fd < 0 ? NULL : bpf_program__attach_perf_event(s->skel->progs.survey_sample, fd);
		if (!s->samples[cpu]) {
			error__set(error, ERR_UNSUPPORTED, "The kernel refused to sample CPU %d: %s.", cpu,
				   strerror(errno));
			if (fd >= 0)
				close(fd);
			return -1;
		}
		cutoff__add(bpf_link__fd(s->samples[cpu]));
		attached++;
	}
	return attached ? 0 : error__set(error, ERR_UNSUPPORTED, "No CPU of this host can be sampled.");
}

struct sampler *sampler__new(const struct sampler_opts *opts, struct error *error)
{
	struct sampler *s = calloc(1, sizeof(*s));
	uint64_t now;

	if (!s) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	s->opts = *opts;
	s->nr_cpus = libbpf_num_possible_cpus();
	if (s->nr_cpus < 1 || s->nr_cpus > MAX_CPUS)
		s->nr_cpus = s->nr_cpus < 1 ? 1 : MAX_CPUS;
	s->samples = calloc(s->nr_cpus, sizeof(*s->samples));
	if (!s->samples) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto failed;
	}
	if (sampler__load(s, error))
		goto failed;
	/* These do nothing before it begins, which is right after the look at what waits already. */
	if (attach_tracepoints(s, error) || attach_samples(s, error))
		goto failed;
	if (!look_at_threads(s->skel->progs.survey_first)) {
		error__set(error, ERR_UNSUPPORTED, "The kernel does not show eBPF programs its threads: %s.",
			   strerror(errno));
		goto failed;
	}
	now = clock__now_ns();
	__atomic_store_n(&s->skel->bss->until_ns, now + opts->duration_ns + SAMPLER_MARGIN_NS, __ATOMIC_SEQ_CST);
	__atomic_store_n(&s->skel->bss->begin_ns, now, __ATOMIC_SEQ_CST);
	return s;
failed:
	sampler__free(s);
	return NULL;
}

static void unlink_one(struct bpf_link **link)
{
	if (*link)
		cutoff__remove(bpf_link__fd(*link));
	bpf_link__destroy(*link);
	*link = NULL;
}

static void sampler__detach(struct sampler *s)
{
	int i;

	for (i = 0; i < s->nr_cpus && s->samples; i++)
		unlink_one(&s->samples[i]);
	for (i = 0; i < TRACEPOINTS; i++)
		unlink_one(&s->links[i]);
}

void sampler__free(struct sampler *s)
{
	if (!s)
		return;
	sampler__detach(s);
	ring_buffer__free(s->ring);
	survey_bpf__destroy(s->skel);
	free(s->samples);
	free(s);
}

void sampler__drain(struct sampler *s)
{
	uint64_t until = usage__cpu_ns() + DRAIN_NS;

	while (ring_buffer__consume_n(s->ring, 1) > 0 && usage__cpu_ns() < until)
		;
}

bool sampler__is_over(const struct sampler *s)
{
	return __atomic_load_n(&s->skel->bss->executed, __ATOMIC_ACQUIRE);
}

/* What ended in them is not in the ring: they wait on. */
static void take_waiting(struct sampler *s)
{
	int slots = bpf_map__fd(s->skel->maps.slots);
	struct survey_stack *stack = malloc(sizeof(*stack));
	struct survey_thread thread;
	uint32_t tid = 0;

	while (stack && sampler__next_thread(s, &tid, &thread))
		if (thread.waits_on && !bpf_map_lookup_elem(slots, &thread.slot, stack))
			take_record(s, stack, sizeof(*stack));
	free(stack);
}

void sampler__end(struct sampler *s)
{
	uint64_t not_yet = 0, now = clock__now_ns(), until = s->skel->bss->until_ns;

	/* It may have ended by itself. */
	__atomic_compare_exchange_n(&s->skel->bss->end_ns, &not_yet, now < until ? now : until, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	look_at_threads(s->skel->progs.survey_last);
	sampler__detach(s);
	s->last_until_ns = usage__cpu_ns() + LAST_DRAIN_NS;
	ring_buffer__consume(s->ring);
	take_waiting(s);
}

uint64_t sampler__begin_ns(const struct sampler *s)
{
	return s->skel->bss->begin_ns;
}

uint64_t sampler__end_ns(const struct sampler *s)
{
	return s->skel->bss->end_ns;
}

uint64_t sampler__wait_period_ns(const struct sampler *s)
{
	return s->skel->rodata->wait_period_ns;
}

const struct survey_losses *sampler__losses(const struct sampler *s)
{
	return &s->skel->bss->losses;
}

bool sampler__next_thread(const struct sampler *s, uint32_t *tid, struct survey_thread *thread)
{
	int threads = bpf_map__fd(s->skel->maps.threads);

	while (!bpf_map_get_next_key(threads, *tid ? tid : NULL, tid))
		if (!bpf_map_lookup_elem(threads, tid, thread))
			return true;
	return false;
}
