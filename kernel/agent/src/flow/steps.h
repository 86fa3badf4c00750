/* SPDX-License-Identifier: GPL-2.0 */
/* From what the eBPF programs wrote down of a call to its steps: each function that was entered is left, innermost first. */
#ifndef KVIEW_FLOW_STEPS_H
#define KVIEW_FLOW_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flow/bpf/flow.h"

struct flow_step {
	enum flow_kind kind;		/* ENTER, LEAVE, GONE, OUT or IN */
	uint32_t function;		/* of ENTER, LEAVE and GONE */
	uint32_t cause;			/* of OUT: enum xp_metric */
	uint64_t after_ns;		/* since the step before; of the first, 0 */
	uint64_t queue_ns;		/* of IN */
};

struct flow_steps {
	struct flow_step *all;
	size_t nr;
	uint64_t missed_returns;	/* functions that were not seen to return */
};

/*
 * A function whose return was not seen is GONE as the next one begins that is called from where it was, or as its caller
 * is left.  is_cut: words are missing at the end; functions that are not left there may have gone on.
 * Returns 0, or -1: no memory.
 */
int flow_steps__read(struct flow_steps *steps, const __u64 *words, size_t nr, bool is_cut);
void flow_steps__free(struct flow_steps *steps);

#endif
