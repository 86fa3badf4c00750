// SPDX-License-Identifier: GPL-2.0
#include "decide/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is needed to make one. */
struct maker {
	struct plan *plan;
	const struct code *code;
	const struct targets *targets;
	uint64_t entry;		/* behind the function's first instruction, if that stays */
	uint32_t pushed;	/* in that */
	bool is_behind;		/* one that does something */
	size_t room;
};

static const char *const names[PLAN_REFUSALS] = {
	[PLAN_FITS] = "fits", [PLAN_CODE_UNKNOWN] = "code not read to its end",
	[PLAN_DATA] = "data in it", [PLAN_JUMP_UNKNOWN] = "unknown jump",
	[PLAN_FIRST] = "first instruction", [PLAN_LOOP_AT_ENTRY] = "loop at its entry", [PLAN_TOO_SHORT] = "too short",
	[PLAN_CALL] = "call in the window", [PLAN_ENTERED] = "window is entered",
	[PLAN_NOT_MOVABLE] = "instruction can't move", [PLAN_WATCHED] = "static probe", [PLAN_RESTARTABLE] = "restartable sequence",
	[PLAN_MEMORY] = "no memory",
};

static const char *const sentences[PLAN_REFUSALS] = {
	[PLAN_DATA] = "It may keep data among its instructions",
	[PLAN_JUMP_UNKNOWN] = "It jumps through a pointer or a table that may lead back into it",
	[PLAN_FIRST] = "Its first instruction can't stay where it is, for others' breakpoints",
	[PLAN_LOOP_AT_ENTRY] = "A loop begins at its entry",
	[PLAN_TOO_SHORT] = "No jump fits there",
	[PLAN_CALL] = "A call would come back into the jump",
	[PLAN_ENTERED] = "Something leads into what a jump would overwrite",
	[PLAN_NOT_MOVABLE] = "An instruction there can't run elsewhere",
	[PLAN_WATCHED] = "A static probe (USDT) is in what a jump would overwrite, whose users would not see it any more",
	[PLAN_RESTARTABLE] = "It has a restartable sequence, which the kernel watches by its addresses",
	[PLAN_MEMORY] = "There is no memory to examine it",
};

const char *plan__refusal_name(enum plan_refusal refusal)
{
	return names[refusal];
}

static bool refuse(struct maker *maker, enum plan_refusal refusal, uint64_t address)
{
	struct plan *plan = maker->plan;

	plan->refusal = refusal;
	plan->refused_at = address;
	if (address)
		snprintf(plan->reason, sizeof(plan->reason), "%s (at 0x%" PRIx64 "%s%s).",
			 sentences[refusal], address, refusal == PLAN_ENTERED ? ", " : "",
			 refusal == PLAN_ENTERED ? targets__what(targets__at(maker->targets, address)) : "");
	else
		snprintf(plan->reason, sizeof(plan->reason), "%s.", sentences[refusal]);
	return false;
}

static const uint8_t *bytes_of(const struct maker *maker, const struct code_insn *insn, size_t *left)
{
	return code__bytes(maker->code, insn->address, left);
}

/* The instruction before it in the code, also if that never runs into it; NULL at a range's start. */
static const struct code_insn *before(const struct maker *maker, const struct code_insn *insn)
{
	const struct code_range *range = code__range_of(maker->code, insn->address);

	return insn->address == range->start ? NULL : insn - 1;
}

/* Marks of addresses within the function that may be used to jump back into it. */
static uint8_t marks_inside(const struct maker *maker)
{
	uint8_t marks = 0;

	for (size_t i = 0; i < maker->code->nr_ranges; i++) {
		const struct code_range *range = &maker->code->ranges[i];

		/* That a function's own address is taken is no way into its middle. */
		marks |= targets__within(maker->targets, range->start + !i, range->end);
	}
	return marks;
}

/*
 * A jump through a register or memory leaves the function if no address within is known to anything.  One through a
 * table of its own stays, and that table must be among those that were found, so that all it leads to is marked.
 */
static bool check_indirect_jumps(struct maker *maker)
{
	const struct code *code = maker->code;
	uint8_t marks = marks_inside(maker);
	bool has_own = false;

	if (maker->targets->has_restartable && marks & TARGET_ADDRESS)
		return refuse(maker, PLAN_RESTARTABLE, 0);
	for (size_t i = 0; i < code->nr_insns; i++)
		has_own |= code->insns[i].table == CODE_TABLE_OWN &&
			   (code->insns[i].kind == CODE_JUMP_REG || code->insns[i].kind == CODE_JUMP_MEM);
	if (has_own && !(marks & (TARGET_TABLE | TARGET_ADDRESS)))
		return refuse(maker, PLAN_JUMP_UNKNOWN, 0);
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i];

		if ((insn->kind == CODE_JUMP_REG || insn->kind == CODE_JUMP_MEM) &&
		    insn->table != CODE_TABLE_OWN &&
		    marks & (has_own ? TARGET_ADDRESS : TARGET_ADDRESS | TARGET_TABLE))
			return refuse(maker, PLAN_JUMP_UNKNOWN, insn->address);
	}
	return true;
}

static bool check_calls_inside(struct maker *maker)
{
	for (size_t i = 0; i < maker->code->nr_insns; i++) {
		const struct code_insn *insn = &maker->code->insns[i];

		if (insn->kind == CODE_CALL && insn->target != maker->code->ranges[0].start &&
		    code__range_of(maker->code, insn->target))
			return refuse(maker, PLAN_DATA, insn->address);
	}
	return true;
}

static bool check_loop_at_entry(struct maker *maker)
{
	for (size_t i = 0; i < maker->code->nr_insns; i++) {
		const struct code_insn *insn = &maker->code->insns[i];

		if ((insn->kind == CODE_JUMP || insn->kind == CODE_JUMP_COND || insn->kind == CODE_LOOP) &&
		    (insn->target == maker->entry || insn->target == maker->code->ranges[0].start))
			return refuse(maker, PLAN_LOOP_AT_ENTRY, insn->address);
	}
	return true;
}

static enum plan_refusal reason_against_moving(const struct maker *maker, const struct code_insn *insn)
{
	size_t left;
	const uint8_t *bytes = bytes_of(maker, insn, &left);

	if (insn->kind == CODE_CALL)
		return PLAN_CALL;
	return bytes && insn__can_move(insn, bytes, left) ? PLAN_FITS : PLAN_NOT_MOVABLE;
}

/* Whether something leads to this end: it is no data that look like one. */
static bool is_led_to(const struct maker *maker, const struct code_insn *end)
{
	while (!targets__at(maker->targets, end->address)) {
		const struct code_insn *previous = before(maker, end);

		if (!previous)
			return end->address == maker->code->ranges[0].start;
		if (!insn__runs_on(previous))
			return false;
		end = previous;
	}
	return true;
}

static bool add(struct maker *maker, const struct plan_window *window)
{
	struct plan *plan = maker->plan;

	if (plan->nr == maker->room) {
		size_t room = maker->room ? 2 * maker->room : 8;
		struct plan_window *grown = realloc(plan->windows, room * sizeof(*grown));

		if (!grown)
			return refuse(maker, PLAN_MEMORY, 0);
		plan->windows = grown;
		maker->room = room;
	}
	plan->windows[plan->nr++] = *window;
	return true;
}

/* Adds it if a jump may be put there; else against is set.  False without memory. */
static bool add_if_fit(struct maker *maker, struct plan_window *window, enum plan_refusal *against)
{
	*against = plan__find_place(window, maker->code, maker->targets);
	return *against || add(maker, window);
}

/* Whether one runs into the next, and nothing else leads there. */
static bool is_straight(const struct code_insn *insn)
{
	return insn->kind == CODE_PLAIN || insn->kind == CODE_PADDING;
}

/* From an instruction up to one that leaves the function, in one: false without memory. */
static bool add_through(struct maker *maker, struct plan_window window)
{
	const struct code *code = maker->code;
	const struct code_range *range = code__range_of(code, window.start);
	const struct code_insn *last = &code->insns[range->first_insn + range->nr_insns - 1];
	enum plan_refusal ignored;

	for (const struct code_insn *insn = &code->insns[window.first]; insn < last && is_straight(insn); ) {
		insn++;
		window.nr++;
		window.bytes += insn->length;
		if (window.bytes > JUMP_MAX_WINDOW || targets__at(maker->targets, insn->address) || reason_against_moving(maker, insn))
			return true;
		if (code__is_way_out(code, insn)) {
			window.end = insn - code->insns + 1;
			return add_if_fit(maker, &window, &ignored);
		}
	}
	return true;
}

#define MOST_PUSHED 112		/* bytes: stamps leave so many alone below where the return address is, and some */

/*
 * Each instruction that a call goes through before anything can lead elsewhere, and before one that takes time or writes where stamps do.
 */
static bool add_entries(struct maker *maker)
{
	const struct code *code = maker->code;
	const struct code_range *range = &code->ranges[0];
	const struct code_insn *insn = code__insn_at(code, maker->entry);
	enum plan_refusal against, why = PLAN_TOO_SHORT;
	uint32_t pushed = maker->pushed, more;
	uint64_t at = maker->entry;
	size_t left;

	for (; insn && insn < code->insns + range->first_insn + range->nr_insns && insn->address - range->start < JUMP_MAX_WINDOW; insn++) {
		const uint8_t *bytes = bytes_of(maker, insn, &left);
		struct plan_window window = { .start = insn->address, .bytes = insn->length, .first = insn - code->insns, .nr = 1,
					      .pushed = pushed, .is_entry = true,
					      .end = code__is_way_out(code, insn) ? insn - code->insns + 1 : 0 };

		/* Who comes there past the first instruction may have another stack, but for past a mark. */
		against = targets__at(maker->targets, insn->address) && (insn->address != maker->entry || maker->is_behind) ? PLAN_ENTERED :
			  reason_against_moving(maker, insn);
		if (!against && !add_if_fit(maker, &window, &against))
			return false;
		if (against && !maker->plan->nr && (why == PLAN_TOO_SHORT || at == maker->entry)) {
			why = against;
			at = insn->address;
		}
		if (against == PLAN_ENTERED || reason_against_moving(maker, insn) || !bytes)
			break;
		if (!against && !window.end && !add_through(maker, window))
			return false;
		if (!is_straight(insn) || !insn__stays(insn, bytes, left, &more) || insn__uses_memory(bytes, left) ||
		    (pushed += more) > MOST_PUSHED)
			break;
	}
	return maker->plan->nr || refuse(maker, why, at);
}

/* Each from which it is gone through to this end. */
static bool add_ends(struct maker *maker, const struct code_insn *end)
{
	const struct code *code = maker->code;
	struct plan_window window = { .start = end->address, .first = end - code->insns, .nr = 1, .bytes = end->length,
				      .end = end - code->insns + 1 };
	enum plan_refusal against = reason_against_moving(maker, end), why = PLAN_FITS;
	size_t before_these = maker->plan->nr;
	bool has_both = false;

	for (size_t i = 0; i < before_these; i++)
		has_both |= maker->plan->windows[i].end == window.end;
	if (!is_led_to(maker, end))
		return refuse(maker, PLAN_DATA, end->address);
	for (const struct code_insn *insn = end; !against; ) {
		if (!add_if_fit(maker, &window, &against))
			return false;
		why = why ?: against;
		if (targets__at(maker->targets, insn->address))
			against = insn == end ? PLAN_TOO_SHORT : PLAN_ENTERED;
		else if (insn->address == maker->entry || !(insn = before(maker, insn)) || !is_straight(insn) ||
			 window.bytes + insn->length > JUMP_MAX_WINDOW)
			against = insn && insn->kind == CODE_CALL ? PLAN_CALL : PLAN_TOO_SHORT;
		else
			against = reason_against_moving(maker, insn);
		if (against || !insn)
			break;
		window.first--;
		window.nr++;
		window.start -= insn->length;
		window.bytes += insn->length;
	}
	return maker->plan->nr > before_these || has_both || refuse(maker, why ?: against, end->address);
}

static bool find_entry(struct maker *maker)
{
	const struct code_insn *first = &maker->code->insns[maker->code->ranges[0].first_insn];
	size_t left;
	const uint8_t *bytes = bytes_of(maker, first, &left);

	maker->entry = first->address;
	if (bytes && insn__stays(first, bytes, left, &maker->pushed)) {
		maker->plan->kept = first->length;
		maker->entry += first->length;
		maker->is_behind = first->kind != CODE_PADDING;
		return true;
	}
	return (bytes && insn__is_one_byte(bytes)) || refuse(maker, PLAN_FIRST, first->address);
}

void plan__make(struct plan *plan, const struct code *code, const struct targets *targets)
{
	struct maker maker = { .plan = plan, .code = code, .targets = targets };
	const struct code_insn *unreached = NULL;

	*plan = (struct plan){ .refusal = PLAN_FITS };
	if (!find_entry(&maker) || !check_calls_inside(&maker) || !check_indirect_jumps(&maker) || !check_loop_at_entry(&maker))
		return;
	if (code__find_unreached_end(code, &unreached)) {
		refuse(&maker, PLAN_MEMORY, 0);
		return;
	}
	if (unreached) {
		refuse(&maker, PLAN_DATA, unreached->address);
		return;
	}
	if (!add_entries(&maker))
		return;
	for (size_t i = 0; i < code->nr_insns; i++) {
		if (!code__is_way_out(code, &code->insns[i]))
			continue;
		plan->nr_ends++;
		if (!add_ends(&maker, &code->insns[i]))
			return;
	}
}

void plan__free(struct plan *plan)
{
	free(plan->windows);
	plan->windows = NULL;
	plan->nr = 0;
}
