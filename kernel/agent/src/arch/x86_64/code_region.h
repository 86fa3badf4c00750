/* SPDX-License-Identifier: GPL-2.0 */
/* A run of instructions that is examined at once: a function, or what lies between two. */
#ifndef KVIEW_CODE_REGION_H
#define KVIEW_CODE_REGION_H

#include "arch/x86_64/stack_insn.h"
#include "lookup/frame_info.h"

struct region_insn {
	uint32_t offset;	/* from the region's start */
	uint8_t length;
	bool ends_block;	/* never runs into the next one, or calls */
	bool calls;
};

struct code_region {
	uint64_t start;
	const uint8_t *bytes;
	size_t length;
	struct region_insn *insns;
	size_t nr, room;
	const struct frame_info *frames;
	struct frame_walk walk;
	bool has_walk;
	uint64_t effort;	/* instructions that were gone through again */
	int8_t keeps_frame;	/* rbp as a frame's address: -1 not looked at yet */
};

/*
 * What of the stack's effect at insns[index] leaves a doubt: NULL if nothing.  To be asked in
 * ascending order, when all instructions are there.
 */
const char *code_region__doubt(struct code_region *region, size_t index,
			       const struct stack_effect *effect);

/*
 * The constant that reg has when insns[index] begins.  from: the first place after the
 * instruction that sets it; it holds if nothing jumps to there or between.
 */
bool code_region__constant(const struct code_region *region, size_t index, uint8_t reg,
			   uint64_t *constant, uint64_t *from);

#endif
