// SPDX-License-Identifier: GPL-2.0
/*
 * Limits that a program sets for itself, under which the kernel still has to make a page for stepped
 * instructions and to write breakpoints: one in each run, before its calls.
 *
 * usage: policies HOW CALLS
 *	memory		no more address space, stack or descriptors than it has
 *	locked		all memory is locked, also what comes
 *	no-gain		no memory may become executable (PR_SET_MDWE)
 *  with -DCODE
 *	sealed		its code may not be changed (mseal)
 *	execute-only	nor be read (PROT_EXEC alone)
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "truth.h"

#define NR_MSEAL	462
#define SET_MDWE	65
#define PAGE		4096UL

static volatile long sum;

PROBED long f_work(long x)
{
	sum += x;
	END();
	return x;
}

#ifndef CODE
static int limit(int what, rlim_t to)
{
	return setrlimit(what, &(struct rlimit){ to, to });
}
#endif

static int set(const char *how)
{
#ifdef CODE
	char *code = (char *)((unsigned long)f_work & -PAGE);

	if (!strcmp(how, "sealed"))
		return syscall(NR_MSEAL, code, PAGE, 0);
	return mprotect(code, PAGE, PROT_EXEC);
#else
	if (!strcmp(how, "memory"))
		return limit(RLIMIT_AS, PAGE) || limit(RLIMIT_STACK, PAGE) || limit(RLIMIT_DATA, PAGE) ||
		       limit(RLIMIT_NOFILE, 0);
	if (!strcmp(how, "locked"))
		return mlockall(MCL_CURRENT | MCL_FUTURE);
	return prctl(SET_MDWE, 1, 0, 0, 0);
#endif
}

static long work(long calls)
{
	long total = 0;

	for (long i = 0; i < calls; i++)
		total += f_work(i);
	return total;
}

int main(int argc, char **argv)
{
	static char buffers[2][BUFSIZ];
	long calls = atol(argv[2]), total = 0;

	setvbuf(stdout, buffers[0], _IOLBF, BUFSIZ);
	setvbuf(stderr, buffers[1], _IOLBF, BUFSIZ);
	if (set(argv[1]))
		return 77;
	total = work(calls);
	printf("total %ld\n", total);
	tell("f_work.returned", calls);
	return 5;
}
