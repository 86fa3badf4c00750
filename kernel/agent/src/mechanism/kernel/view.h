/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the kernel in a process's own view of it: the eBPF programs run in a text that other processes don't
 * run, but for a child by vfork or posix_spawn until its execve.  All of it goes with its file descriptors, also when
 * the agent is killed.
 */
#ifndef KVIEW_KERNEL_VIEW_H
#define KVIEW_KERNEL_VIEW_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "mechanism/process_view.h"

struct kernel_bpf;
struct kview;
struct kview_set;

/* Of the functions, and what there is in place of the scheduler's tracepoints. */
enum { VIEW_RETURNS, VIEW_ENTRIES, VIEW_FUNCTIONS, VIEW_SWITCH_OUT = VIEW_FUNCTIONS, VIEW_SWITCH_IN, VIEW_BEGIN, VIEW_END, VIEW_SETS };

struct function_view {
	struct process_view base;
	struct kview_set *sets[VIEW_SETS];
};

/*
 * A view with places for these functions, that nobody is in so far.  nr may be 0.  Returns 0, or -1 with error filled
 * and nothing made.
 */
int function_view__make(struct function_view *v, struct kview *module, const char *const *symbols, size_t nr,
			struct error *error);
/* The eBPF programs at these places; cookies: for each function.  Returns 0, or -1 with error filled. */
int function_view__run(struct function_view *v, const struct kernel_bpf *skel, const __u64 *cookies,
		       struct error *error);
/* They leave it, and it is gone.  A view of zeros is allowed. */
void function_view__close(struct function_view *v);
/*
 * Calls of the functions that were not counted, as an eBPF program was running on that CPU: its own calls, those by
 * the agent's programs among them.
 */
uint64_t function_view__missed(const struct function_view *v);

#endif
