// SPDX-License-Identifier: GPL-2.0
/*
 * decide FILE [FUNCTION...]    what is decided of each function, one a line
 * decide --count FILE...       how many fit, and what is against the others
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/file_plans.h"

struct counts {
	size_t functions, windows, single, faulting, by[PLAN_REFUSALS];
};

static void print_plan(const struct fn_symbol *function, const struct plan *plan)
{
	printf("%s: %s", function->name, plan__refusal_name(plan->refusal));
	for (size_t i = 0; i < plan->nr && plan->refusal == PLAN_FITS; i++)
		printf(" %s+%" PRIu64 ",%u", plan->windows[i].is_entry ? "entry" : "end",
		       plan->windows[i].start - function->address, plan->windows[i].bytes);
	printf("%s%s\n", *plan->reason ? " # " : "", plan->reason);
}

static bool may_fault(const struct plan *plan, const struct code *code)
{
	for (size_t i = 0; i < plan->nr; i++)
		for (uint32_t k = 0; k < plan->windows[i].nr; k++) {
			size_t left;
			const uint8_t *bytes = code__bytes(code, code->insns[plan->windows[i].first + k].address, &left);

			if (!bytes || insn__may_fault(bytes, left))
				return true;
		}
	return false;
}

static void count_plan(struct counts *counts, const struct plan *plan, const struct code *code)
{
	counts->functions++;
	counts->by[plan->refusal]++;
	counts->faulting += plan->refusal == PLAN_FITS && may_fault(plan, code);
	for (size_t i = 0; i < plan->nr && plan->refusal == PLAN_FITS; i++) {
		counts->windows++;
		counts->single += plan->windows[i].nr == 1;
	}
}

static void print_counts(const char *path, const struct counts *counts)
{
	printf("%s: %zu functions, fits %.1f %%", path, counts->functions,
	       100.0 * counts->by[PLAN_FITS] / counts->functions);
	for (int i = PLAN_FITS + 1; i < PLAN_REFUSALS; i++)
		if (counts->by[i])
			printf(", %s %.1f %%", plan__refusal_name(i),
			       100.0 * counts->by[i] / counts->functions);
	printf("; windows of one instruction %.1f %%, functions of which an instruction is moved that may fault %.1f %%\n",
	       100.0 * counts->single / counts->windows, 100.0 * counts->faulting / counts->functions);
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

	if (file_plans__open(&plans, path, &error)) {
		fprintf(stderr, "%s: %s\n", path, error.message);
		file_plans__close(&plans);
		return 1;
	}
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
			count_plan(&counts, &plan, &code);
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
