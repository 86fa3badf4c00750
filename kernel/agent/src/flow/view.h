/* SPDX-License-Identifier: GPL-2.0 */
/* The view in which a process runs while its calls are followed: all functions of the kernel are hooked in it. */
#ifndef KVIEW_FLOW_VIEW_H
#define KVIEW_FLOW_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "flow/functions.h"
#include "mechanism/process_view.h"

struct flow_bpf;
struct kview;
struct kview_set;

enum { FLOW_RETURNS, FLOW_ENTRIES, FLOW_OUT, FLOW_IN, FLOW_EXIT, FLOW_SETS };

struct flow_view {
	struct process_view base;
	struct kview_set *sets[FLOW_SETS];
	uint64_t *cookies[FLOW_OUT];	/* by place in the set, the function's number */
	size_t hooked;			/* functions at both ends */
	uint32_t returns;		/* so many calls are watched at a time */
};

/*
 * With places for all these functions that can have them; threads: that the process has.  Returns 0, or -1 with error
 * filled: NOT_PROBEABLE where the root is not among them.  To be closed in any case.
 */
int flow_view__make(struct flow_view *v, struct kview *module, const struct flow_functions *functions, size_t root,
		    size_t threads, struct error *error);
/* The eBPF programs at these places.  Returns 0, or -1 with error filled. */
int flow_view__run(struct flow_view *v, const struct flow_bpf *skel, struct error *error);
/* The process leaves it, and it is gone.  One of zeros is allowed. */
void flow_view__close(struct flow_view *v);

struct flow_view_losses {
	uint64_t nested_functions, missed_returns, interrupt_functions;
};
/* As long as it is there. */
void flow_view__losses(const struct flow_view *v, struct flow_view_losses *losses);
uint64_t flow_view__memory(const struct flow_view *v);

#endif
