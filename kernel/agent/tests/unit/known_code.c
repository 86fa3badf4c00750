// SPDX-License-Identifier: GPL-2.0
/* Code of no file in a process: what the process makes is a sign of a compiler, and what the agent put there is none. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "lookup/functions.h"

#define PAGE	4096
#define COMPILES "The process has executable memory that is of no file"

static bool seems_to_compile(const struct fn_known_code *known)
{
	struct fn_process_safety safety;

	fn_process_safety__read(&safety, getpid(), known);
	return !strncmp(safety.reason, COMPILES, strlen(COMPILES));
}

static struct fn_known_code known_at(char *code, uint64_t pages)
{
	struct fn_known_code known = { 0 };

	fn_known_code__add(&known, 0x1000, 0x2000);
	fn_known_code__add(&known, (uintptr_t)code, (uintptr_t)code + pages * PAGE);
	return known;
}

int main(void)
{
	struct fn_known_code known, more, less;
	char *code;

	check(!seems_to_compile(NULL), "a program without code of its own making", 0);
	/* Nothing executable is beside it. */
	code = mmap(NULL, 5 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	code += PAGE;
	if (mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC))
		return 1;
	known = known_at(code, 2);
	more = known_at(code, 3);
	less = known_at(code, 1);
	check(seems_to_compile(NULL), "code that nobody knows", 0);
	check(!seems_to_compile(&known), "code that is known", 0);
	check(seems_to_compile(&more) && seems_to_compile(&less), "known is a whole mapping", 0);
	mprotect(code + 2 * PAGE, PAGE, PROT_READ | PROT_EXEC);
	check(seems_to_compile(&known), "what the process puts behind it is not known", 0);
	mprotect(code + 2 * PAGE, PAGE, PROT_READ);
	mprotect(code, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	check(seems_to_compile(&known), "what the process can write is not known", 0);
	fn_known_code__free(&known);
	fn_known_code__free(&more);
	fn_known_code__free(&less);
	return failed;
}
