// SPDX-License-Identifier: GPL-2.0
/* What is where a window's jump is to be put. */
#include <string.h>

#include "decide/plan.h"

bool insn__runs_on(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_END: case CODE_RET: case CODE_JUMP: case CODE_JUMP_REG: case CODE_JUMP_MEM:
		return false;
	default:
		return true;
	}
}

/* How many bytes of filler stand at an address, if no more than wanted are needed: nothing leads there. */
static uint32_t filler_at(const struct targets *targets, uint64_t address, uint32_t wanted)
{
	const struct target_range *range = targets__range_of(targets, address);
	uint32_t found = 0;

	while (range && found < wanted && address + found < range->end) {
		uint64_t at = address + found;
		unsigned int length = insn__filler(range->bytes + (at - range->start), range->end - at);

		if (!length || targets__within(targets, at, at + length))
			break;
		found += length;
	}
	return found;
}

/* Where instructions may begin behind this one: in code whose end is not known to be one, wherever they follow each other. */
static uint8_t inner_of(const struct target_range *range, uint64_t start, unsigned int length)
{
	uint8_t inner = 0;

	while (length < PUN_BYTES) {
		uint64_t at = start + length;

		inner |= 1 << length;
		length += at < range->end ? insn__length(range->bytes + (at - range->start), range->end - at) ?: 1 : 1;
	}
	return inner;
}

/* The kernel makes a call of a nop of this length when it comes to a trap there, over five bytes at once.  It never comes to filler. */
static bool has_nop_for_calls(const struct pun_place *place, const struct target_range *range, uint64_t start)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	for (int i = 0; i < PUN_BYTES; i++)
		if ((!i || (i >= place->length && place->inner >> i & 1)) && range->end - start >= i + sizeof(nop) &&
		    !memcmp(range->bytes + (start - range->start) + i, nop, sizeof(nop)))
			return true;
	return false;
}

/* What a jump in the place of the window's first instruction has to do with. */
enum plan_refusal plan__find_place(struct plan_window *window, const struct code *code, const struct targets *targets)
{
	const struct code_insn *first = &code->insns[window->first];
	const struct target_range *range = targets__range_of(targets, window->start);
	struct pun_place *place = &window->place;

	if (!range || range->end - window->start < PUN_BYTES)
		return PLAN_TOO_SHORT;
	memcpy(place->bytes, range->bytes + (window->start - range->start), PUN_BYTES);
	place->length = place->own = first->length;
	place->is_end = !insn__runs_on(first);
	if (place->is_end && place->length < JUMP_BYTES)
		place->length += filler_at(targets, window->start + first->length, JUMP_BYTES - place->length);
	place->inner = inner_of(range, window->start, place->own);
	if (has_nop_for_calls(place, range, window->start))
		return PLAN_NOT_MOVABLE;
	return targets__within(targets, window->start, window->start + (window->bytes > PUN_BYTES ? window->bytes : PUN_BYTES)) &
	       TARGET_WATCHED ? PLAN_WATCHED : PLAN_FITS;
}

bool plan__may_fault(const struct plan_window *window, const struct code *code)
{
	for (uint32_t i = 0; i < window->nr; i++) {
		size_t left;
		const uint8_t *bytes = code__bytes(code, code->insns[window->first + i].address, &left);

		if (!bytes || insn__may_fault(bytes, left))
			return true;
	}
	return false;
}

bool plan__leave_faults(struct plan *plan, const struct code *code)
{
	size_t kept = 0, before = plan->nr;

	for (size_t i = 0; i < before; i++)
		if (!plan__may_fault(&plan->windows[i], code))
			plan->windows[kept++] = plan->windows[i];
	plan->nr = kept;
	return kept < before;
}
