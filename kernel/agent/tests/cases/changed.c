// SPDX-License-Identifier: GPL-2.0
/*
 * Programs whose code is not that of their file: a function that was patched as live patching
 * does it, some in a page that was moved to memory of its own, and one that the loader relocates.
 *
 * usage: changed HOW N     reads a line, then calls each function N times
 *   as-is      nothing is changed
 *   patched    f_changed begins with a jump to another function
 *   late       the same, after one line more
 *   moved      the page of f_changed is a copy in anonymous memory
 *
 * Compiled with RELOCATED, f_changed holds an address that is written as it is loaded.
 */
#include <sys/mman.h>
#include "truth.h"

#define PAGE 4096UL

static volatile long sink;
long held = 42;

PROBED long f_plain(long x)
{
	sink += x;
	END();
	return sink;
}

PROBED long instead(long x)
{
	sink += 3 * x;
	END();
	return sink;
}

#ifdef RELOCATED
#define f_beside f_plain
PROBED long f_changed(long x);
__asm__(".text\n.globl f_changed\n.type f_changed,@function\n"
	"f_changed:\n\tmovabs $held, %rax\n\tmov (%rax), %rax\n\tadd %rdi, %rax\n\tret\n"
	".size f_changed, .-f_changed\n");
#else
/* Pages of its own. */
#define CHANGED __attribute__((section("changed_code"))) PROBED
__attribute__((aligned(4096))) CHANGED long f_changed(long x)
{
	for (int i = 0; i < 3; i++)
		sink += x + i;
	END();
	return sink;
}

CHANGED long f_beside(long x)
{
	sink -= x;
	END();
	return sink;
}
#endif

/* A jump of five bytes: its distance is what follows its first one. */
static void patch(void)
{
	uintptr_t at = (uintptr_t)f_changed;
	int32_t distance = (uintptr_t)instead - (at + 5);
	void *page = (void *)(at & -PAGE);

	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
		abort();
	*(uint8_t *)at = 0xe9;
	memcpy((void *)(at + 1), &distance, sizeof(distance));
	mprotect(page, PAGE, PROT_READ | PROT_EXEC);
}

static void move(void)
{
	void *page = (void *)((uintptr_t)f_changed & -PAGE);
	void *copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(copy, page, PAGE);
	mprotect(copy, PAGE, PROT_READ | PROT_EXEC);
	if (mremap(copy, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) != page)
		abort();
}

static void wait_for_line(const char *what)
{
	char line[16];

	puts(what);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

int main(int argc, char **argv)
{
	int n = atoi(argv[2]);
	long (*volatile changed)(long) = f_changed;
	long (*volatile beside)(long) = f_beside;
	long sum = 0;

	if (!strcmp(argv[1], "late"))
		wait_for_line("as it was");
	if (!strcmp(argv[1], "patched") || !strcmp(argv[1], "late"))
		patch();
	if (!strcmp(argv[1], "moved"))
		move();
	wait_for_line("ready");
	for (int i = 0; i < n; i++)
		sum += f_plain(i) + changed(i) + beside(i);
	printf("sum %ld\n", sum);
	return 0;
}
