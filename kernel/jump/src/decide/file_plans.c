// SPDX-License-Identifier: GPL-2.0
#include "decide/file_plans.h"

#include <stdio.h>
#include <string.h>

#include "lookup/unwinding.h"

int file_plans__open(struct file_plans *plans, const char *path, struct error *error)
{
	*plans = (struct file_plans){ .file.fd = -1 };
	if (elf_file__open(&plans->file, path, path, error))
		return -1;
	if (elf_file__is_go(&plans->file))
		return error__set(error, ERR_NOT_PROBEABLE, "%.300s is Go code, whose stacks move.", path);
	if (frame_info__read(&plans->frames, &plans->file))
		frame_info__free(&plans->frames);
	if (symbols__load(&plans->symbols, &plans->file, NULL, &plans->frames, error))
		return -1;
	if (targets__find(&plans->targets, &plans->file, &plans->symbols, &plans->frames))
		return error__set(error, ERR_NOT_PROBEABLE, "%s", plans->targets.reason);
	plans->is_open = true;
	return 0;
}

void file_plans__close(struct file_plans *plans)
{
	targets__free(&plans->targets);
	symbols__free(&plans->symbols);
	frame_info__free(&plans->frames);
	elf_file__close(&plans->file);
}

bool file_plans__is_function(const struct fn_symbol *symbol)
{
	return !symbol->chosen_at_load && !symbol__is_cold_part(symbol->name);
}

static bool is_at(const struct file_plans *plans, const struct fn_symbol *symbol, uint64_t file_offset)
{
	uint64_t offset, left;

	return !file_offset || (elf_file__offset_of(&plans->file, symbol->address, true, &offset, &left) &&
				offset == file_offset);
}

const struct fn_symbol *file_plans__function(const struct file_plans *plans, const char *name, uint64_t file_offset)
{
	for (size_t i = 0; i < plans->symbols.nr; i++) {
		const struct fn_symbol *symbol = &plans->symbols.all[i];

		if (!strcmp(symbol->name, name) && file_plans__is_function(symbol) && is_at(plans, symbol, file_offset))
			return symbol;
	}
	return NULL;
}

void file_plans__make(struct file_plans *plans, const struct fn_symbol *function, struct code *code,
		      struct plan *plan)
{
	if (!code__read(code, &plans->file, &plans->symbols, &plans->frames, function, function->size)) {
		plan__make(plan, code, &plans->targets);
		return;
	}
	*plan = (struct plan){ .refusal = PLAN_CODE_UNKNOWN };
	snprintf(plan->reason, sizeof(plan->reason), "%.190s", code->reason);
}
