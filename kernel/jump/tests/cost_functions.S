/* SPDX-License-Identifier: GPL-2.0 */
/* The same function many times, each to be measured in another way: its entry can be emulated, its return is stepped. */
	.macro SAME name
	.globl	\name
	.type	\name, @function
	.balign	64, 0xcc
\name:
	push	%rbp
	mov	%rsp, %rbp
	lea	1(%rdi), %rax
	pop	%rbp
	ret
	.size	\name, . - \name
	.endm
	.text
	SAME	c_bare
	SAME	c_jump
	SAME	c_trap
	SAME	c_stepped
	.section .note.GNU-stack, "", @progbits
