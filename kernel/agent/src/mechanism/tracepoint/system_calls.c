// SPDX-License-Identifier: GPL-2.0
/*
 * Events of single system calls are no tracepoints of their own: the kernel makes them at the two that all pass.  There one
 * program finds the point by the call's number.  perf's own events would do, but each takes a tenth of a second to go.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <asm/unistd.h>

#include "mechanism/tracepoint/state.h"

#define ENTRY	"sys_enter_"
#define EXIT	"sys_exit_"

static const struct { const char *name; int number; } names[] = {
#include "syscall_names.h"
	/* Events have the names of the kernel's functions. */
#ifdef __NR_stat
	{ "newstat", __NR_stat }, { "newlstat", __NR_lstat },
#endif
	{ "newfstat", __NR_fstat }, { "newuname", __NR_uname }, { "sendfile64", __NR_sendfile }, { "umount", __NR_umount2 },
};

static int number__of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name) && names[i].number < TP_NUMBERS)
			return names[i].number;
	return -1;
}

bool system_call__of(struct tracepoint *point)
{
	point->number = -1;
	if (strcmp(point->category, "syscalls"))
		return false;
	if (!strncmp(point->name, ENTRY, strlen(ENTRY))) {
		point->side = TP_ENTRY;
		point->number = number__of(point->name + strlen(ENTRY));
	} else if (!strncmp(point->name, EXIT, strlen(EXIT))) {
		point->side = TP_EXIT;
		point->number = number__of(point->name + strlen(EXIT));
	}
	return point->number >= 0;
}

static bool side__is_used(const struct tracepoints *t, enum tp_side side)
{
	size_t i;

	for (i = 0; i < TP_NUMBERS; i++)
		if (t->skel->bss->system_calls[side][i])
			return true;
	return false;
}

static void side__close(struct tracepoints *t, enum tp_side side)
{
	bpf_link__destroy(t->calls_links[side]);
	t->calls_links[side] = NULL;
	hit_set__close(&t->calls_sets[side], t);
}

int system_calls__link(struct tracepoints *t)
{
	struct bpf_program *const programs[TP_SIDES] = { t->skel->progs.system_call_enter, t->skel->progs.system_call_exit };
	size_t i;
	int side;

	for (i = 0; i < t->base.nr; i++)
		if (t->points[i].number >= 0)
			t->skel->bss->system_calls[t->points[i].side][t->points[i].number] = tracepoint__mark(t, i) | TP_SET;
	for (side = 0; side < TP_SIDES && !t->view; side++) {
		if (!side__is_used(t, side))
			continue;
		t->calls_links[side] = bpf_program__attach(programs[side]);
		if (!t->calls_links[side])
			return -1;
	}
	return 0;
}

void system_calls__unlink(struct tracepoints *t)
{
	int side;

	for (side = 0; side < TP_SIDES; side++)
		side__close(t, side);
}

void system_calls__drop(struct tracepoints *t, size_t point)
{
	enum tp_side side = t->points[point].side;

	if (t->points[point].number < 0)
		return;
	t->skel->bss->system_calls[side][t->points[point].number] = 0;
	if (!side__is_used(t, side))
		side__close(t, side);
}
