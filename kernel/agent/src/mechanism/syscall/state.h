/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording of system calls consists of; for this folder alone. */
#ifndef KVIEW_SYSCALL_STATE_H
#define KVIEW_SYSCALL_STATE_H

#include <bpf/libbpf.h>

#include "mechanism/mechanism.h"
#include "mechanism/split.h"
#include "mechanism/syscall/bpf/syscall.h"
#include "mechanism/tracer.h"
#include "syscall.skel.h"

struct syscalls {
	struct mechanism base;
	struct tracer tracer;
	struct syscall_bpf *skel;
	struct map_view failed;
	int *numbers;			/* by point */
	const char **names;		/* by point, with the prefix; base.names */
	struct xp_condition *conditions;	/* by point; NULL: none has any */
	struct splits splits;
	struct map_view tables;		/* of these */
	struct priced_view priced;	/* the agent's, while costs are measured */
	bool watches_cuts;		/* in a view, see bpf/calls-cut.bpf.h */
	size_t note_bytes;		/* of the note before them */
	double other_ns;		/* what a call of the process costs that is not measured */
	char note[1024], filter_note[1024];
};

static inline struct syscalls *syscalls__of(const struct mechanism *mechanism)
{
	return (struct syscalls *)mechanism;
}

/* 0, or -1 with errno and nothing attached. */
int syscalls__link(struct syscalls *s);
/* The hooks in a view in place of links; context is of no use. */
int syscalls__hook(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error);

/* Operations of the mechanism. */
void syscalls__calibrate(struct mechanism *mechanism, struct calibration *latest);
uint64_t syscalls__beside_ns(const struct mechanism *mechanism);

#endif
