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
	jz	.Lbegun
	cmp	%r11, 16 * JUMP_WAYS(%r9)
	jne	.Lsnapshot
.Lsnapped:
	THREAD_SLOT to = %rax
	cmp	%r10, (%rax)
	jne	.Ltake_slot
.Lenter:
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
	/* No thread first: if a handler leaves by longjmp in between, nobody takes a part for the whole. */
.Lsnapshot:
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
	/* Behind the causes: who reads it before them never takes for running what the call waited. */
	lock add %rdx, JUMP_TOTAL(%rsi)
	BUCKET_OF %rdx
	lock incq JUMP_COUNTS(%rsi, %rdx, 8)
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
	/* Nothing is known of its beginning or its end, or it ends on another thread. */
.Lunknown:
	lock incq JUMP_UNKNOWN(%rsi)
	lock add %rdx, JUMP_UNKNOWN_TOTAL(%rsi)
	mov	%rdx, %rax
	BUCKET_OF %rax
	lock decq JUMP_MOVED(%rsi, %rax, 8)
	mov	%rdx, %r11
	movq	$0, 24 * JUMP_WAYS(%rdi)
	SNAPSHOT_OF way = %rdi, to = %r10
	jmp	.Lother
	/* Its thread was away for r11; r10: how long it ran. */
.Laway:
	mov	%r11, %r9
	lock add %r11, JUMP_AWAY(%rsi)
	mov	%rdx, %r10
	sub	%r11, %r10
	jl	.Lbelow_none
	test	%r11, %r11
	js	.Labove_all
.Lran:
	mov	JUMP_LONGEST_ON_CPU(%rsi), %rax
.Llongest_ran:
	cmp	%rax, %r10
	ja	.Llonger_ran
.Lmove:
	mov	%rdx, %r11
	sub	%r10, %r11
	mov	%rdx, %rax
	BUCKET_OF %rax
	lock decq JUMP_MOVED(%rsi, %rax, 8)
	BUCKET_OF %r10
	lock incq JUMP_MOVED(%rsi, %r10, 8)
	test	%r11, %r11
	jz	.Lbucket
	/*
	 * r11: how long it did not run; r9: how long it was away.  What that was for takes the place of the snapshot, which no later
	 * call needs: no thread first, as above.
	 */
	movq	$0, 24 * JUMP_WAYS(%rdi)
	SNAPSHOT_OF way = %rdi, to = %r10
	mov	JUMP_CLOCKS(%r8), %rcx
	CLOCK_HERE clocks = %rcx, none = .Luntold
	xor	%r8d, %r8d
	.set	cause, 0
	.rept	JUMP_CAUSES
	mov	JUMP_CLOCK_CAUSES + 8 * cause(%rax), %rcx
	sub	8 * cause(%r10), %rcx
	js	.Luntold
	mov	%rcx, 8 * cause(%r10)
	add	%rcx, %r8
	.set	cause, cause + 1
	.endr
	/* All of them are of the moment at which the clocks were read, if the thread has not been away since. */
	rdfsbase %rcx
	cmp	JUMP_CLOCK_THREAD(%rax), %rcx
	jne	.Luntold
	mov	JUMP_CLOCK_AWAY(%rax), %rcx
	sub	16 * JUMP_WAYS(%rdi), %rcx
	cmp	%r9, %rcx
	jne	.Luntold
	/* Nothing was known of it at one of them. */
	cmp	%r8, %r9
	jne	.Luntold
	/* By so much it was away for longer than the call took; that is taken off the first causes. */
	sub	%r11, %r8
	xor	%r9d, %r9d
.Lcause:
	mov	(%r10, %r9, 8), %r11
	sub	%r8, %r11
	jbe	.Lshorten
	xor	%r8d, %r8d
.Ladd_cause:
	mov	%r11, (%r10, %r9, 8)
	lock add %r11, JUMP_CAUSE_TOTALS(%rsi, %r9, 8)
	mov	JUMP_CAUSE_LONGEST(%rsi, %r9, 8), %rax
.Llongest_off:
	cmp	%rax, %r11
	ja	.Llonger_off
.Loff_bucket:
	BUCKET_OF %r11
	imul	$JUMP_CAUSE_BYTES, %r9, %rax
	add	%rsi, %rax
	lock incl JUMP_CAUSE_COUNTS(%rax, %r11, 4)
.Lnext_cause:
	inc	%r9d
	cmp	$JUMP_CAUSES, %r9d
	jb	.Lcause
	test	%rbx, %rbx
	jnz	.Ltell_causes
	jmp	.Lbucket
.Lshorten:
	movq	$0, (%r10, %r9, 8)
	neg	%r11
	mov	%r11, %r8
	jmp	.Lnext_cause
.Luntold:
	lock incq JUMP_UNTOLD(%rsi)
	lock add %r11, JUMP_UNTOLD_TOTAL(%rsi)
	/* All of r11 is under other, and nothing under the other causes. */
.Lother:
	.set	cause, 0
	.rept	JUMP_CAUSES
	movq	$0, 8 * cause(%r10)
	.set	cause, cause + 1
	.endr
	mov	$JUMP_CAUSE_OTHER, %r9d
	xor	%r8d, %r8d
	test	%r11, %r11
	jnz	.Ladd_cause
	jmp	.Lbucket
.Llonger_ran:
	lock cmpxchg %r10, JUMP_LONGEST_ON_CPU(%rsi)
	jne	.Llongest_ran
	jmp	.Lmove
.Llonger_off:
	lock cmpxchg %r11, JUMP_CAUSE_LONGEST(%rsi, %r9, 8)
	jne	.Llongest_off
	jmp	.Loff_bucket
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
	lock add %rcx, JUMP_NESTED(%rsi)
	imul	JUMP_CALL(%r8), %rcx
	sub	%rcx, %rdx
	jae	.Linner
	sub	JUMP_INNER(%r8), %rdx
	jmp	.Lshort
.Lunnested:
	cmpq	$0, JUMP_CLOCKS(%r8)
	je	.Linner
	lock add %rdx, JUMP_UNNESTED(%rsi)
	jmp	.Linner
.Lbackwards:
	lock incq JUMP_BACKWARDS(%r8)
	xor	%edx, %edx
	jmp	.Lcount
.Lshort:
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
