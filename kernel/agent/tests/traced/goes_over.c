// SPDX-License-Identifier: GPL-2.0
/*
 * Computes for ever on a stack of its own, which begins as one of a thread of Go does: in runtime.mcall, of which no table is,
 * and with what the frame pointer was on the stack before.
 */
static char stack[64 << 10] __attribute__((aligned(16)));
static volatile unsigned long sink;

__attribute__((noinline, noreturn, used)) static void schedules(void)
{
	for (;;)
		sink++;
}

void goes_over(void *to) __asm__("runtime.mcall");
__asm__(".pushsection .text\n"
	".globl \"runtime.mcall\"\n"
	".type \"runtime.mcall\", @function\n"
	"\"runtime.mcall\":\n"
	"	mov %rdi, %rsp\n"
	"	call schedules\n"
	"	ud2\n"
	".size \"runtime.mcall\", . - \"runtime.mcall\"\n"
	".popsection\n");

int main(void)
{
	goes_over(stack + sizeof(stack));
	return 0;
}
