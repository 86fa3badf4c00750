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
	push	%r10
	push	%r11
	mov	%eax, %esi
	lahf
	seto	%al
	push	%rax
	mov	control(%rip), %r8
	test	%r8, %r8
	jz	\out
	.endm

	/* Nine registers, the return address, the program's rax. */
	.set PLACE, 9 * 8 + 8 + 8 + 128

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
	shl	$7, %rax
	lea	JUMP_SETS(%r8, %rax), \to
	.endm

	.macro END
	pop	%rax
	add	$0x7f, %al
	sahf
	pop	%r11
	pop	%r10
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

	/* rax: where the clock of the processor is that this runs on; to the label if it has none. */
	.macro CLOCK_HERE none
	rdpid	%rax
	and	$(JUMP_MAX_CLOCKS - 1), %eax
	cmp	JUMP_NR_CLOCKS(%r8), %eax
	jae	\none
	shl	$JUMP_CLOCK_SHIFT, %eax
	add	%rdi, %rax
	.endm

	/*
	 * Both clocks, at one moment.  If that of the thread is the same before and after the time-stamp counter is read, and
	 * so is the processor, it ran here throughout: it never comes back without having been away for some time.
	 */
	.macro TRY_CLOCKS read, done
	CLOCK_HERE none = .Lnone\@
	mov	JUMP_CLOCK_AWAY(%rax), %r11
	mov	%rax, %r10
	\read
	shl	$32, %rdx
	or	%rax, %rdx
	CLOCK_HERE none = .Lnone\@
	cmp	%rax, %r10
	jne	.Lnone\@
	cmp	JUMP_CLOCK_AWAY(%rax), %r11
	jne	.Lnone\@
	rdfsbase %r10
	cmp	JUMP_CLOCK_THREAD(%rax), %r10
	mov	JUMP_CLOCK_NUMBER(%rax), %r10
	je	\done
.Lnone\@:
	.endm

	/*
	 * rdx: the time-stamp counter; r10: the thread's number, or 0 if its time is not known; r11: its part of the clock.  Changes
	 * rax, rcx and rdi.
	 */
	.macro READ_CLOCKS read
	mov	JUMP_CLOCKS(%r8), %rdi
	test	%rdi, %rdi
	jz	.Lplain\@
	TRY_CLOCKS \read, .Lread\@
	/* It was switched or moved in between, or the kernel told of no switch to it. */
	TRY_CLOCKS \read, .Lread\@
.Lplain\@:
	xor	%r10d, %r10d
	xor	%r11d, %r11d
	\read
	shl	$32, %rdx
	or	%rax, %rdx
.Lread\@:
	.endm

	/* A histogram's bucket of \ticks, in its place.  Changes rcx. */
	.macro BUCKET_OF ticks
	mov	\ticks, %rcx
	or	$16, %rcx
	bsr	%rcx, %rcx
	sub	$4, %ecx
	shr	%cl, \ticks
	shl	$4, %ecx
	add	%rcx, \ticks
	mov	$(JUMP_BUCKETS - 1), %ecx
	cmp	%rcx, \ticks
	cmova	%rcx, \ticks
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
	READ_CLOCKS rdtsc
	mov	%r10, 24 * JUMP_WAYS(%r9)
	mov	%r11, 16 * JUMP_WAYS(%r9)
	mov	%rdx, 8 * JUMP_WAYS(%r9)
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
	READ_CLOCKS rdtscp
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
	jmp	.Lbucket
	/* Its thread was away for r11 ns; r10: how many ticks it ran. */
.Laway:
	lock add %r11, JUMP_AWAY(%rsi)
	mov	%rdx, %rcx
	mov	JUMP_RATE(%r8), %rax
	imul	%r11
	shrd	$32, %rdx, %rax
	mov	%rcx, %rdx
	mov	%rdx, %r10
	sub	%rax, %r10
	jl	.Lbelow_none
	test	%rax, %rax
	js	.Labove_all
.Lran:
	mov	JUMP_LONGEST_ON_CPU(%rsi), %rax
.Llongest_ran:
	cmp	%rax, %r10
	ja	.Llonger_ran
.Lmove:
	mov	%rdx, %rax
	BUCKET_OF %rax
	lock decq JUMP_MOVED(%rsi, %rax, 8)
	BUCKET_OF %r10
	lock incq JUMP_MOVED(%rsi, %r10, 8)
	jmp	.Lbucket
.Llonger_ran:
	lock cmpxchg %r10, JUMP_LONGEST_ON_CPU(%rsi)
	jne	.Llongest_ran
	jmp	.Lmove
.Lbelow_none:
	neg	%r10
	lock add %r10, JUMP_BEYOND(%rsi)
	xor	%r10d, %r10d
	jmp	.Lran
.Labove_all:
	neg	%rax
	lock add %rax, JUMP_BEYOND(%rsi)
	mov	%rdx, %r10
	jmp	.Lran
.Lbackwards:
	lock incq JUMP_BACKWARDS(%r8)
	xor	%edx, %edx
	jmp	.Lcount
	/* An error if they need more room than they have. */
	.org	jump_stamps_start + JUMP_STAMPS_BYTES
jump_stamps_end:
	.section .note.GNU-stack, "", @progbits
