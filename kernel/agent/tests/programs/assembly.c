// SPDX-License-Identifier: GPL-2.0
/* Functions that no compiler writes, or that it writes rarely. */
#include <stdio.h>

#define FUNCTION(name, body)						\
	asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" body	\
	    "\n.size " #name ", .-" #name "\n")
#define FUNCTION_WITHOUT_SIZE(name, body)				\
	asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" body "\n")

/* The entry is the head of a loop: a probe there counts turns. */
FUNCTION(loop_at_entry, "dec %edi; jnz loop_at_entry; mov $1, %eax; ret");
/* The same behind an endbr64, which the loop does not pass. */
FUNCTION(loop_behind_endbr, "endbr64; 1: dec %edi; jnz 1b; push %rbx; pop %rbx; ret");
/* The loop's head is second: the first instruction alone is passed once. */
FUNCTION(loop_behind_first, "mov %edi, %eax; 1: dec %eax; jnz 1b; ret");
FUNCTION(only_jumps, "jmp loop_behind_first");
FUNCTION(only_jumps_cet, "endbr64; jmp loop_behind_first");
FUNCTION(only_returns, "ret");
FUNCTION(returns_and_pops, "xor %eax, %eax; ret $0");
FUNCTION(repeated_return, "xor %eax, %eax; repz ret");
FUNCTION(bound_return, "xor %eax, %eax; bnd ret");
FUNCTION(falls_through, "xor %eax, %eax; nop");
FUNCTION(fallen_into, "mov $5, %eax; ret");
FUNCTION(conditional_exit, "mov %edi, %eax; test %edi, %edi; jz only_returns; inc %eax; ret");
FUNCTION(counted_exit, "mov %edi, %ecx; jrcxz only_returns; ret");
FUNCTION(into_the_middle, "mov %edi, %eax; jmp 1f+1; 1: mov $0xc3c3c3c3, %eax; ret");
FUNCTION(past_lock, "mov %edi, %eax; test %edi, %edi; jz 1f+1; 1: lock incl -8(%rsp); ret");
FUNCTION(data_inside, "mov %edi, %eax; ret; .byte 0x06, 0x0e, 0x16");
FUNCTION(starts_with_trap, "int3; ret");
FUNCTION(starts_with_lock, "lock incl -8(%rsp); ret");
FUNCTION(starts_with_movabs, "movabs $0x1234567812345678, %rax; ret");
FUNCTION(wide_nop_first, "xchg %ax, %ax; push %rbp; mov %rsp, %rbp; pop %rbp; ret");
FUNCTION(long_nop_first, "nopl 0(%rax,%rax,1); push %r12; pop %r12; ret");
FUNCTION(stack_moves_first, "sub $8, %rsp; push %rbx; pop %rbx; add $8, %rsp; ret");
FUNCTION(loads_first, "mov (%rdi), %eax; push %rbx; pop %rbx; ret");
FUNCTION(tracked_jump, "lea only_returns(%rip), %rax; jmp *%rax");
FUNCTION(untracked_jump, "lea 1f(%rip), %rax; notrack jmp *%rax; 1: ret");
FUNCTION(refused_exit, "test %edi, %edi; ds jnz only_returns; ret");
FUNCTION(far_return, "xor %eax, %eax; lretq");
FUNCTION(ends_in_trap, "xor %eax, %eax; test %edi, %edi; jz 1f; ret; 1: ud2");
FUNCTION(pointer_table_jump, "mov %edi, %edi; jmp *(%rsi,%rdi,8)");
FUNCTION(no_end, "1: pause; jmp 1b");
/* A string behind the call that takes its address, with what would be returns in it. */
FUNCTION(string_inside, "push %rbp; call 1f; .byte 0x90, 0xc3, 0x90, 0xc3, 0x41, 0x90, 0, 0;"
	 "1: pop %rax; pop %rbp; ret");
/* A table that is read through a pointer. */
FUNCTION(table_behind, "push %rbp; mov %edi, %eax; pop %rbp; ret; .byte 0xc3, 0x90, 0xc3, 0x90");
/* This one begins in the midst of the one before. */
FUNCTION(two_entries, "push %rbp; mov %edi, %eax; pop %rbp; ret;"
	 ".globl second_entry; .type second_entry, @function; second_entry: mov $1, %eax; ret;"
	 ".size second_entry, .-second_entry");
FUNCTION(calls_itself, "push %rbx; dec %edi; jz 1f; call calls_itself; 1: pop %rbx; ret");
FUNCTION(takes_its_address, "push %rbp; call 1f; 1: pop %rax; pop %rbp; ret");
FUNCTION_WITHOUT_SIZE(without_size, "mov %edi, %eax; inc %eax; ret; .p2align 4");
FUNCTION(behind_without_size, "mov $7, %eax; ret");

int main(void)
{
	puts("assembly");
	return 0;
}
