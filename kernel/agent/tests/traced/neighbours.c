// SPDX-License-Identifier: GPL-2.0
/*
 * Two functions side by side, each called as often as the first argument says, with 5 ms between. A jump in n_first reaches into n_second, in which there
 * is no place for one.
 */
#include "common.h"

#ifdef __x86_64__
long n_first(long x);
int n_second(int x);

__asm__(".text\n"
	".p2align 4\n"
	".globl n_first\n"
	".type n_first, @function\n"
	"n_first:	.cfi_startproc\n"
	"	xor %eax, %eax\n"
	"	lea 0x12345(%rdi), %rdx\n"
	"	lea -0x12345(%rdx), %rdi\n"
	"	test %rdi, %rdi\n"
	"	jz 1f\n"
	"	lea (%rdi, %rdi, 2), %rax\n"
	"1:	ret\n"
	"	.cfi_endproc\n"
	"	.size n_first, . - n_first\n"
	".globl n_second\n"
	".type n_second, @function\n"
	"n_second:	.cfi_startproc\n"
	"	mov %edi, %eax\n"
	"	jrcxz 1f\n"
	"1:	ret\n"
	"	.cfi_endproc\n"
	"	.size n_second, . - n_second\n"
	"	.p2align 4\n");
#else
PROBED long n_first(long x) { END(); return 3 * x; }
PROBED int n_second(int x) { END(); return x; }
#endif

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	long sum = 0;

	for (int i = 0; i < rounds; i++) {
		sum += n_first(i) + n_second(i);
		usleep(5000);
	}
	printf("%ld\n", sum);
	return 0;
}
