// SPDX-License-Identifier: GPL-2.0
/*
 * eBPF programs at tracepoints.  A raw tracepoint costs all who come by less than perf's event of it, which makes a record
 * first, and loses no hit in an interrupt that comes while another program runs.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <libkview.h>

#include "mechanism/tracepoint/state.h"
#include "mechanism/tracepoint/tracefs.h"

uint32_t tracepoint__mark(const struct tracepoints *t, size_t point)
{
	return point | (t->points[point].is_of_system_calls ? TP_SYSTEM_CALL : 0);
}

/* The program once more, with a point's mark in it.  Returns its descriptor, or -1 with errno. */
static int program__copy(const struct tracepoints *t, uint32_t mark)
{
	struct bpf_program *program = t->skel->progs.tracepoint_hit;
	size_t nr = bpf_program__insn_cnt(program), marks = 0, i;
	struct bpf_insn *code = malloc(nr * sizeof(*code));
	int fd = -1;

	if (!code)
		return -1;
	memcpy(code, bpf_program__insns(program), nr * sizeof(*code));
	for (i = 0; i < nr; i++)
		if (BPF_OP(code[i].code) == BPF_MOV && BPF_SRC(code[i].code) == BPF_K &&
		    (BPF_CLASS(code[i].code) == BPF_ALU64 || BPF_CLASS(code[i].code) == BPF_ALU) && code[i].imm == TP_POINT) {
			code[i].imm = mark;
			marks++;
		}
	errno = EINVAL;
	if (marks == 1)
		fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "tracepoint_hit", "GPL", code, nr, NULL);
	free(code);
	return fd;
}

uint64_t hit_set__missed(struct kview_set *set)
{
	struct kview_set_stat stat;

	return set && !kview_set__stat(set, &stat) ? stat.lost_nested + stat.lost_records : 0;
}

uint64_t hit_set__in_interrupts(struct kview_set *set)
{
	struct kview_set_stat stat;

	return set && !kview_set__stat(set, &stat) ? stat.lost_irq : 0;
}

void hit_set__close(struct kview_set **set, struct tracepoints *t)
{
	t->missed += hit_set__missed(*set);
	t->in_interrupts += hit_set__in_interrupts(*set);
	kview_set__free(*set);
	*set = NULL;
}

int hit_link__program(struct hit_link *link, const struct tracepoints *t, uint32_t mark)
{
	link->program = program__copy(t, mark);
	return link->program < 0 ? -1 : 0;
}

int hit_link__raw(struct hit_link *link, const struct tracepoints *t, const char *name, uint32_t mark)
{
	int failed;

	*link = NO_LINK;
	link->program = program__copy(t, mark);
	if (link->program < 0)
		return -1;
	link->link = bpf_raw_tracepoint_open(name, link->program);
	if (link->link >= 0)
		return 0;
	failed = errno;
	close(link->program);
	*link = NO_LINK;
	errno = failed;
	return -1;
}

static int event__open(int tracefs, const char *category, const char *name)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	unsigned long long id;
	char path[512];
	FILE *file;
	int got;

	snprintf(path, sizeof(path), "events/%s/%s/id", category, name);
	file = tracefs__file(tracefs, path);
	if (!file)
		return -1;
	got = fscanf(file, "%llu", &id);
	fclose(file);
	errno = EINVAL;
	if (got != 1)
		return -1;
	attr.config = id;
	/* The program runs on all CPUs, whichever this one is: it has to be online. */
	return syscall(SYS_perf_event_open, &attr, -1, sched_getcpu(), -1, PERF_FLAG_FD_CLOEXEC);
}

int hit_link__event(struct hit_link *link, const struct tracepoints *t, const char *category, const char *name, uint32_t mark)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = mark);
	int failed;

	*link = NO_LINK;
	link->event = event__open(t->tracefs, category, name);
	if (link->event < 0)
		return -1;
	link->link = bpf_link_create(bpf_program__fd(t->skel->progs.event_hit), link->event, BPF_PERF_EVENT, &opts);
	if (link->link >= 0)
		return 0;
	failed = errno;
	close(link->event);
	*link = NO_LINK;
	errno = failed;
	return -1;
}

uint64_t hit_link__missed(const struct hit_link *link)
{
	struct bpf_prog_info info = { 0 };
	uint32_t length = sizeof(info);

	return link->program >= 0 && !bpf_prog_get_info_by_fd(link->program, &info, &length) ? info.recursion_misses : 0;
}

void hit_link__close(struct hit_link *link, uint64_t *missed)
{
	if (link->link >= 0)
		close(link->link);
	*missed += hit_link__missed(link);
	if (link->program >= 0)
		close(link->program);
	if (link->event >= 0)
		close(link->event);
	*link = NO_LINK;
}
