/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the instructions that may have set a register, by following a function's jumps backwards.
 */
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
	uint16_t *written;	/* for each instruction, the registers that it writes, a bit each */
	struct flow_edge *edges;	/* direct jumps, ascending by to */
	size_t nr_edges;
	uint32_t *indirect;	/* jumps through registers and memory */
	size_t nr_indirect;
	uint8_t *visited;
	uint32_t *waiting;
	uint64_t effort;	/* instructions visited so far, for all questions */
	struct flow_slot {
		uint8_t base;	/* the register by which it is addressed */
		int64_t offset;
		uint8_t *written;	/* a bit for each instruction that does; NULL: not known */
	} slot;			/* the slot of the last question */
};

/*
 * insns stay the caller's and must live longer; bytes_of finds the bytes of one of them.  Returns
 * -1 without memory.  Free in both cases.
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
 * Finds all instructions that may have set the register that insns[index] reads.  Code that is
 * reached only by an indirect jump may come from every indirect jump.  With leads_on, such paths
 * are ignored as long as other paths have a definition.  False, and nothing is known, if the
 * function's beginning is reached without a definition, or if there are too many definitions.
 */
bool flow__definitions(struct flow *flow, size_t index, uint8_t reg, bool leads_on,
		       struct flow_definitions *definitions);
/* The same, with leads_on, for flow->slot, a place in the frame. */
bool flow__slot_definitions(struct flow *flow, size_t index,
			    struct flow_definitions *definitions);

#endif
