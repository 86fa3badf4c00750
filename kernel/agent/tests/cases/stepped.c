// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose first instruction shows that it is single-stepped: one pushes the flags, the trap
 * flag among them, one takes them back, and one traps after each round of a repetition.
 *
 * usage: stepped CALLS
 */
#include "truth.h"

unsigned long f_flags(void);
void f_keep(void);
void f_copy(char *to, const char *from, long unused, size_t n);
long f_plain(long x);

__asm__(".text\n"
	".globl f_flags\n.type f_flags, @function\n"
	"f_flags: pushfq\n pop %rax\n ret\n.size f_flags, . - f_flags\n"
	".globl f_keep\n.type f_keep, @function\n"
	"f_keep: pushfq\n cld\n popfq\n ret\n.size f_keep, . - f_keep\n"
	".globl f_copy\n.type f_copy, @function\n"
	"f_copy: rep movsb\n ret\n.size f_copy, . - f_copy\n"
	".globl f_plain\n.type f_plain, @function\n"
	"f_plain: lea 1(%rdi), %rax\n ret\n.size f_plain, . - f_plain\n");

#define TRAP_FLAG 0x100

int main(int argc, char **argv)
{
	long calls = atol(argv[1]), seen = 0, sum = 0;
	static char from[1000], to[1000];

	memset(from, 7, sizeof(from));
	for (long i = 0; i < calls; i++) {
		seen += !!(f_flags() & TRAP_FLAG);
		f_keep();
		f_copy(to, from, 0, sizeof(from));
		sum += f_plain(i);
	}
	printf("trap flag seen %ld sum %ld same %d\n", seen, sum, !memcmp(from, to, sizeof(from)));
	tell("f_flags.returned", calls);
	tell("f_keep.returned", calls);
	tell("f_copy.returned", calls);
	tell("f_plain.returned", calls);
	return 0;
}
