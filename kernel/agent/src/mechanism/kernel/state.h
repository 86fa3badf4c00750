/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording of kernel functions consists of; for this folder alone. */
#ifndef KVIEW_KERNEL_STATE_H
#define KVIEW_KERNEL_STATE_H

#include <bpf/libbpf.h>

#include "mechanism/kernel/bpf/kernel.h"
#include "mechanism/kernel_way.h"
#include "mechanism/mechanism.h"
#include "mechanism/tracer.h"

/* Behind the layouts that it is made of. */
#include "kernel.skel.h"

struct kernel_functions {
	struct mechanism base;
	struct tracer tracer;
	struct kernel_bpf *skel;
	const char **names;		/* by point, with the prefix; base.names */
	const char **symbols;		/* the same without it, and one for the costs */
	__u64 *cookies;
	/* In a view, where it was asked for: by point, the module's errno, until that has been told; and those that are hooked. */
	int *refused;
	const char **hooked;
	__u64 *hooked_cookies;
	bool is_view_wanted;		/* what no view has a place for is left out, and not measured elsewhere */
	enum kernel_way way;
	struct priced_view priced;	/* the agent's, while costs are measured */
	double passed_ns;		/* what a call costs that is not measured */
	char note[512], filter_note[1024];
};

static inline struct kernel_functions *functions__of(const struct mechanism *mechanism)
{
	return (struct kernel_functions *)mechanism;
}

/* Chooses the way, and makes the hooks if it is the view, which may be NULL.  Returns 0, or -1 with error filled. */
int functions__choose_way(struct kernel_functions *k, struct shared_view *view, struct error *error);
/* Hooks in a view at the function that costs are measured with; context: a struct kernel_functions. */
int functions__hook_priced(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error);
/* Before the skeleton is loaded: the programs that the way takes. */
void functions__choose_programs(struct kernel_functions *k);
/* Probes on some of them, and the programs that follow threads; nothing is measured yet.  Returns 0, or -1 with errno. */
int functions__link(struct kernel_functions *k, size_t first, size_t nr);

/* Operations of the mechanism. */
const char *functions__follow(struct mechanism *mechanism, struct mechanism_off *off);
void functions__calibrate(struct mechanism *mechanism, struct calibration *latest);
uint64_t functions__beside_ns(const struct mechanism *mechanism);

#endif
