/* SPDX-License-Identifier: GPL-2.0 */
/* Functions whose windows have instructions of all kinds and lengths, where others put their traps; each computes 3 * rdi + rsi + 17. */
#include "shapes.h"
	.text
	.macro	REST
	lea	(%rdi, %rdi, 2), %rax
	lea	17(%rax, %rsi), %rax
	.endm

/* Behind a prefix, seven bytes and five. */
FUNCTION(p_seven)
	xor	%eax, %eax
	lea	0x12345(%rdi), %rdx
	lea	-0x12345(%rdx), %rdi
	REST
	ret
	END(p_seven)
FUNCTION(p_five)
	xor	%eax, %eax
	lea	8(%rdi, %rsi), %rdx
	test	%rdx, (%rsp)
	REST
	ret
	END(p_five)
/* Four, three, two and one, with others behind them that the jump's distance is made of. */
FUNCTION(p_four)
	xor	%eax, %eax
	mov	-8(%rsp), %rdx
	mov	%edx, %ecx
	REST
	ret
	END(p_four)
FUNCTION(p_three)
	xor	%eax, %eax
	mov	(%rsp), %rdx
	and	$0x28, %cl
	test	%rdx, %rdx
	jz	1f
	REST
1:	ret
	END(p_three)
FUNCTION(p_two)
	xor	%eax, %eax
	mov	(%rsp), %edx
	and	$0x38, %cl
	mov	%edi, %edx
	test	%rdx, (%rsp)
	REST
	ret
	END(p_two)
FUNCTION(p_one)
	push	%rbx
	push	%rcx
	and	$0x18, %cl
	mov	%rdi, %rbx
	mov	%rbx, %rdi
	pop	%rcx
	REST
	pop	%rbx
	ret
	END(p_one)
/* A conditional jump, taken or not. */
FUNCTION(p_condition)
	test	$1, %dil
	{disp32} jnz	1f
	REST
	ret
	.skip	160, 0x90
1:	REST
	ret
	END(p_condition)
/* Goes on elsewhere. */
FUNCTION(p_tail)
	xor	%eax, %eax
	jmp	p_four
	END(p_tail)
/* Ends without a filler behind them. */
FUNCTION(p_tight)
	push	%rbp
	mov	%rsp, %rbp
	REST
	mov	(%rsp), %rbp
	add	$8, %rsp
	ret
NEXT(p_behind)
	sub	$24, %rsp
	movabs	$0x1122334455667788, %rdx
	REST
	add	$24, %rsp
	ret
	.size	p_tight, p_behind - p_tight
	END(p_behind)
/* Returns before filler of one piece, of two, and of two that begin within a jump; and jumps of two bytes and of three, before some. */
	.macro	ENDS name, filler:vararg
FUNCTION(\name)
	xor	%eax, %eax
	test	$1, %dil
	REST
	jz	1f
	ret
	.byte	\filler
1:	ret
	.byte	\filler
	END(\name)
	.endm
	ENDS	p_long, 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00
	ENDS	p_four_and, 0x0f, 0x1f, 0x40, 0x00, 0x66, 0x90
	ENDS	p_pieces, 0x66, 0x90, 0x0f, 0x1f, 0x00
	ENDS	p_nops, 0x90, 0x90, 0x0f, 0x1f, 0x00
	ENDS	p_fives, 0x0f, 0x1f, 0x44, 0x00, 0x00
	.macro	GOES name, to
FUNCTION(\name)
	xor	%eax, %eax
	lea	p_four(%rip), %r8
	mov	%r8, %rdx
	jmp	*%\to
	.byte	0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00
	END(\name)
	.endm
	GOES	p_goes, rdx
	GOES	p_goes_far, r8
/* Another one between its jumps, and no frame of its own. */
FUNCTION(p_calls)
	push	%rbx
	movabs	$0x1122334455667788, %rbx
	call	p_seven
	lea	(%rax, %rbx), %rax
	sub	%rbx, %rax
	pop	%rbx
	ret
	END(p_calls)

	.section .note.GNU-stack, "", @progbits
