// SPDX-License-Identifier: GPL-2.0
/*
 * decide FILE [FUNCTION...]    what is decided of each function, one a line: a window for its entry, for that and an end in one, and for
 *                              each end, and how many others there may be instead
 * decide --count FILE...       how many fit, and what is against the others; and for how many of those there is room in a process that has
 *                              nothing but the file, a heap and a stack where they usually are
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/file_plans.h"
#include "place/image.h"

struct counts {
	size_t functions, by[PLAN_REFUSALS], placed, faultless, windows, boards, whole[PUN_BYTES + 1];
};

#define CODE_BYTES (64 * JUMP_PAGE)
#define PROGRAM_AT 0x555555554000ull	/* as the kernel does without randomness */
#define LIBRARY_AT 0x7ffff7c00000ull
#define STACK_AT 0x7ffffffde000ull
#define SOME_BYTES 0x21000ull

/* Where a file is, and what is around it. */
struct surroundings {
	struct region all[3];
	struct regions regions;
	struct board_space space;
	uint64_t bias, mapping;
};

static void surround(struct surroundings *to, const struct file_plans *plans)
{
	const struct targets *targets = &plans->targets;
	bool is_program = targets->is_fixed || plans->file.header.e_entry;
	uint64_t start = UINT64_MAX, end = 0;

	for (size_t i = 0; i < targets->nr_ranges; i++) {
		start = targets->ranges[i].start < start ? targets->ranges[i].start : start;
		end = targets->ranges[i].end > end ? targets->ranges[i].end : end;
	}
	/* A library may have one, too. */
	for (size_t i = 0; i < plans->file.nr_segments; i++)
		if (plans->file.segments[i].p_type == PT_DYNAMIC && is_program)
			is_program = targets->is_fixed || elf_file__section(&plans->file, ".interp");
	to->bias = targets->is_fixed ? 0 : is_program ? PROGRAM_AT : LIBRARY_AT;
	to->regions = (struct regions){ .all = to->all };
	to->all[to->regions.nr++] = (struct region){ .start = start + to->bias, .end = end + to->bias };
	if (is_program)
		to->all[to->regions.nr++] = (struct region){ .start = end + to->bias + SOME_BYTES, .end = end + to->bias + 2 * SOME_BYTES, .is_heap = true };
	to->all[to->regions.nr++] = (struct region){ .start = STACK_AT, .end = STACK_AT + SOME_BYTES, .is_stack = true };
	board_space__init(&to->space, &to->regions);
	to->mapping = regions__room(&to->regions, start + to->bias, end + to->bias, CODE_BYTES);
}

static bool are_alike(const struct plan_window *a, const struct plan_window *b)
{
	return a->is_entry == b->is_entry && a->end == b->end;
}

/* The first window of each kind, where it begins and its bytes, and how many others there are. */
static void print_plan(const struct fn_symbol *function, const struct plan *plan)
{
	printf("%s: %s", function->name, plan__refusal_name(plan->refusal));
	for (size_t i = 0; i < plan->nr && plan->refusal == PLAN_FITS; i++) {
		const struct plan_window *window = &plan->windows[i];
		size_t others = 0, before = 0;

		for (size_t k = 0; k < plan->nr; k++)
			*(k < i ? &before : &others) += k != i && are_alike(&plan->windows[k], window);
		if (before)
			continue;
		printf(" %s+%" PRIu64 ",%u", !window->is_entry ? "end" : window->end ? "both" : "entry",
		       window->start - function->address, window->bytes);
		if (others)
			printf("|%zu", others);
	}
	printf("%s%s\n", *plan->reason ? " # " : "", plan->reason);
}

/* The same in a process that handles faults itself. */
static bool can_be_faultless(struct plan *plan, const struct code *code, const struct surroundings *in)
{
	struct image image;
	bool can = false;

	plan__leave_faults(plan, code);
	if (!image__init(&image, in->mapping, CODE_BYTES)) {
		image.space = &in->space;
		can = !image__add(&image, 0, plan, code, in->bias);
	}
	image__free(&image);
	return can;
}

/* As if it were the only one that is measured. */
static void place(struct counts *counts, const struct plan *plan, const struct code *code, const struct surroundings *in)
{
	struct image image;

	if (!image__init(&image, in->mapping, CODE_BYTES)) {
		image.space = &in->space;
		counts->placed += !image__add(&image, 0, plan, code, in->bias);
		counts->windows += image.nr;
		counts->boards += image.boards.nr;
		for (size_t i = 0; i < image.nr; i++)
			counts->whole[image.patches[i].changed]++;
	}
	image__free(&image);
}

static void count_plan(struct counts *counts, struct plan *plan, const struct code *code, const struct surroundings *in)
{
	counts->functions++;
	counts->by[plan->refusal]++;
	if (plan->refusal != PLAN_FITS)
		return;
	place(counts, plan, code, in);
	counts->faultless += can_be_faultless(plan, code, in);
}

static void print_counts(const char *path, const struct counts *counts)
{
	printf("%s: %zu functions, fits %.1f %%", path, counts->functions,
	       100.0 * counts->by[PLAN_FITS] / counts->functions);
	for (int i = PLAN_FITS + 1; i < PLAN_REFUSALS; i++)
		if (counts->by[i])
			printf(", %s %.1f %%", plan__refusal_name(i),
			       100.0 * counts->by[i] / counts->functions);
	printf("; there is room for %.1f %%, with %.2f springboards each; jumps in place of one byte %.1f %%, of five %.1f %%, behind a prefix %.1f %%; for %.1f %% where nothing that may fault may run elsewhere\n",
	       100.0 * counts->placed / counts->functions, 1.0 * counts->boards / counts->placed,
	       100.0 * counts->whole[1] / counts->windows, 100.0 * counts->whole[JUMP_BYTES] / counts->windows,
	       100.0 * counts->whole[PUN_BYTES] / counts->windows, 100.0 * counts->faultless / counts->functions);
}

static bool is_wanted(const char *name, char **names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* names: NULL to count.  All aliases of a place are one function. */
static int examine(const char *path, char **names)
{
	struct counts counts = { 0 };
	struct file_plans plans;
	struct error error = { 0 };
	struct surroundings in;

	if (file_plans__open(&plans, path, &error)) {
		fprintf(stderr, "%s: %s\n", path, error.message);
		file_plans__close(&plans);
		return 1;
	}
	surround(&in, &plans);
	for (size_t i = 0; i < plans.symbols.nr; i++) {
		const struct fn_symbol *function = &plans.symbols.all[i];
		static struct code code;
		struct plan plan;

		if (!file_plans__is_function(function) || (names && *names && !is_wanted(function->name, names)) ||
		    ((!names || !*names) && symbols__at(&plans.symbols, function->address) != function))
			continue;
		file_plans__make(&plans, function, &code, &plan);
		if (names)
			print_plan(function, &plan);
		else
			count_plan(&counts, &plan, &code, &in);
		plan__free(&plan);
		code__free(&code);
	}
	if (!names)
		print_counts(path, &counts);
	file_plans__close(&plans);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "--count"))
		return examine(argv[1], argv + 2);
	for (int i = 2; i < argc; i++)
		failed |= examine(argv[i], NULL);
	return failed;
}
