/* SPDX-License-Identifier: GPL-2.0 */
	.macro EACH_XMM what, at
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\what	\n, \at
	.endr
	.endm
	.macro LOAD_XMM n, at
	movdqu	\at + 16 * \n(%rip), %xmm\n
	.endm
	.macro STORE_XMM n, at
	movdqu	%xmm\n, \at + 16 * \n(%rip)
	.endm
	.macro EACH_REGISTER what, at
	.set	.Lplace, 0
	.irp	r, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	\what	\r, \at
	.set	.Lplace, .Lplace + 8
	.endr
	.endm
	.macro LOAD r, at
	mov	\at + .Lplace(%rip), %\r
	.endm
	.macro STORE r, at
	mov	%\r, \at + .Lplace(%rip)
	.endm
	.set	FLAGS, 15 * 8
	.set	XMM, 16 * 8
	.set	BELOW, XMM + 256
	.set	BYTES, BELOW + 128

	.text
	.globl	m_mirror
	.type	m_mirror, @function
	.balign	64, 0xcc
	/* The entry's window is the second instruction.  None up to pushf changes a flag or what is below the stack pointer. */
m_mirror:
	mov	%rax, seen(%rip)
	EACH_REGISTER STORE, seen
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	mov	8 * \n - 128(%rsp), %rax
	mov	%rax, seen+BELOW + 8 * \n(%rip)
	.endr
	mov	seen(%rip), %rax
	pushf
	pop	seen+FLAGS(%rip)
	EACH_XMM STORE_XMM, seen+XMM
	pushq	seen+FLAGS(%rip)
	popf
	ret
	.size	m_mirror, . - m_mirror

	.globl	m_maybe_tail
	.type	m_maybe_tail, @function
	.balign	64, 0xcc
m_maybe_tail:
	lea	0x1234567(%rdi), %rax
	test	$1, %dil
	jnz	m_leaf
	ret
	.size	m_maybe_tail, . - m_maybe_tail

	.globl	call_with
	.type	call_with, @function
	.balign	64, 0xcc
call_with:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	push	%rdi
	mov	%rsi, called(%rip)
	mov	%rdi, %rsi
	lea	state(%rip), %rdi
	mov	$BYTES, %ecx
	rep movsb
	EACH_XMM LOAD_XMM, state+XMM
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	mov	state+BELOW + 8 * \n(%rip), %rax
	mov	%rax, 8 * \n - 136(%rsp)
	.endr
	pushq	state+FLAGS(%rip)
	popf
	EACH_REGISTER LOAD, state
	call	*called(%rip)
	EACH_REGISTER STORE, state
	pushf
	pop	state+FLAGS(%rip)
	EACH_XMM STORE_XMM, state+XMM
	cld
	pop	%rdi
	lea	state(%rip), %rsi
	mov	$BYTES, %ecx
	rep movsb
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.size	call_with, . - call_with

	.bss
	.balign	16
state:	.skip	BYTES
	.globl	seen
seen:	.skip	BYTES
called:	.skip	8
	.section .note.GNU-stack, "", @progbits
