// SPDX-License-Identifier: GPL-2.0
/*
 * System calls become SIGSYS while f_work() runs (syscall user dispatch), as where one system is
 * emulated on another.  What the kernel does for a replaced return address is a system call.
 *
 * usage: dispatched CALLS
 */
#include <signal.h>
#include <sys/prctl.h>

#include "truth.h"

static char dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
static volatile long sum, dispatched;

static void on_dispatch(int signal)
{
	dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
	dispatched++;
}

PROBED long f_work(long x)
{
	for (int i = 0; i < 300; i++)
		sum += i;
	END();
	return x;
}

int main(int argc, char **argv)
{
	long calls = atol(argv[1]), total = 0;

	signal(SIGSYS, on_dispatch);
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &dispatch)) {
		puts("this kernel has none");
		dispatched = -1;
	}
	for (long i = 0; i < calls; i++) {
		if (dispatched >= 0)
			dispatch = SYSCALL_DISPATCH_FILTER_BLOCK;
		total += f_work(i);
		dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
	}
	printf("total %ld dispatched %ld\n", total, dispatched);
	tell("f_work.returned", calls);
	return 0;
}
