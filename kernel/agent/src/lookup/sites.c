// SPDX-License-Identifier: GPL-2.0
/* Where probes are set: at one place that every call passes once, and at every way out. */
#include "arch/insn.h"
#include "lookup/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* How far from the entry the probe may be: the code before it is not measured. */
#define MAX_ENTRY_BYTES 64

static int refuse(struct fn_function *function, const char *reason)
{
	function->probeable = false;
	free(function->reason);
	function->reason = strdup(reason);
	return function->reason ? 0 : -1;
}

bool code__is_way_out(const struct code *code, const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_RET:
		return true;
	case CODE_JUMP: case CODE_JUMP_COND:
		return !code__range_of(code, insn->target);
	case CODE_JUMP_REG: case CODE_JUMP_MEM:
		return insn->table != CODE_TABLE_OWN;
	default:
		return false;
	}
}

/* The lowest address in the function's own range to which one of its instructions jumps. */
static uint64_t lowest_target(const struct code *code)
{
	uint64_t lowest = UINT64_MAX;

	for (size_t i = 0; i < code->nr_insns; i++) {
		uint64_t target = code->insns[i].target;

		/* A recursive call begins a new call. */
		if (code->insns[i].kind == CODE_CALL && target == code->ranges[0].start)
			continue;
		if (target >= code->ranges[0].start && target < code->ranges[0].end &&
		    target < lowest)
			lowest = target;
	}
	return lowest;
}

/*
 * Chooses the cheapest of the first instructions.  It must not be after a jump's target, because a
 * loop would pass it again.  It must not be an exit itself: an entry probe and an exit probe on
 * the same instruction run in no fixed order.
 */
static bool choose_entry(const struct code *code, struct fn_function *function)
{
	const struct code_range *range = &code->ranges[0];
	uint64_t lowest = lowest_target(code);
	bool is_marker = false;		/* what was chosen is an endbr64 or a nop */
	bool all_markers = true;	/* all before it are */

	function->entry_cost = function->first_cost = FN_INSN_UNSPECIFIED;
	for (size_t i = 0; i < range->nr_insns; i++) {
		const struct code_insn *at = &code->insns[range->first_insn + i];
		enum fn_insn_cost cost;
		const uint8_t *bytes;
		size_t left;

		if (at->address >= lowest || at->address - range->start > MAX_ENTRY_BYTES ||
		    code__is_way_out(code, at))
			break;
		bytes = code__bytes(code, at->address, &left);
		cost = insn__cost(bytes, left);
		if (cost == FN_INSN_EMULATED ||
		    (cost == FN_INSN_SINGLE_STEPPED &&
		     (function->entry_cost == FN_INSN_UNSPECIFIED || is_marker))) {
			function->entry_offset = range->file_offset + (at->address - range->start);
			function->entry_cost = cost;
			is_marker = at->kind == CODE_PADDING;
			if (all_markers) {
				function->first_offset = function->entry_offset;
				function->first_cost = cost;
			}
		}
		all_markers &= at->kind == CODE_PADDING;
		if (cost == FN_INSN_EMULATED || !insn__may_go_first(at, bytes, left))
			break;
	}
	return function->entry_cost != FN_INSN_UNSPECIFIED;
}

static int refuse_entry(const struct code *code, struct fn_function *function)
{
	if (lowest_target(code) == code->ranges[0].start)
		return refuse(function,
			"A loop begins at its first instruction, so a probe there would count turns.");
	if (code__is_way_out(code, &code->insns[0]))
		return refuse(function,
			"Its first instruction already leaves it; probe what it goes on to instead.");
	return refuse(function, "No probe can be put on any of its first instructions.");
}

static int refuse_site(struct fn_function *function, const struct code_range *range,
		       const struct code_insn *insn, const char *why)
{
	char reason[256];

	snprintf(reason, sizeof(reason), "%s (at file offset 0x%" PRIx64 ").", why,
		 range->file_offset + (insn->address - range->start));
	return refuse(function, reason);
}

static enum fn_site_kind site_kind(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_RET:
		return FN_SITE_RET;
	case CODE_JUMP:
		return FN_SITE_JUMP;
	case CODE_JUMP_COND:
		return FN_SITE_JUMP_COND;
	case CODE_JUMP_REG:
		return FN_SITE_JUMP_REG;
	default:
		return FN_SITE_JUMP_MEM;
	}
}

static int compare_sites(const void *a, const void *b)
{
	uint64_t x = ((const struct fn_site *)a)->file_offset;
	uint64_t y = ((const struct fn_site *)b)->file_offset;

	return x < y ? -1 : x > y;
}

static int copy_ranges(const struct code *code, struct fn_function *function)
{
	function->ranges = calloc(code->nr_ranges, sizeof(*function->ranges));
	if (!function->ranges)
		return -1;
	for (size_t i = 0; i < code->nr_ranges; i++) {
		struct fn_range range = { code->ranges[i].start, code->ranges[i].end };
		size_t k = 0;

		/* Parts that were found one by one are often next to each other: join them. */
		while (k < function->nr_ranges && function->ranges[k].end != range.start &&
		       function->ranges[k].start != range.end)
			k++;
		if (k == function->nr_ranges)
			function->ranges[function->nr_ranges++] = range;
		else if (function->ranges[k].end == range.start)
			function->ranges[k].end = range.end;
		else
			function->ranges[k].start = range.start;
	}
	return 0;
}

int code__find_sites(const struct code *code, struct fn_function *function)
{
	const struct code_insn *unreached;
	size_t ways_out = 0;

	if (code__find_unreached_end(code, &unreached))
		return -1;
	if (unreached)
		return refuse_site(function, code__range_of(code, unreached->address), unreached,
			"It keeps data among its instructions, or an end that nothing leads to");
	for (size_t i = 0; i < code->nr_insns; i++)
		ways_out += code__is_way_out(code, &code->insns[i]);
	function->sites = calloc(ways_out + 1, sizeof(*function->sites));
	if (!function->sites)
		return -1;
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i];
		const struct code_range *range = code__range_of(code, insn->address);
		struct fn_site *site = &function->sites[function->nr_sites];
		enum fn_insn_cost cost;
		const uint8_t *bytes;
		size_t left;

		if (!code__is_way_out(code, insn))
			continue;
		if (insn->kind == CODE_JUMP_MEM && insn->table == CODE_TABLE_UNKNOWN)
			return refuse_site(function, range, insn,
				"It jumps through a table that can't be found: within it or away");
		bytes = code__bytes(code, insn->address, &left);
		cost = insn__cost(bytes, left);
		if (cost == FN_INSN_UNSPECIFIED)
			return refuse_site(function, range, insn,
				"The kernel can't put a probe on one of its ways out");
		*site = (struct fn_site){
			.address = insn->address,
			.file_offset = range->file_offset + (insn->address - range->start),
			.kind = site_kind(insn),
			.condition = insn->condition,
			.reg = insn->reg,
			.cost = cost,
			.goes_on = -1,
		};
		function->nr_sites++;
	}
	sort(function->sites, function->nr_sites, sizeof(*function->sites), compare_sites);
	return 0;
}

int code__describe(const struct code *code, struct fn_function *function)
{
	int err = code__find_sites(code, function);

	if (err || function->reason)
		return err;
	if (!choose_entry(code, function))
		return refuse_entry(code, function);
	function->exit_kind = FN_EXIT_SITES;
	function->probeable = true;
	return copy_ranges(code, function);
}
