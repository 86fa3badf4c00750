/* SPDX-License-Identifier: MIT */
/* What the stamps are made of; assembly, for stamps.S alone. */
#ifndef KVIEW_JUMP_MACROS_H
#define KVIEW_JUMP_MACROS_H

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
	push	%rbx
	mov	%eax, %esi
	lahf
	seto	%al
	push	%rax
	mov	control(%rip), %r8
	test	%r8, %r8
	jz	\out
	.endm

	/*
	 * To the label in a child that a signal's handler forked within this stamp and that came back from the handler: its control page is
	 * empty, and the shared part is its parent's.  Stands right before what others see.
	 */
	.macro LEAVE_CHILD to
	cmpq	$0, control(%rip)
	je	\to
	.endm

	/* Ten registers, the return address, the program's rax. */
	.set PLACE, 10 * 8 + 8 + 8 + 128

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
	imul	$JUMP_SET_BYTES, %rax, %rax
	lea	JUMP_SETS(%r8, %rax), \to
	.endm

	.macro END
	pop	%rax
	add	$0x7f, %al
	sahf
	pop	%rbx
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

	/* rax: where the clock of the processor is that this runs on, \clocks being where they are; to the label if it has none. */
	.macro CLOCK_HERE clocks, none
	rdpid	%rax
	and	$(JUMP_MAX_CLOCKS - 1), %eax
	cmp	JUMP_NR_CLOCKS(%r8), %eax
	jae	\none
	shl	$JUMP_CLOCK_SHIFT, %eax
	add	\clocks, %rax
	.endm

	/*
	 * Both clocks, at one moment.  If that of the thread is the same before and after the time-stamp counter is read, and
	 * so is the processor, it ran here throughout: it never comes back without having been away for some time.
	 */
	.macro TRY_CLOCKS read, done
	CLOCK_HERE clocks = %rdi, none = .Lnone\@
	mov	JUMP_CLOCK_AWAY(%rax), %r11
	mov	%rax, %r10
	\read
	shl	$32, %rdx
	or	%rax, %rdx
	CLOCK_HERE clocks = %rdi, none = .Lnone\@
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
	 * rdx: the time-stamp counter; r10: the thread's number, or 0 if its time is not known; else rax: its clock, r11: what it was
	 * away.  Changes rcx and rdi.
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

	/* The slot of the thread with the number in r10.  Changes rax. */
	.macro THREAD_SLOT to
	mov	%r10, \to
	shr	$32, \to
	and	$(JUMP_THREAD_SLOTS - 1), \to
	shl	$JUMP_THREAD_SHIFT, \to
	add	JUMP_THREADS(%r8), \to
	add	%r8, \to
	.endm

	/* Where the snapshot of the way is that \way points to.  Changes rcx. */
	.macro SNAPSHOT_OF way, to
	mov	\way, \to
	mov	\way, %rcx
	and	$-64, \to
	and	$63, %ecx
	imul	$(JUMP_SNAPSHOT_BYTES / 8), %ecx, %ecx
	lea	JUMP_SNAPSHOTS(\to, %rcx), \to
	.endm

	/* r9: the ring of the processor that this runs on. */
	.macro RING_HERE
	rdpid	%r9
	and	JUMP_RING_MASK(%r8), %r9d
	imul	JUMP_RING_BYTES(%r8), %r9
	add	JUMP_RINGS(%r8), %r9
	add	%r8, %r9
	.endm

	/* What is taken for what may be told is taken before the clock is read: see layout.h.  rbx: the slot; 0: nothing is told, 1: no room. */
	.macro MAY_TELL take
	xor	%ebx, %ebx
	cmpq	$0, JUMP_RINGS(%r8)
	jne	\take
	.endm

	/* The slot in \slot is written. */
	.macro SLOT_READY slot
	btrq	$63, JUMP_SLOT_READY(\slot)
	.endm

	/* What a slot says of an entry and of an end: its key, the time in rdx, and the thread whose number is in r10.  Changes rax. */
	.macro NOTE_CALL key
	mov	\key, %rax
	mov	%rax, JUMP_SLOT_KEY(%rbx)
	mov	%rdx, JUMP_SLOT_TICKS(%rbx)
	mov	%r10, %rax
	shr	$32, %rax
	mov	%eax, JUMP_SLOT_THREAD(%rbx)
	mov	%r10d, %eax
	shl	$JUMP_SLOT_BORN, %eax
	mov	%eax, JUMP_SLOT_PROCESSOR(%rbx)
	rdpid	%rax
	and	$(JUMP_MAX_CLOCKS - 1), %eax
	or	%eax, JUMP_SLOT_PROCESSOR(%rbx)
	rdfsbase %rax
	mov	%rax, JUMP_SLOT_BASE(%rbx)
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

#endif
