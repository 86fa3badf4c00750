/* SPDX-License-Identifier: MIT */
/*
 * What runs at the entry and at each end of a measured function, inside the measured program: no library, no
 * thread-local storage, no vector registers, all registers and flags as before, and nothing written in the 128 bytes
 * below the stack pointer.  Position-independent: it is copied behind the control page.
 *
 * A stub calls with the function's number in eax, and beneath its return address the program's rax and those 128 bytes.
 *
 * Another thread never uses a key of this place: the place of a call's return address is on the stack that this code
 * runs on.  But it may claim another way of the same set at any moment, and a signal's handler may come between any two
 * instructions; so each change that others can see is one instruction.
 */
#include "layout.h"

	.section .rodata.jump_stamps, "a"
	.balign 64
	.globl jump_stamps_start, jump_stamps_end, jump_stamp_entry, jump_stamp_end
	.hidden jump_stamps_start, jump_stamps_end, jump_stamp_entry, jump_stamp_end
jump_stamps_start:
	.set control, jump_stamps_start - JUMP_CONTROL_BYTES

	/* The registers that are used, and the flags; r8: the shared part, rdi: the place; out, if it is not there. */
	.macro BEGIN out
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	mov	%eax, %esi
	lahf
	seto	%al
	push	%rax
	mov	control(%rip), %r8
	test	%r8, %r8
	jz	\out
	.endm

	/* Seven registers, the return address, the program's rax. */
	.set PLACE, 7 * 8 + 8 + 8 + 128

	/* rdi: the place / 8; if it is too far, to the label. */
	.macro TAKE_PLACE far
	lea	PLACE(%rsp), %rdi
	shr	$3, %rdi
	mov	%rdi, %rax
	shr	$JUMP_PLACE_BITS, %rax
	jnz	\far
	.endm

	/* Its set.  Changes rax and rcx. */
	.macro TAKE_SET to
	imul	$JUMP_HASH, %edi, %eax
	mov	JUMP_SHIFT(%r8), %ecx
	shr	%cl, %eax
	shl	$6, %rax
	lea	JUMP_SETS(%r8, %rax), \to
	.endm

	.macro END
	pop	%rax
	add	$0x7f, %al
	sahf
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	ret
	.endm

	/* The address of the figures of function \number in the first shard.  Changes rcx. */
	.macro FIRST_FIGURES number
	mov	JUMP_SHARD_MASK(%r8), %ecx
	inc	%ecx
	imul	%rcx, \number
	imul	$JUMP_FIGURES_BYTES, \number, \number
	add	JUMP_FIGURES(%r8), \number
	add	%r8, \number
	.endm

jump_stamp_entry:
	BEGIN	out = .Lentry_out
	TAKE_PLACE far = .Lfar
	TAKE_SET to = %r9
	mov	%rsi, %rdx
	shl	$JUMP_PLACE_BITS, %rdx
	or	%rdi, %rdx
	/* A call that began at this place and has not ended was left by an exception or by longjmp. */
	shl	$(64 - JUMP_PLACE_BITS), %rdi
	.irp	way, 0, 1, 2, 3
	mov	8 * \way(%r9), %rax
	shl	$(64 - JUMP_PLACE_BITS), %rax
	cmp	%rdi, %rax
	je	.Labandoned\way
	.endr
.Lclaim:
	.irp	way, 0, 1, 2, 3
	cmpq	$0, 8 * \way(%r9)
	je	.Lfree\way
	.endr
.Llost:
	FIRST_FIGURES number = %rsi
	lock incq JUMP_LOST(%rsi)
	jmp	.Lentry_out
.Lfree3:
	add	$8, %r9
.Lfree2:
	add	$8, %r9
.Lfree1:
	add	$8, %r9
.Lfree0:
	xor	%eax, %eax
	lock cmpxchg %rdx, (%r9)
	jne	.Ltaken
.Lbegin:
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	mov	%rax, 8 * JUMP_WAYS(%r9)
.Lentry_out:
	END
.Ltaken:
	and	$-64, %r9
	jmp	.Lclaim
.Labandoned3:
	add	$8, %r9
.Labandoned2:
	add	$8, %r9
.Labandoned1:
	add	$8, %r9
.Labandoned0:
	mov	(%r9), %rax
	mov	8 * JUMP_WAYS(%r9), %rdi
	mov	%rdx, (%r9)
	shr	$JUMP_PLACE_BITS, %rax
	FIRST_FIGURES number = %rax
	test	%rdi, %rdi
	jz	.Lleft_in_stamp
	lock incq JUMP_ABANDONED(%rax)
	jmp	.Lbegin
.Lleft_in_stamp:
	lock incq JUMP_LOST(%rax)
	jmp	.Lbegin
.Lfar:
	lock incq JUMP_FAR_PLACES(%r8)
	jmp	.Llost

	.balign 64
jump_stamp_end:
	BEGIN	out = .Lend_out
	rdtscp
	shl	$32, %rdx
	or	%rax, %rdx
	mov	%ecx, %r9d
	TAKE_PLACE far = .Lend_out
	TAKE_SET to = %rax
	mov	%rsi, %rcx
	shl	$JUMP_PLACE_BITS, %rcx
	or	%rcx, %rdi
	.irp	way, 0, 1, 2, 3
	cmp	8 * \way(%rax), %rdi
	je	.Lfound\way
	.endr
	lock incq JUMP_UNMATCHED(%r8)
	jmp	.Lend_out
.Lfound3:
	add	$8, %rax
.Lfound2:
	add	$8, %rax
.Lfound1:
	add	$8, %rax
.Lfound0:
	mov	%rax, %rdi
	sub	8 * JUMP_WAYS(%rdi), %rdx
	/* Whoever finds the key so knows that a signal's handler left this call in here. */
	movq	$0, 8 * JUMP_WAYS(%rdi)
	jb	.Lbackwards
.Lcount:
	mov	JUMP_SHARD_MASK(%r8), %ecx
	and	%ecx, %r9d
	inc	%ecx
	imul	%rcx, %rsi
	add	%r9, %rsi
	imul	$JUMP_FIGURES_BYTES, %rsi, %rsi
	add	JUMP_FIGURES(%r8), %rsi
	add	%r8, %rsi
	lock add %rdx, JUMP_TOTAL(%rsi)
	mov	JUMP_LONGEST(%rsi), %rax
.Llongest:
	cmp	%rax, %rdx
	ja	.Llonger
.Lbucket:
	mov	%rdx, %rcx
	or	$16, %rcx
	bsr	%rcx, %rcx
	sub	$4, %ecx
	shr	%cl, %rdx
	shl	$4, %ecx
	add	%rcx, %rdx
	mov	$(JUMP_BUCKETS - 1), %ecx
	cmp	%rcx, %rdx
	cmova	%rcx, %rdx
	lock incq JUMP_COUNTS(%rsi, %rdx, 8)
	movq	$0, (%rdi)
.Lend_out:
	END
.Llonger:
	lock cmpxchg %rdx, JUMP_LONGEST(%rsi)
	jne	.Llongest
	jmp	.Lbucket
.Lbackwards:
	lock incq JUMP_BACKWARDS(%r8)
	xor	%edx, %edx
	jmp	.Lcount
	/* An error if they need more room than they have. */
	.org	jump_stamps_start + JUMP_STAMPS_BYTES
jump_stamps_end:
	.section .note.GNU-stack, "", @progbits
