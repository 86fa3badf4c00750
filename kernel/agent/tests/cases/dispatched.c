// SPDX-License-Identifier: GPL-2.0
/*
 * System calls become SIGSYS while f_work() and f_nop() run (syscall user dispatch), as where one system is
 * emulated on another.  What the kernel does for a replaced return address is a system call, and so is what
 * it makes of a probe on a nop of five bytes.
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

#ifdef __x86_64__
/* As -pg -mfentry -mnop-mcount has an empty function. */
void f_nop(void);
__asm__(".text\n.globl f_nop\n.type f_nop, @function\n"
	"f_nop: .byte 0x0f, 0x1f, 0x44, 0, 0\n ret\n.size f_nop, . - f_nop\n");
#else
PROBED void f_nop(void) { }
#endif

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
		f_nop();
		dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
	}
	printf("total %ld dispatched %ld\n", total, dispatched);
	tell("f_work.returned", calls);
	tell("f_nop.returned", calls);
	return 0;
}
