// SPDX-License-Identifier: GPL-2.0
#include "flow/calls.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/sort.h"
#include "bpf/causes.h"
#include "flow.skel.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"

/* Calls under way at a time: those of all threads, and of some that come later. */
#define LEAST_UNDER_WAY	32
#define MORE_THREADS	16
/* Of the host's memory, what the buffers take at most; they take 96 KiB each. */
#define MEMORY_SHARE	32

static size_t buffers__for(size_t slowest, size_t threads)
{
	size_t under_way = threads + MORE_THREADS < LEAST_UNDER_WAY ? LEAST_UNDER_WAY : threads + MORE_THREADS;
	size_t most = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / MEMORY_SHARE / sizeof(struct flow_buffer);

	if (most > FLOW_MOST_BUFFERS)
		most = FLOW_MOST_BUFFERS;
	if (slowest + under_way > most)
		under_way = most > slowest + LEAST_UNDER_WAY ? most - slowest : LEAST_UNDER_WAY;
	return slowest + under_way;
}

static void buffers__list(struct flow_bpf *skel, size_t nr)
{
	size_t i;

	skel->bss->first_free = 1;
	for (i = 0; i + 1 < nr; i++)
		skel->bss->next_free[i] = i + 2;
}

static int buffers__map(struct flow_calls *calls, struct error *error)
{
	void *at = mmap(NULL, calls->nr_buffers * sizeof(*calls->buffers), PROT_READ, MAP_SHARED,
			bpf_map__fd(calls->skel->maps.buffers), 0);

	if (at == MAP_FAILED)
		return error__set(error, ERR_FAILED, "The buffers of the calls could not be mapped: %s.", strerror(errno));
	calls->buffers = at;
	return 0;
}

int flow_calls__load(struct flow_calls *calls, pid_t pid, size_t slowest, size_t threads, size_t root,
		     struct error *error)
{
	int failed;

	*calls = (struct flow_calls){ .nr_buffers = buffers__for(slowest, threads) };
	if (bpf_access__prepare(error))
		return -1;
again:
	calls->skel = flow_bpf__open_opts(kernel_types__opts());
	if (!calls->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	bpf_map__set_max_entries(calls->skel->maps.buffers, calls->nr_buffers);
	calls->skel->rodata->root = root;
	calls->skel->rodata->target_tgid = pid;
	calls->skel->rodata->nr_kept = slowest;
	causes__fill(calls->skel->rodata->cause_of_syscall);
	buffers__list(calls->skel, calls->nr_buffers);
	failed = flow_bpf__load(calls->skel);
	if (failed && kernel_types__join()) {
		flow_bpf__destroy(calls->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs that follow calls: %s.", strerror(-failed));
	return buffers__map(calls, error);
}

void flow_calls__free(struct flow_calls *calls)
{
	if (calls->buffers)
		munmap(calls->buffers, calls->nr_buffers * sizeof(*calls->buffers));
	flow_bpf__destroy(calls->skel);
	*calls = (struct flow_calls){ 0 };
}

void flow_calls__switch(struct flow_calls *calls, bool on)
{
	__atomic_store_n(&calls->skel->bss->is_on, on, __ATOMIC_SEQ_CST);
}

bool flow_calls__follow(const struct flow_calls *calls, pid_t tid)
{
	size_t i;

	for (i = 0; i < FLOW_PLACES; i++)
		if (__atomic_load_n(&calls->skel->bss->tids[i], __ATOMIC_SEQ_CST) == (__u32)tid)
			return true;
	return false;
}

void flow_calls__count(const struct flow_calls *calls, struct flow_counts *counts)
{
	size_t i;

	*counts = calls->skel->bss->counts;
	for (i = 0; i < FLOW_PLACES; i++)
		counts->unended += calls->skel->bss->tids[i] != 0;
}

static int compare(const void *a, const void *b)
{
	const struct flow_buffer *x = *(const struct flow_buffer *const *)a, *y = *(const struct flow_buffer *const *)b;

	if (x->wall_ns != y->wall_ns)
		return x->wall_ns > y->wall_ns ? -1 : 1;
	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

size_t flow_calls__kept(const struct flow_calls *calls, const struct flow_buffer **kept)
{
	size_t nr = 0, i;

	for (i = 0; i < calls->skel->rodata->nr_kept; i++)
		if (calls->skel->bss->kept[i])
			kept[nr++] = &calls->buffers[(calls->skel->bss->kept[i] & ((1 << FLOW_BUFFER_BITS) - 1)) - 1];
	sort(kept, nr, sizeof(*kept), compare);
	return nr;
}

uint64_t flow_calls__end_ns(const struct flow_buffer *const *kept, size_t nr, uint64_t end_ns)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (kept[i]->begin_ns + kept[i]->wall_ns > end_ns)
			end_ns = kept[i]->begin_ns + kept[i]->wall_ns;
	return end_ns;
}

uint64_t flow_calls__memory(const struct flow_calls *calls)
{
	return calls->nr_buffers * sizeof(*calls->buffers) + sizeof(*calls->skel->bss) + sizeof(*calls->skel->rodata);
}
