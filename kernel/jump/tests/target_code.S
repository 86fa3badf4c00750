/* SPDX-License-Identifier: GPL-2.0 */
	.text
	.globl	m_inside
	.type	m_inside, @function
	.balign	64, 0xcc
	/* The entry's window is of the second instruction and the third, which runs for long. */
m_inside:
	xor	%eax, %eax
	mov	%rsi, %rcx
	rep stosb
	lea	(%rdi, %rcx), %rax
	ret
	.size	m_inside, . - m_inside

	.globl	hold_registers
	.type	hold_registers, @function
	.balign	64, 0xcc
	/* Loads what rdi names, waits for rsi turns, and stores it to rdx.  rcx: whether there is AVX. */
hold_registers:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rcx, %rbp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqu	32 * \n(%rdi), %xmm\n
	.endr
	test	%rbp, %rbp
	jz	1f
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovdqu	32 * \n(%rdi), %ymm\n
	.endr
1:	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	512 + 8 * \n(%rdi), %r\n
	.endr
	mov	512(%rdi), %rax
	mov	520(%rdi), %rbx
	mov	528(%rdi), %rcx
	/* In the red zone. */
	mov	%rax, -128(%rsp)
	mov	%rbx, -8(%rsp)
	stc
2:	dec	%rsi
	jnz	2b
	jnc	3f
	mov	-128(%rsp), %rax
	mov	-8(%rsp), %rbx
	mov	%rax, 512(%rdx)
	mov	%rbx, 520(%rdx)
	mov	%rcx, 528(%rdx)
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	%r\n, 512 + 8 * \n(%rdx)
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movdqu	%xmm\n, 32 * \n(%rdx)
	.endr
	test	%rbp, %rbp
	jz	3f
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovdqu	%ymm\n, 32 * \n(%rdx)
	.endr
	vzeroupper
3:	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.size	hold_registers, . - hold_registers
	.section .note.GNU-stack, "", @progbits
