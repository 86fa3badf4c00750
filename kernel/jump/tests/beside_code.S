/* SPDX-License-Identifier: GPL-2.0 */
	.text
	.globl	b_faults
	.type	b_faults, @function
	.balign	64, 0xcc
	/* What faults is in the entry's window. */
b_faults:
	.cfi_startproc
	xor	%eax, %eax
	mov	(%rdi), %rax
	add	$1, %rax
	xor	%edx, %edx
	ret
	.cfi_endproc
	.size	b_faults, . - b_faults

/* One that may fault, and another one, is all that the entry's window may be. */
.macro CASE name, insn:vararg
	.globl	\name
	.type	\name, @function
	.balign	64, 0xcc
\name:
	.cfi_startproc
	xor	%eax, %eax
	\insn
	mov	(%rdi), %rax
	add	$1, %rax
	xor	%edx, %edx
	ret
	.cfi_endproc
	.size	\name, . - \name
.endm
	CASE	b_rbp, add 8(%rbp), %rax
	CASE	b_index, add (%rsp,%rsi), %rax
	CASE	b_own_data, add b_rbp(%rip), %rax
	CASE	b_vectors, divsd %xmm1, %xmm0
	CASE	b_x87, fdivp
	/* This may not. */
	CASE	b_moves, movaps %xmm1, %xmm0

	.section .note.GNU-stack, "", @progbits
