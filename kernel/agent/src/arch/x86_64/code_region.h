/* SPDX-License-Identifier: GPL-2.0 */
/* A run of instructions that is examined at once: a function, or the code between two. */
#ifndef KVIEW_CODE_REGION_H
#define KVIEW_CODE_REGION_H

#include "arch/x86_64/stack_insn.h"
#include "lookup/frame_info.h"

struct region_insn {
	uint32_t offset;	/* from the region's start */
	uint8_t length;
	bool ends_block;	/* does not simply run into the next one, or is a call */
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
	uint64_t effort;	/* how many instructions were visited again */
	int8_t keeps_frame;	/* whether rbp keeps a frame's address; -1: not examined yet */
};

/*
 * What is doubtful about the effect of insns[index] on the stack; NULL: nothing.  To be called in
 * ascending order, after all instructions were added.
 */
const char *code_region__doubt(struct code_region *region, size_t index,
			       const struct stack_effect *effect);

/*
 * The constant that reg has before insns[index].  from: the first address after the instruction
 * that sets it.  The result is valid if nothing jumps to from, or to a later address up to
 * insns[index].
 */
bool code_region__constant(const struct code_region *region, size_t index, uint8_t reg,
			   uint64_t *constant, uint64_t *from);

#endif
