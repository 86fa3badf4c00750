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
#include "macros.h"

	.section .rodata.jump_stamps, "a"
	.balign 64
	.globl jump_stamps_start, jump_stamps_end, jump_stamp_entry, jump_stamp_end
	.hidden jump_stamps_start, jump_stamps_end, jump_stamp_entry, jump_stamp_end
jump_stamps_start:
	.set control, jump_stamps_start - JUMP_CONTROL_BYTES

jump_stamp_entry:
	BEGIN	out = .Lentry_out
	MAY_TELL .Ltake_for_entry
.Lmay_tell_entry:
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
	LEAVE_CHILD .Lentry_out
	.irp	way, 0, 1, 2, 3
	cmpq	$0, 8 * \way(%r9)
	je	.Lfree\way
	.endr
.Llost:
	FIRST_FIGURES number = %rsi
	lock incq JUMP_LOST(%rsi)
	jmp	.Ltell_nothing
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
	READ_CLOCKS rdtsc
	/* What the thread was away for by now is known from its last call here, if it was not away since. */
	cmp	%r10, 24 * JUMP_WAYS(%r9)
	jne	.Lsnapshot
	test	%r10, %r10
	jz	.Lno_clock
	cmp	%r11, 16 * JUMP_WAYS(%r9)
	jne	.Lsnapshot
.Lsnapped:
	THREAD_SLOT to = %rax
	cmp	%r10, (%rax)
	jne	.Ltake_slot
.Lenter:
	LEAVE_CHILD .Lentry_out
	/* In one instruction: a signal's handler may come in between. */
	incq	8(%rax)
	mov	8(%rax), %rcx
	mov	%rcx, 32 * JUMP_WAYS(%r9)
.Lbegun:
	mov	%rdx, 8 * JUMP_WAYS(%r9)
	test	%rbx, %rbx
	jnz	.Ltell_entry
.Lentry_out:
	END
.Lno_clock:
	LEAVE_CHILD .Lentry_out
	jmp	.Lbegun
	/* No thread first: if a handler leaves by longjmp in between, nobody takes a part for the whole. */
.Lsnapshot:
	LEAVE_CHILD .Lentry_out
	movq	$0, 24 * JUMP_WAYS(%r9)
	test	%r10, %r10
	jz	.Lbegun
	SNAPSHOT_OF way = %r9, to = %rdi
	.set	cause, 0
	.rept	JUMP_CAUSES
	mov	JUMP_CLOCK_CAUSES + 8 * cause(%rax), %rcx
	mov	%rcx, 8 * cause(%rdi)
	.set	cause, cause + 1
	.endr
	/* If it was away meanwhile, both clocks are read anew. */
	rdfsbase %rcx
	cmp	JUMP_CLOCK_THREAD(%rax), %rcx
	jne	.Lbegin
	cmp	JUMP_CLOCK_AWAY(%rax), %r11
	jne	.Lbegin
	mov	%r11, 16 * JUMP_WAYS(%r9)
	mov	%r10, 24 * JUMP_WAYS(%r9)
	jmp	.Lsnapped
.Ltake_slot:
	LEAVE_CHILD .Lentry_out
	mov	$1, %ecx
	shl	$JUMP_THREAD_TAKEN, %rcx
	lock add %rcx, 8(%rax)
	mov	%r10, (%rax)
	jmp	.Lenter
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
	LEAVE_CHILD .Lentry_out
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
	LEAVE_CHILD .Lentry_out
	lock incq JUMP_FAR_PLACES(%r8)
	jmp	.Llost

	.balign 64
jump_stamp_end:
	BEGIN	out = .Lend_out
	MAY_TELL .Ltake_for_end
.Lmay_tell_end:
	READ_CLOCKS rdtscp
	mov	%ecx, %r9d
	TAKE_PLACE far = .Ltell_nothing
	TAKE_SET to = %rax
	mov	%rsi, %rcx
	shl	$JUMP_PLACE_BITS, %rcx
	or	%rcx, %rdi
	.irp	way, 0, 1, 2, 3
	cmp	8 * \way(%rax), %rdi
	je	.Lfound\way
	.endr
	LEAVE_CHILD .Lend_out
	lock incq JUMP_UNMATCHED(%r8)
	jmp	.Ltell_nothing
.Lfound3:
	add	$8, %rax
.Lfound2:
	add	$8, %rax
.Lfound1:
	add	$8, %rax
.Lfound0:
	mov	%rax, %rdi
	LEAVE_CHILD .Lend_out
	test	%rbx, %rbx
	jnz	.Lnote_end
.Lnoted:
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
	/* What measured calls within this one took longer. */
	test	%r10, %r10
	jz	.Lunnested
	cmp	24 * JUMP_WAYS(%rdi), %r10
	jne	.Lunnested
	THREAD_SLOT to = %rax
	cmp	%r10, (%rax)
	jne	.Lunnested
	mov	8(%rax), %rcx
	sub	32 * JUMP_WAYS(%rdi), %rcx
	jne	.Lnested
.Linner:
	/* What the stamps themselves take between their two readings of the clock. */
	sub	JUMP_INNER(%r8), %rdx
	jbe	.Lshort
.Ltimed:
	/* From here on in ns, rounded: sums and histograms are of the same numbers. */
	mov	%rdx, %rax
	mulq	JUMP_RATE(%r8)
	shrd	$31, %rdx, %rax
	inc	%rax
	shr	%rax
	mov	%rax, %rdx
	mov	JUMP_LONGEST(%rsi), %rax
.Llongest:
	cmp	%rax, %rdx
	ja	.Llonger
.Lon_cpu:
	cmpq	$0, JUMP_CLOCKS(%r8)
	je	.Lbucket
	test	%r10, %r10
	jz	.Lunknown
	cmp	24 * JUMP_WAYS(%rdi), %r10
	jne	.Lunknown
	sub	16 * JUMP_WAYS(%rdi), %r11
	jne	.Laway
	mov	JUMP_LONGEST_ON_CPU(%rsi), %rax
.Llongest_on_cpu:
	cmp	%rax, %rdx
	ja	.Llonger_on_cpu
.Lbucket:
	test	%rbx, %rbx
	jnz	.Ltell_end
.Ltold:
	mov	%rdx, %rax
	BUCKET_OF %rax
	LEAVE_CHILD .Lend_out
	/* Behind the causes: who reads it before them never takes for running what the call waited. */
	lock add %rdx, JUMP_TOTAL(%rsi)
	lock incq JUMP_COUNTS(%rsi, %rax, 8)
	movq	$0, (%rdi)
.Lend_out:
	END
.Llonger:
	lock cmpxchg %rdx, JUMP_LONGEST(%rsi)
	jne	.Llongest
	jmp	.Lon_cpu
.Llonger_on_cpu:
	lock cmpxchg %rdx, JUMP_LONGEST_ON_CPU(%rsi)
	jne	.Llongest_on_cpu
	jmp	.Lbucket
#include "away.h"
.Lbelow_none:
	neg	%r10
	lock add %r10, JUMP_BEYOND(%rsi)
	xor	%r10d, %r10d
	jmp	.Lran
.Labove_all:
	neg	%r11
	lock add %r11, JUMP_BEYOND(%rsi)
	mov	%rdx, %r10
	jmp	.Lran
.Lnested:
	mov	%rcx, %rax
	shr	$(JUMP_THREAD_TAKEN - 1), %rax
	jnz	.Lunnested
	LEAVE_CHILD .Lend_out
	lock add %rcx, JUMP_NESTED(%rsi)
	imul	JUMP_CALL(%r8), %rcx
	sub	%rcx, %rdx
	jae	.Linner
	sub	JUMP_INNER(%r8), %rdx
	jmp	.Lshort
.Lunnested:
	cmpq	$0, JUMP_CLOCKS(%r8)
	je	.Linner
	LEAVE_CHILD .Lend_out
	lock add %rdx, JUMP_UNNESTED(%rsi)
	jmp	.Linner
.Lbackwards:
	lock incq JUMP_BACKWARDS(%r8)
	xor	%edx, %edx
	jmp	.Lcount
.Lshort:
	LEAVE_CHILD .Lend_out
	neg	%rdx
	lock add %rdx, JUMP_MISSING(%rsi)
	lock incq JUMP_SHORT(%rsi)
	xor	%edx, %edx
	jmp	.Ltimed

#include "tell.h"
	/* An error if they need more room than they have. */
	.org	jump_stamps_start + JUMP_STAMPS_BYTES
jump_stamps_end:
	.section .note.GNU-stack, "", @progbits
