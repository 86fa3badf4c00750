// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/trap/entry_code.h"

static struct xp_span *span__of(struct xp_entry_code *code, const char *symbol)
{
	if (!strcmp(symbol, "asm_exc_int3"))
		return &code->breakpoint;
	if (!strcmp(symbol, "asm_exc_debug"))
		return &code->step;
	return strcmp(symbol, "entry_SYSCALL_64_after_hwframe") ? NULL : &code->call;
}

static bool code__is_complete(const struct xp_entry_code *code)
{
	return code->breakpoint.end && code->step.end && code->call.end;
}

/* Symbols are told in the order of their addresses; each ends where another one begins. */
static void code__read(struct xp_entry_code *code, FILE *symbols)
{
	struct xp_span *open = NULL;
	unsigned long long address;
	char line[512], name[256];

	while (!code__is_complete(code) && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2 || !address)
			continue;
		if (open && address > open->start) {
			open->end = address;
			open = NULL;
		}
		if (!open)
			open = span__of(code, name);
		if (open && !open->start)
			open->start = address;
	}
}

struct xp_entry_code entry_code__find(void)
{
	static struct xp_entry_code code;
	static bool is_known;
	FILE *symbols;

	if (is_known)
		return code;
	is_known = true;
	symbols = fopen("/proc/kallsyms", "re");
	if (symbols) {
		code__read(&code, symbols);
		fclose(symbols);
	}
	/* Half of them would tell nothing that is true of the other half. */
	if (!code__is_complete(&code))
		memset(&code, 0, sizeof(code));
	return code;
}
