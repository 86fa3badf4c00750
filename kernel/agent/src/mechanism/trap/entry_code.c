// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/trap/entry_code.h"

/*
 * A kernel that hides its symbols gives 0 as the address of each.  Those of per-CPU memory begin at 0 in any case, so it takes
 * this many in a row to tell that they are hidden.
 */
#define HIDDEN_SYMBOLS	1000

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

/*
 * The kernel lists its symbols by address, so each ends where the next one begins.  Returns whether there was any address
 * other than 0.
 */
static bool code__read(struct xp_entry_code *code, FILE *symbols)
{
	struct xp_span *open = NULL;
	unsigned long long address;
	char line[512], name[256];
	bool is_told = false;
	int nr = 0;

	while (!code__is_complete(code) && (is_told || nr++ < HIDDEN_SYMBOLS) &&
	       fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2 || !address)
			continue;
		is_told = true;
		if (open && address > open->start) {
			open->end = address;
			open = NULL;
		}
		if (!open)
			open = span__of(code, name);
		if (open && !open->start)
			open->start = address;
	}
	return is_told;
}

/* In such a guest single steps enter the kernel through code that has another name. */
static bool guest__is_xen_pv(void)
{
	FILE *type = fopen("/sys/hypervisor/guest_type", "re");
	char text[8] = "";

	if (!type)
		return false;
	if (!fgets(text, sizeof(text), type))
		text[0] = 0;
	fclose(type);
	return !strcmp(text, "PV\n");
}

static bool is_hidden;

static const char *code__find(struct xp_entry_code *code)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	bool is_told;

	is_hidden = false;
	if (!symbols)
		return "the kernel tells no symbols";
	is_told = code__read(code, symbols);
	fclose(symbols);
	is_hidden = !is_told;
	if (!is_told)
		return "the kernel hides the addresses of its symbols from the agent (kptr_restrict, or CAP_SYSLOG is missing)";
	if (!code__is_complete(code))
		return "the agent knows the ways into the kernel on x86-64 alone, by symbols that this one lacks";
	return guest__is_xen_pv() ? "the host is a paravirtual Xen guest" : NULL;
}

static struct xp_entry_code known;
static const char *unknown;

/* Looks again only where the addresses were hidden: that can be changed at any time, all else stays while the host runs. */
static void look(void)
{
	static bool is_done;

	if (is_done && !is_hidden)
		return;
	is_done = true;
	unknown = code__find(&known);
	/* All of them or none: with one missing, only some of the waits within probes would be known as such. */
	if (unknown)
		memset(&known, 0, sizeof(known));
}

struct xp_entry_code entry_code__find(void)
{
	look();
	return known;
}

const char *entry_code__unknown(void)
{
	return unknown;
}
