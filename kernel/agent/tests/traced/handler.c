// SPDX-License-Identifier: GPL-2.0
/* Calls two functions at a letter on standard input; at h it gets a handler for SIGSEGV behind that. */
#include <signal.h>

#include "common.h"

long f_reads(const long *at);
long f_adds(long a);

/* Their entries' windows can only be their second instructions. */
__asm__(".text\n"
	".globl f_reads, f_adds\n"
	".type f_reads, @function\n"
	"f_reads:\n"
	"	xor	%eax, %eax\n"
	"	mov	0x11223344(%rdi), %rax\n"
	"	ret\n"
	"	.size	f_reads, . - f_reads\n"
	"	.balign	64, 0xcc\n"
	".type f_adds, @function\n"
	"f_adds:\n"
	"	xor	%eax, %eax\n"
	"	lea	0x11223344(%rdi), %rax\n"
	"	ret\n"
	"	.size	f_adds, . - f_adds\n"
	"	.balign	64, 0xcc\n");

static void handle(int number)
{
	_exit(number);
}

int main(void)
{
	static const long there = 17;
	uintptr_t before = (uintptr_t)&there - 0x11223344;
	long read, sum;
	int letter;

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	while ((letter = getchar()) != EOF) {
		read = f_reads((const long *)before);
		sum = f_adds(-0x11223344);
		if (letter == 'h')
			signal(SIGSEGV, handle);
		printf("%ld %ld\n", read, sum);
	}
	return 0;
}
