// SPDX-License-Identifier: GPL-2.0
#include "decide/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* What is needed to make one. */
struct maker {
	struct plan *plan;
	const struct code *code;
	const struct targets *targets;
	uint64_t entry;		/* behind the function's first instruction, if that stays */
	bool is_behind;		/* one that does something */
	size_t room;
};

static const char *const names[PLAN_REFUSALS] = {
	[PLAN_FITS] = "fits", [PLAN_CODE_UNKNOWN] = "code not read to its end",
	[PLAN_DATA] = "data in it", [PLAN_JUMP_UNKNOWN] = "unknown jump",
	[PLAN_FIRST] = "first instruction", [PLAN_LOOP_AT_ENTRY] = "loop at its entry", [PLAN_TOO_SHORT] = "too short",
	[PLAN_CALL] = "call in the window", [PLAN_ENTERED] = "window is entered",
	[PLAN_NOT_MOVABLE] = "instruction can't move", [PLAN_RESTARTABLE] = "restartable sequence",
	[PLAN_MEMORY] = "no memory",
};

static const char *const sentences[PLAN_REFUSALS] = {
	[PLAN_DATA] = "It may keep data among its instructions",
	[PLAN_JUMP_UNKNOWN] = "It jumps through a pointer or a table that may lead back into it",
	[PLAN_FIRST] = "Its first instruction can't stay where it is, for others' breakpoints",
	[PLAN_LOOP_AT_ENTRY] = "A loop begins at its entry",
	[PLAN_TOO_SHORT] = "A jump does not fit there",
	[PLAN_CALL] = "A call would come back into the jump",
	[PLAN_ENTERED] = "Something leads into what a jump would overwrite",
	[PLAN_NOT_MOVABLE] = "An instruction there can't run elsewhere",
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

static bool falls_through(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_END: case CODE_RET: case CODE_JUMP: case CODE_JUMP_REG: case CODE_JUMP_MEM:
		return false;
	default:
		return true;
	}
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

/* How many bytes of filler stand at an address, if no more than wanted are needed: nothing leads there. */
static uint32_t filler_at(const struct maker *maker, uint64_t address, uint32_t wanted)
{
	const struct target_range *range = targets__range_of(maker->targets, address);
	uint32_t found = 0;

	while (range && found < wanted && address + found < range->end) {
		uint64_t at = address + found;
		unsigned int length = insn__filler(range->bytes + (at - range->start), range->end - at);

		if (!length || targets__within(maker->targets, at, at + length))
			break;
		found += length;
	}
	return found;
}

/* Adds what follows the window's last instruction until it is long enough. */
static bool grow_forward(struct maker *maker, struct plan_window *window)
{
	while (window->bytes < JUMP_BYTES) {
		const struct code_insn *last = &maker->code->insns[window->first + window->nr - 1], *next;
		enum plan_refusal against;

		if (!falls_through(last)) {
			window->bytes += filler_at(maker, window->start + window->bytes,
						   JUMP_BYTES - window->bytes);
			return window->bytes >= JUMP_BYTES || refuse(maker, PLAN_TOO_SHORT, last->address);
		}
		next = code__insn_at(maker->code, last->address + last->length);
		if (!next || next != last + 1)
			return refuse(maker, PLAN_TOO_SHORT, last->address);
		against = reason_against_moving(maker, next);
		if (against)
			return refuse(maker, against, next->address);
		window->nr++;
		window->bytes += next->length;
	}
	return true;
}

/* Adds what comes before its first instruction until it is long enough. */
static bool grow_backward(struct maker *maker, struct plan_window *window)
{
	while (window->bytes < JUMP_BYTES) {
		const struct code_insn *first = &maker->code->insns[window->first];
		const struct code_insn *previous = before(maker, first);
		enum plan_refusal against;

		if (targets__at(maker->targets, first->address))
			return refuse(maker, window->nr > 1 ? PLAN_ENTERED : PLAN_TOO_SHORT, first->address);
		if (first->address == maker->entry)
			return refuse(maker, PLAN_TOO_SHORT, first->address);
		if (!previous || !falls_through(previous))
			return refuse(maker, PLAN_TOO_SHORT, first->address);
		against = reason_against_moving(maker, previous);
		if (against)
			return refuse(maker, against, previous->address);
		window->first--;
		window->nr++;
		window->start -= previous->length;
		window->bytes += previous->length;
	}
	return true;
}

/* Whether something leads to this end: it is no data that look like one. */
static bool is_led_to(const struct maker *maker, const struct code_insn *end)
{
	while (!targets__at(maker->targets, end->address)) {
		const struct code_insn *previous = before(maker, end);

		if (!previous)
			return end->address == maker->code->ranges[0].start;
		if (!falls_through(previous))
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

static bool add_entry(struct maker *maker)
{
	const struct code_insn *first = code__insn_at(maker->code, maker->entry);
	struct plan_window window = { .start = maker->entry, .is_entry = true };
	enum plan_refusal against;

	if (!first)
		return refuse(maker, PLAN_TOO_SHORT, maker->entry);
	against = reason_against_moving(maker, first);
	if (against)
		return refuse(maker, against, maker->entry);
	window.first = first - maker->code->insns;
	window.nr = 1;
	window.bytes = first->length;
	return grow_forward(maker, &window) && add(maker, &window);
}

static bool add_end(struct maker *maker, const struct code_insn *end)
{
	struct plan_window window = { .start = end->address, .first = end - maker->code->insns,
				      .nr = 1, .bytes = end->length };
	const struct plan_window *entry = &maker->plan->windows[0];
	enum plan_refusal against = reason_against_moving(maker, end);

	if (window.first >= entry->first && window.first < entry->first + entry->nr)
		return true;
	if (!is_led_to(maker, end))
		return refuse(maker, PLAN_DATA, end->address);
	if (against)
		return refuse(maker, against, end->address);
	/* The fewer instructions in it the better: no thread can stand within a single one. */
	if (window.bytes < JUMP_BYTES && !falls_through(end))
		window.bytes += filler_at(maker, end->address + end->length, JUMP_BYTES - window.bytes);
	return grow_backward(maker, &window) && add(maker, &window);
}

static int compare_windows(const void *a, const void *b)
{
	const struct plan_window *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Joins those that overlap. */
static void join(struct plan *plan)
{
	size_t kept = 0;

	sort(plan->windows, plan->nr, sizeof(*plan->windows), compare_windows);
	for (size_t i = 1; i < plan->nr; i++) {
		struct plan_window *into = &plan->windows[kept], *window = &plan->windows[i];
		uint64_t end = window->start + window->bytes;

		if (window->start >= into->start + into->bytes) {
			plan->windows[++kept] = *window;
			continue;
		}
		if (end > into->start + into->bytes)
			into->bytes = end - into->start;
		if (window->first + window->nr > into->first + into->nr)
			into->nr = window->first + window->nr - into->first;
		into->is_entry |= window->is_entry;
	}
	if (plan->nr)
		plan->nr = kept + 1;
}

static bool check_windows(struct maker *maker)
{
	for (size_t i = 0; i < maker->plan->nr; i++) {
		const struct plan_window *window = &maker->plan->windows[i];

		if (window->bytes > JUMP_MAX_WINDOW)
			return refuse(maker, PLAN_NOT_MOVABLE, window->start);
		for (uint64_t at = window->start + 1; at < window->start + window->bytes; at++)
			if (targets__at(maker->targets, at))
				return refuse(maker, PLAN_ENTERED, at);
		if (!window->is_entry)
			continue;
		/* The entry must be where the window begins: all that comes there is a call. */
		if (window->start != maker->entry)
			return refuse(maker, PLAN_TOO_SHORT, window->start);
		/* Who comes there past the first instruction may have another stack, but for past a mark. */
		if (maker->is_behind && targets__at(maker->targets, window->start))
			return refuse(maker, PLAN_ENTERED, window->start);
	}
	return true;
}

static bool find_entry(struct maker *maker)
{
	const struct code_insn *first = &maker->code->insns[maker->code->ranges[0].first_insn];
	size_t left;
	const uint8_t *bytes = bytes_of(maker, first, &left);

	maker->entry = first->address;
	if (bytes && insn__stays(first, bytes, left, &maker->plan->pushed)) {
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
	if (!add_entry(&maker))
		return;
	for (size_t i = 0; i < code->nr_insns; i++) {
		if (!code__is_way_out(code, &code->insns[i]))
			continue;
		plan->nr_ends++;
		if (!add_end(&maker, &code->insns[i]))
			return;
	}
	join(plan);
	check_windows(&maker);
}

void plan__free(struct plan *plan)
{
	free(plan->windows);
	plan->windows = NULL;
	plan->nr = 0;
}
