/* SPDX-License-Identifier: GPL-2.0 */
/* Which instructions of a function may have set what a register holds: along its jumps, backwards. */
#ifndef KVIEW_FLOW_H
#define KVIEW_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_insn;

struct flow_edge {
	uint32_t to, from;	/* indexes of instructions */
};

struct flow {
	const struct code_insn *insns;
	size_t nr;
	uint16_t *written;	/* which registers each one writes, a bit each */
	struct flow_edge *edges;	/* direct jumps, ascending by to */
	size_t nr_edges;
	uint32_t *indirect;	/* jumps through registers and memory */
	size_t nr_indirect;
	uint8_t *visited;
	uint32_t *waiting;
	uint64_t effort;	/* instructions gone through, over all questions */
	struct flow_slot {
		uint8_t base;	/* the register that it is addressed by */
		int64_t offset;
		uint8_t *written;	/* by which instructions, a bit each; NULL: none is known */
	} slot;			/* the one that was asked for last */
};

/*
 * insns stay the caller's and live longer; bytes_of finds the bytes of one of them.  Returns
 * -1 without memory.  Free either way.
 */
typedef const uint8_t *(*flow_bytes)(const void *of, size_t index, size_t *left);
int flow__init(struct flow *flow, const struct code_insn *insns, size_t nr, flow_bytes bytes_of,
	       const void *of);
void flow__free(struct flow *flow);

#define FLOW_MAX_DEFINITIONS 64
struct flow_definitions {
	uint32_t at[FLOW_MAX_DEFINITIONS];
	size_t nr;
};
/*
 * Finds all instructions that may have set the register that insns[index] finds.  What is only
 * reached by an indirect jump may come from all of them; where leads_on is set it is taken for
 * reached from where the others come, as long as any definition is found so.  False where the
 * function's beginning is reached without one, or where there are too many: nothing is known.
 */
bool flow__definitions(struct flow *flow, size_t index, uint8_t reg, bool leads_on,
		       struct flow_definitions *definitions);
/* The same of flow->slot, a place in the frame, with leads_on. */
bool flow__slot_definitions(struct flow *flow, size_t index,
			    struct flow_definitions *definitions);

#endif
