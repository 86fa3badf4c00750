// SPDX-License-Identifier: GPL-2.0
/*
 * Which instructions of a function can be reached.  A probe overwrites a byte, so it may be set
 * only where an instruction is known to be.  Data among the code also decodes as instructions: a
 * string after a call that takes its address, or a table after the last return.
 */
#include "lookup/code.h"

#include <inttypes.h>
#include <stdlib.h>

struct reached {
	const struct code *code;
	bool *is;		/* by index of the instruction */
	uint32_t *waiting;
	size_t nr_waiting;
};

static void reach(struct reached *reached, uint64_t address)
{
	const struct code_insn *insn = code__insn_at(reached->code, address);
	size_t index;

	/* Some jumps skip an optional prefix. */
	if (!insn)
		insn = code__insn_at(reached->code, address - 1);
	if (!insn)
		return;
	index = insn - reached->code->insns;
	if (reached->is[index])
		return;
	reached->is[index] = true;
	reached->waiting[reached->nr_waiting++] = index;
}

/* Whether it calls a place within the function: execution goes on there, and may not come back. */
static bool calls_inside(const struct code *code, const struct code_insn *insn)
{
	return insn->kind == CODE_CALL && insn->target != code->ranges[0].start &&
	       code__range_of(code, insn->target);
}

static void follow(struct reached *reached)
{
	while (reached->nr_waiting) {
		const struct code_insn *insn =
			&reached->code->insns[reached->waiting[--reached->nr_waiting]];

		switch (insn->kind) {
		case CODE_END: case CODE_RET: case CODE_JUMP_REG: case CODE_JUMP_MEM:
			continue;
		case CODE_JUMP:
			reach(reached, insn->target);
			continue;
		case CODE_CALL:
			if (calls_inside(reached->code, insn)) {
				reach(reached, insn->target);
				continue;
			}
			break;
		case CODE_JUMP_COND: case CODE_LOOP:
			reach(reached, insn->target);
			break;
		default:
			break;
		}
		reach(reached, insn->address + insn->length);
	}
}

/* Whether it is not known where all its jumps, or exceptions, lead. */
static bool is_entered_unseen(const struct code *code)
{
	for (size_t i = 0; i < code->nr_ranges; i++) {
		const struct frame_function *frame =
			frame_info__at(code->frames, code->ranges[i].start);

		if (frame && frame->has_landing_pads)
			return true;
	}
	for (size_t i = 0; i < code->nr_insns; i++)
		if ((code->insns[i].kind == CODE_JUMP_REG ||
		     code->insns[i].kind == CODE_JUMP_MEM) &&
		    code->insns[i].table != CODE_TABLE_OF_OTHERS)
			return true;
	return false;
}

static void mark(struct reached *reached)
{
	const struct code *code = reached->code;

	reach(reached, code->ranges[0].start);
	follow(reached);
	/* Functions that share their last part have entries in the middle of others. */
	for (size_t i = 0; i < code->nr_insns; i++) {
		if (!reached->is[i] && symbols__has_address(code->symbols, code->insns[i].address)) {
			reach(reached, code->insns[i].address);
			follow(reached);
		}
	}
}

int code__find_unreached_end(const struct code *code, const struct code_insn **end)
{
	struct reached reached = {
		.code = code,
		.is = calloc(code->nr_insns + 1, sizeof(*reached.is)),
		.waiting = malloc((code->nr_insns + 1) * sizeof(*reached.waiting)),
	};
	int err = reached.is && reached.waiting ? 0 : -1;

	*end = NULL;
	if (!err && !is_entered_unseen(code)) {
		mark(&reached);
		for (size_t i = 0; !*end && i < code->nr_insns; i++)
			if (!reached.is[i] && code__is_way_out(code, &code->insns[i]))
				*end = &code->insns[i];
	}
	free(reached.is);
	free(reached.waiting);
	return err;
}
