// SPDX-License-Identifier: GPL-2.0
/* Names, patterns, and what uprobes do with instructions, without any file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/arch/x86_64/uprobe_insn.h"
#include "../../src/lookup/frame_rules.h"
#include "../../src/lookup/names.h"
#include "../../src/lookup/thread_policies.h"

static int failed;

static void check(bool good, const char *name, const char *figure)
{
	printf("%s %s %s\n", good ? "ok" : "FAIL", name, figure);
	failed += !good;
}

static void check_globs(void)
{
	static const struct { const char *name, *glob; bool matches; } cases[] = {
		{ "render_page", "render_page", true }, { "render_page", "render_*", true },
		{ "render_page", "*", true }, { "", "*", true }, { "", "?", false }, { "", "", true },
		{ "render_page", "*page", true }, { "render_page", "*p?ge", true },
		{ "render_page", "*pag", false }, { "abcabd", "*abd", true },
		{ "render_page", "r*e*p*g*", true }, { "x1", "x[0-9]", true }, { "xa", "x[0-9]", false },
		{ "xa", "x[!0-9]", true }, { "x]", "x[]]", true }, { "x-", "x[a-]", true },
		{ "operator[]", "operator[]", true }, { "a[", "a[", true }, { "a*", "a\\*", true },
		{ "ab", "a\\*", false }, { "a", "a*b", false }, { "ab", "a**b", true },
		{ "ns::f(int)", "ns::*", true }, { "x", "[", false }, { "[", "[", true },
		{ "abc", "abc?", false }, { "abc", "ab[c", false }, { "\xfc", "[\xe0-\xff]", true },
	};
	size_t good = 0, nr = sizeof(cases) / sizeof(cases[0]);
	char figure[64];

	for (size_t i = 0; i < nr; i++) {
		bool same = name__matches_glob(cases[i].name, cases[i].glob) == cases[i].matches;

		if (!same)
			printf("# %s against %s\n", cases[i].name, cases[i].glob);
		good += same;
	}
	snprintf(figure, sizeof(figure), "%zu of %zu", good, nr);
	check(good == nr, "globs", figure);
}

static void check_hostile_glob(void)
{
	char name[20001], glob[2001], figure[64];
	clock_t begin = clock();
	double seconds;

	memset(name, 'a', 20000);
	name[20000] = 0;
	for (int i = 0; i < 1000; i++)
		memcpy(glob + 2 * i, "*a", 2);
	strcpy(glob + 1998, "*b");
	check(!name__matches_glob(name, glob), "1000 stars do not match", "20000 letters");
	seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	snprintf(figure, sizeof(figure), "%.3f s", seconds);
	check(seconds < 2, "and take no time without end", figure);
}

static void check_near(void)
{
	static const char *const names[] = {
		"render_page", "render_pages", "flush_cache", "price_basket", "rneder_page",
		"_ZN4shop11render_pageEi", "completely_different_thing", "r", "render",
	};
	struct near_names near = { .wanted = "rendr_page" };
	char figure[256] = "", **found;
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		near_names__offer(&near, names[i]);
	found = near_names__take(&near);
	for (; found && found[nr]; nr++) {
		strcat(figure, found[nr]);
		strcat(figure, " ");
	}
	check(nr == 4 && !strcmp(found[0], "render_page"), "near names", figure);
	for (size_t i = 0; i < nr; i++)
		free(found[i]);
	free(found);
}

static void check_printable(void)
{
	static const struct { const char *from, *to; } cases[] = {
		{ "plain", "plain" }, { "new\nline", "new\\x0aline" }, { "\033[31m", "\\x1b[31m" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" }, { "\xff\xfe", "\\xff\\xfe" },
		{ "\xc3", "\\xc3" }, { "\xe2\x82\xac", "\xe2\x82\xac" }, { "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, { "\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" }, { "\x7f", "\\x7f" }, { "\xc2\x85", "\\xc2\\x85" },
	};
	size_t good = 0, nr = sizeof(cases) / sizeof(cases[0]);
	char figure[64];

	for (size_t i = 0; i < nr; i++) {
		char *printable = name__printable(cases[i].from);

		good += !strcmp(printable, cases[i].to);
		free(printable);
	}
	snprintf(figure, sizeof(figure), "%zu of %zu", good, nr);
	check(good == nr, "names are printable", figure);
}

static void check_bombs(void)
{
	char bomb[4096] = "_Z1fI1PIiiE", figure[64];
	clock_t begin = clock();
	char *demangled;

	/* Each P of two of the one before. */
	for (int i = 0; i < 35; i++) {
		char digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i], more[32];

		snprintf(more, sizeof(more), "S_IS%c_S%c_E", digit, digit);
		strcat(bomb, more);
		if (i == 3) {
			char valid[5000];

			snprintf(valid, sizeof(valid), "%sEvv", bomb);
			demangled = name__demangle(valid, true);
			check(demangled && strlen(demangled) > 100, "a valid one of them",
			      demangled ? demangled : "none");
			free(demangled);
		}
	}
	strcat(bomb, "Evv");
	demangled = name__demangle(bomb, true);
	snprintf(figure, sizeof(figure), "%zu bytes in %.3f s", demangled ? strlen(demangled) : 0,
		 (double)(clock() - begin) / CLOCKS_PER_SEC);
	check(!demangled && clock() - begin < CLOCKS_PER_SEC, "names that demangle to gigabytes",
	      figure);
	free(demangled);
	strcpy(bomb, "_RNvC");
	for (int i = 0; i < 800; i++)
		strcat(bomb, "B_");
	demangled = name__demangle(bomb, true);
	check(!demangled, "endless references of Rust", "refused");
	free(demangled);
}

static void check_instructions(void)
{
	static const struct { const char *name; uint8_t bytes[12]; enum fn_insn_cost cost; } cases[] = {
		{ "push rbp", { 0x55 }, FN_INSN_EMULATED },
		{ "push r12", { 0x41, 0x54 }, FN_INSN_EMULATED },
		{ "push with rex.w", { 0x48, 0x55 }, FN_INSN_SINGLE_STEPPED },
		{ "push imm", { 0x6a, 0x01 }, FN_INSN_SINGLE_STEPPED },
		{ "nop", { 0x90 }, FN_INSN_EMULATED },
		{ "pause", { 0xf3, 0x90 }, FN_INSN_EMULATED },
		{ "66 nop", { 0x66, 0x90 }, FN_INSN_UNSPECIFIED },
		{ "nop of four", { 0x0f, 0x1f, 0x40, 0 }, FN_INSN_SINGLE_STEPPED },
		{ "nop of five", { 0x0f, 0x1f, 0x44, 0, 0 }, FN_INSN_UNSPECIFIED },
		{ "another nop of five", { 0x66, 0x0f, 0x1f, 0x40, 0 }, FN_INSN_UNSPECIFIED },
		{ "lea as nop of five", { 0x48, 0x8d, 0x74, 0x26, 0 }, FN_INSN_UNSPECIFIED },
		{ "lea of five", { 0x48, 0x8d, 0x7c, 0x24, 8 }, FN_INSN_SINGLE_STEPPED },
		{ "mov imm32", { 0xb8, 0, 0, 0, 0 }, FN_INSN_SINGLE_STEPPED },
		{ "nop of six", { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, FN_INSN_SINGLE_STEPPED },
		{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, FN_INSN_SINGLE_STEPPED },
		{ "jmp rel8", { 0xeb, 0 }, FN_INSN_EMULATED },
		{ "jmp rel32", { 0xe9, 0, 0, 0, 0 }, FN_INSN_EMULATED },
		{ "call rel32", { 0xe8, 0, 0, 0, 0 }, FN_INSN_EMULATED },
		{ "jne rel8", { 0x75, 0 }, FN_INSN_EMULATED },
		{ "jne rel32", { 0x0f, 0x85, 0, 0, 0, 0 }, FN_INSN_EMULATED },
		{ "ret", { 0xc3 }, FN_INSN_SINGLE_STEPPED },
		{ "repz ret", { 0xf3, 0xc3 }, FN_INSN_SINGLE_STEPPED },
		{ "jmp rax", { 0xff, 0xe0 }, FN_INSN_SINGLE_STEPPED },
		{ "notrack jmp rax", { 0x3e, 0xff, 0xe0 }, FN_INSN_UNSPECIFIED },
		{ "lock inc", { 0xf0, 0xff, 0x00 }, FN_INSN_UNSPECIFIED },
		{ "int3", { 0xcc }, FN_INSN_UNSPECIFIED },
		{ "hlt", { 0xf4 }, FN_INSN_UNSPECIFIED },
		{ "syscall", { 0x0f, 0x05 }, FN_INSN_UNSPECIFIED },
		{ "ud2", { 0x0f, 0x0b }, FN_INSN_UNSPECIFIED },
		{ "mov ss", { 0x8e, 0xd0 }, FN_INSN_UNSPECIFIED },
		{ "mov fs:0", { 0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0 }, FN_INSN_SINGLE_STEPPED },
		{ "sub rsp", { 0x48, 0x83, 0xec, 0x08 }, FN_INSN_SINGLE_STEPPED },
		{ "vzeroupper", { 0xc5, 0xf8, 0x77 }, FN_INSN_SINGLE_STEPPED },
		{ "vmovdqa", { 0xc5, 0xf9, 0x6f, 0xc1 }, FN_INSN_UNSPECIFIED },
	};
	size_t good = 0, nr = sizeof(cases) / sizeof(cases[0]);
	ZydisDecoder decoder;
	char figure[64];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t i = 0; i < nr; i++) {
		ZydisDecodedInstruction insn;
		bool same = ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, cases[i].bytes,
						sizeof(cases[i].bytes), &insn)) &&
			    uprobe_insn__cost(&insn) == cases[i].cost;

		if (!same)
			printf("# %s\n", cases[i].name);
		good += same;
	}
	snprintf(figure, sizeof(figure), "%zu of %zu", good, nr);
	check(good == nr, "instructions under probes", figure);
}

static struct thread_policies policies_of(const char *status)
{
	struct thread_policies policies = { 0 };
	FILE *file = fmemopen((char *)status, strlen(status), "r");

	if (file)
		thread_policies__add(&policies, file);
	if (file)
		fclose(file);
	return policies;
}

static void check_policies(void)
{
	struct thread_policies none = policies_of("Name:\tshstk\nSeccomp:\t0\nx86_Thread_features:\t\nx86_Thread_features_locked:\tshstk wrss \n");
	struct thread_policies filtered = policies_of("Name:\ta\nState:\tZ (zombie)\nSeccomp:\t2\nSeccomp_filters:\t1\n");
	struct thread_policies shadowed = policies_of("State:\tS (sleeping)\nSeccomp:\t0\nx86_Thread_features:\tshstk wrss \n");
	struct thread_policies own;

	check(!none.filtered && !none.shadow_stack, "a thread without a policy", "");
	check(filtered.filtered && !filtered.shadow_stack, "one whose system calls are filtered", "");
	check(!shadowed.filtered && shadowed.shadow_stack, "one with a shadow stack", "");
	check(!filtered.lives && shadowed.lives, "one that has ended", "");
	check(!thread_policies__read(&own, 1 << 22, true) && own.filtered && own.shadow_stack && own.handles_faults, "what can't be told counts as all, and is said", "");
	check(policies_of("SigCgt:\t0000000000000400\n").handles_faults && policies_of("SigCgt:\t0000000000000080\n").handles_faults &&
	      !policies_of("SigBlk:\t0000000000000400\nSigCgt:\t0000000180004a02\n").handles_faults, "one that handles faults", "");
}

/* The CFA is what an expression of so many bytes yields, which are lit0 and drop but for the first ones: rsp + 16. */
static enum frame_step step_by_expression(struct frame_state *state, uint32_t length)
{
	uint64_t stack[4] = { 0, 0x1234, 0, 0 };
	struct frame_memory memory = { 0x1000, (const uint8_t *)stack, sizeof(stack) };
	struct frame_info info = { .bytes = { malloc(length), length } };
	struct frame_rules rules = { .cfa_kind = FRAME_CFA_EXPRESSION, .cfa_expression = { 0, length } };
	enum frame_step result;

	rules.registers[FRAME_RIP] = (struct frame_rule){ .kind = FRAME_RULE_AT, .offset = -8 };
	for (uint32_t i = 0; i < length; i++)
		info.bytes.data[i] = i % 2 ? 0x13 : 0x30;
	info.bytes.data[0] = 0x77;
	info.bytes.data[1] = 16;
	state->registers[FRAME_RSP] = 0x1000;
	state->known = 1u << FRAME_RSP;
	result = frame_state__step(state, &rules, &info, &memory);
	free(info.bytes.data);
	return result;
}

static void check_expressions(void)
{
	struct frame_state state = { 0 };
	unsigned int frames = 0;
	char figure[32];

	check(step_by_expression(&state, 100) == FRAME_STEP_CALLER && state.registers[FRAME_RIP] == 0x1234 &&
	      state.registers[FRAME_RSP] == 0x1010, "a frame whose place is an expression", "");
	check(step_by_expression(&state, 1000000) == FRAME_STEP_FAILED, "one whose expression is endless", "");
	while (frames < 512 && step_by_expression(&state, 200) == FRAME_STEP_CALLER)
		frames++;
	snprintf(figure, sizeof(figure), "%u frames", frames);
	check(frames > 50 && frames < 200, "a stack whose frames have long ones each", figure);
}

int main(void)
{
	check_expressions();
	check_policies();
	check_globs();
	check_hostile_glob();
	check_near();
	check_printable();
	check_bombs();
	check_instructions();
	return failed ? 1 : 0;
}
