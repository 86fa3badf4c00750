// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/cutoff.h"
#include "base/error.h"
#include "mechanism/bpf_access.h"
#include "mechanism/syscall/names.h"
#include "mechanism/syscall/state.h"
#include "mechanism/syscall/syscall.h"
#include "permission/permission.h"

#define MAX_SLOTS	4	/* a power of two; CPUs share them */
/* What the kernel takes for a thread that is in a call, and no more than that. */
#define THREAD_BYTES	128

/* As many as there is memory for, if the caller may not have as much as it needs. */
static uint32_t slots_for(uint32_t functions, uint64_t max_bytes)
{
	uint32_t slots = MAX_SLOTS;

	while (max_bytes && slots > 1 && slots * figures__slot_bytes(functions) > max_bytes)
		slots /= 2;
	return slots;
}

void syscalls__unlink(struct syscalls *s)
{
	int i;

	for (i = 0; i < SC_PROGRAMS; i++) {
		if (s->links[i])
			cutoff__remove(bpf_link__fd(s->links[i]));
		bpf_link__destroy(s->links[i]);
		s->links[i] = NULL;
	}
}

static void syscalls__free(struct mechanism *mechanism)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	syscalls__unlink(s);
	map_view__close(&s->calls);
	map_view__close(&s->totals);
	map_view__close(&s->buckets);
	syscall_bpf__destroy(s->skel);
	for (i = 0; s->names && i < mechanism->nr; i++)
		free((char *)s->names[i]);
	free(s->names);
	free(s->numbers);
	free(s);
}

static int syscalls__load(struct mechanism *mechanism, const struct mechanism_load *load,
			  struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	uint64_t max_bytes = load->max_bytes;
	uint32_t functions = mechanism->nr + 1;		/* one for the cost */
	uint32_t slots = slots_for(functions, max_bytes), entries = slots * functions;
	const int protection = PROT_READ | PROT_WRITE;	/* detach counts, too */
	int failed;

	if (bpf_access__prepare(error))
		return -1;
	if (max_bytes && slots * figures__slot_bytes(functions) > max_bytes)
		return error__set(error, ERR_TOO_MANY,
				  "A recording of %zu system calls takes %.1f MiB of the kernel's memory, and you may have %.1f MiB: choose fewer.",
				  mechanism->nr, slots * figures__slot_bytes(functions) / 1048576.0,
				  max_bytes / 1048576.0);
	s->skel = syscall_bpf__open();
	if (!s->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	s->skel->rodata->nr_functions = functions;
	s->skel->rodata->slot_mask = slots - 1;
	s->skel->rodata->stops_at_raise = permission__ends_at_raise();
	if (max_bytes && max_bytes / THREAD_BYTES < SC_MAX_THREADS)
		bpf_map__set_max_entries(s->skel->maps.open_calls, max_bytes / THREAD_BYTES);
	s->skel->rodata->is_within_others = load->threads_fd >= 0;
	if (load->threads_fd < 0)
		bpf_map__set_autocreate(s->skel->maps.threads, false);
	else if (bpf_map__reuse_fd(s->skel->maps.threads, load->threads_fd))
		return error__set(error, ERR_FAILED, "The states of threads could not be shared: %s.",
				  strerror(errno));
	bpf_map__set_max_entries(s->skel->maps.calls, entries);
	bpf_map__set_max_entries(s->skel->maps.totals, entries * XP_SETS);
	bpf_map__set_max_entries(s->skel->maps.buckets, entries * XP_SETS);
	failed = syscall_bpf__load(s->skel);
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for system calls: %s.",
				  strerror(-failed));
	if (map_view__open(&s->calls, s->skel->maps.calls, protection) ||
	    map_view__open(&s->totals, s->skel->maps.totals, protection) ||
	    map_view__open(&s->buckets, s->skel->maps.buckets, protection))
		return error__set(error, ERR_FAILED, "The counters could not be mapped: %s.",
				  strerror(errno));
	mechanism->figures = (struct figures){
		.calls = s->calls.at, .totals = s->totals.at, .buckets = s->buckets.at,
		.costs = s->costs, .slots = slots, .functions = functions,
		.metrics = 1U << XP_WALL,
	};
	return 0;
}

int syscalls__link(struct syscalls *s)
{
	struct bpf_program *programs[SC_PROGRAMS] = {
		s->skel->progs.sched_process_exit, s->skel->progs.sched_process_exec,
		s->skel->progs.system_call_exit, s->skel->progs.system_call_enter,
	};
	int i;

	for (i = 0; i < SC_PROGRAMS; i++) {
		s->links[i] = bpf_program__attach(programs[i]);
		if (!s->links[i]) {
			syscalls__unlink(s);
			return -1;
		}
		cutoff__add(bpf_link__fd(s->links[i]));
	}
	return 0;
}

void syscalls__set_active(struct syscalls *s, bool active)
{
	__atomic_store_n(&s->skel->bss->active, active, __ATOMIC_SEQ_CST);
}

static int syscalls__attach(struct mechanism *mechanism, struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	for (i = 0; i < mechanism->nr; i++)
		s->skel->bss->points[s->numbers[i]] = SC_POINT(i) |
			(syscall__creates(s->numbers[i]) ? SC_CREATES : 0);
	memset(s->skel->bss->others, 0, sizeof(s->skel->bss->others));
	s->skel->bss->target_tgid = mechanism->pid;
	s->skel->bss->ended = false;
	s->skel->data->leader_exit_code = -1;
	if (syscalls__link(s))
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel refused an eBPF program on a tracepoint of system calls: %s.",
				  strerror(errno));
	return 0;
}

static int syscalls__begin(struct mechanism *mechanism, struct error *error)
{
	syscalls__set_active(syscalls__of(mechanism), true);
	return 0;
}

static void syscalls__end(struct mechanism *mechanism)
{
	syscalls__set_active(syscalls__of(mechanism), false);
}

/* off: calls under way are lost, as the recording goes on without them. */
static void syscalls__stop(struct syscalls *s, bool off)
{
	int map = bpf_map__fd(s->skel->maps.open_calls);
	struct xp_calls *calls = s->calls.at;
	struct sc_call call;
	uint32_t thread;

	syscalls__set_active(s, false);
	syscalls__unlink(s);
	/* Waits for an RCU grace period: eBPF programs that run have ended. */
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	while (!bpf_map_get_next_key(map, NULL, &thread) && !bpf_map_lookup_elem(map, &thread, &call) &&
	       !bpf_map_delete_elem(map, &thread)) {
		if (off)
			calls[call.point].lost[XP_LOST_PROBES_OFF]++;
		else
			calls[call.point].unfinished++;
	}
}

static void syscalls__detach(struct mechanism *mechanism)
{
	syscalls__stop(syscalls__of(mechanism), false);
}

/* Those that are under way are still timed, until settle if none is left. */
static int syscalls__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
			  const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	for (i = 0; i < nr_dropped; i++)
		s->skel->bss->points[s->numbers[dropped[i]]] = 0;
	s->is_off = !nr_kept;
	return 0;
}

/* Without points, neither the process nor others need pay at their system calls any more. */
static void syscalls__settle(struct mechanism *mechanism)
{
	struct syscalls *s = syscalls__of(mechanism);

	if (s->is_off && s->links[0])
		syscalls__stop(s, true);
}

static int syscalls__exit_code(const struct mechanism *mechanism)
{
	return *(volatile int *)&syscalls__of(mechanism)->skel->data->leader_exit_code;
}

static void syscalls__describe(const struct mechanism *mechanism, size_t point,
			       Kview__Wire__AttachedProbe *message)
{
	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_TRACEPOINT;
	message->call_cost_ns = syscalls__of(mechanism)->costs[0].call_ns;
}

static const struct mechanism_ops syscalls_ops = {
	.free = syscalls__free, .load = syscalls__load, .calibrate = syscalls__calibrate,
	.attach = syscalls__attach, .begin = syscalls__begin, .end = syscalls__end,
	.detach = syscalls__detach, .describe = syscalls__describe, .drop = syscalls__drop,
	.beside_ns = syscalls__beside_ns, .settle = syscalls__settle, .exit_code = syscalls__exit_code,
};

/* Others have numbers of their own, which the tracepoints do not tell apart. */
static int check_bits(pid_t pid, struct error *error)
{
	unsigned char ident[EI_NIDENT];
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, ident, sizeof(ident));
	if (fd >= 0)
		close(fd);
	if (got != sizeof(ident))
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "The program of process %d could not be read.", pid);
	if (ident[EI_CLASS] != ELFCLASS64)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "Process %d runs a 32-bit program, whose system calls can't be measured.",
				  pid);
	return 0;
}

static bool syscalls__serve(const Kview__Wire__StartRecordingRequest *request,
			    const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
}

static int syscalls__add(struct syscalls *s, const char *name, struct error *error)
{
	int number = syscall__number(name);
	size_t i, at = s->base.nr;

	if (number < 0 || number >= SC_NUMBERS)
		return error__set(error, ERR_NO_SUCH_FUNCTION,
				  "There is no system call %.100s on this host: give its name as in its manual page's section 2.",
				  name);
	for (i = 0; i < at; i++)
		if (s->numbers[i] == number)
			return error__set(error, ERR_BAD_REQUEST, "The system call %.100s was chosen twice.",
					  name);
	s->numbers[at] = number;
	s->names[at] = strdup(name);
	if (!s->names[at])
		return error__set(error, ERR_FAILED, "Out of memory.");
	s->base.nr++;
	return 0;
}

static struct mechanism *syscalls__find(const Kview__Wire__StartRecordingRequest *request,
					struct error *error)
{
	struct syscalls *s;
	size_t i;

	if (permission__system_calls(error) || check_bits(request->pid, error))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		goto no_memory;
	s->base.ops = &syscalls_ops;
	s->base.pid = request->pid;
	s->base.note = s->note;
	s->base.filter_note = s->filter_note;
	s->base.beside = "system calls that are not measured";
	s->base.changes_fd = s->base.threads_fd = s->base.ring.fd = -1;
	s->numbers = calloc(request->n_probes, sizeof(*s->numbers));
	s->names = calloc(request->n_probes, sizeof(*s->names));
	if (!s->numbers || !s->names)
		goto no_memory;
	s->base.names = s->names;
	for (i = 0; i < request->n_probes; i++)
		if (syscalls__add(s, request->probes[i]->system_call->name, error))
			goto fail;
	return &s->base;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	if (s)
		syscalls__free(&s->base);
	return NULL;
}

const struct mechanism_kind syscall_kind = { .serves = syscalls__serve, .find = syscalls__find };
