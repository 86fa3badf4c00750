/* SPDX-License-Identifier: GPL-2.0 */
/* The eBPF programs of a flow, and the calls that they kept. */
#ifndef KVIEW_FLOW_CALLS_H
#define KVIEW_FLOW_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "flow/bpf/flow.h"

struct flow_bpf;

struct flow_calls {
	struct flow_bpf *skel;
	struct flow_buffer *buffers;	/* as the programs see them */
	size_t nr_buffers;
};

/*
 * Loads the programs.  slowest: so many calls are kept; threads: that the process has; root: the number of the system
 * call's function.  Returns 0, or -1 with error filled.  To be freed in any case.
 */
int flow_calls__load(struct flow_calls *calls, pid_t pid, size_t slowest, size_t threads, size_t root,
		     struct error *error);
void flow_calls__free(struct flow_calls *calls);

/* From now on calls that begin are followed; afterwards those that end count as not ended. */
void flow_calls__switch(struct flow_calls *calls, bool on);
/* Whether this thread is in a call that is followed. */
bool flow_calls__follow(const struct flow_calls *calls, pid_t tid);
/* Once no program runs any more: what was counted, with those calls that have not ended. */
void flow_calls__count(const struct flow_calls *calls, struct flow_counts *counts);
/* Likewise: fills kept, which has room for FLOW_MOST_KEPT, the slowest first, and returns how many there are. */
size_t flow_calls__kept(const struct flow_calls *calls, const struct flow_buffer **kept);
/* When all of these had ended: end_ns, or later, as a call that ended just then may have taken its time after that. */
uint64_t flow_calls__end_ns(const struct flow_buffer *const *kept, size_t nr, uint64_t end_ns);
/* Of the kernel's memory. */
uint64_t flow_calls__memory(const struct flow_calls *calls);

#endif
