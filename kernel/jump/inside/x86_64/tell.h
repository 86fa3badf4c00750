/* SPDX-License-Identifier: MIT */
/* How the stamps tell of single calls: a part of stamps.S, which jumps here only where there are rings.  See layout.h. */

	/*
	 * Takes a slot of the ring in r9, for what is in r11: rcx, or 1 if there is no room.  Changes rax, rdx and r11.  One that is given up
	 * stays taken, until the reader comes by.  That is looked up before it is taken: it was given up before the tail went past it then, and is
	 * not again before somebody has taken it.
	 */
.Ltake:
	mov	JUMP_RING_HEAD(%r9), %rax
.Ltake_at:
	mov	%rax, %rcx
	sub	JUMP_RING_TAIL(%r9), %rcx
	cmp	JUMP_RING_SLOTS(%r8), %rcx
	jae	.Lno_room
	mov	JUMP_RING_SLOTS(%r8), %rcx
	lea	-1(%rcx), %rdx
	and	%rax, %rdx
	shl	$JUMP_SLOT_SHIFT, %rcx
	add	%r9, %rcx
	cmpb	$0, JUMP_RING_FIRST(%rcx, %rdx)
	jne	.Lgiven_up
	LEAVE_CHILD .Lno_room
	lea	1(%rax), %rdx
	lock cmpxchg %rdx, JUMP_RING_HEAD(%r9)
	jne	.Ltake_at
	mov	JUMP_RING_SLOTS(%r8), %rcx
	dec	%rcx
	and	%rax, %rcx
	shl	$JUMP_SLOT_SHIFT, %rcx
	lea	JUMP_RING_FIRST(%r9, %rcx), %rcx
	shl	$62, %r11
	or	%r11, %rdx
	mov	%rdx, JUMP_SLOT_READY(%rcx)
	ret
.Lgiven_up:
	LEAVE_CHILD .Lno_room
	lea	1(%rax), %rdx
	lock cmpxchg %rdx, JUMP_RING_HEAD(%r9)
	jmp	.Ltake
.Lno_room:
	mov	$1, %ecx
	ret
.Ltake_for_entry:
	RING_HERE
	mov	$JUMP_SLOT_CALL, %r11d
	call	.Ltake
	mov	%rcx, %rbx
	/* The clock is not read before. */
	lfence
	jmp	.Lmay_tell_entry
.Ltake_for_end:
	RING_HERE
	mov	$JUMP_SLOT_CALL, %r11d
	call	.Ltake
	mov	%rcx, %rbx
	jmp	.Lmay_tell_end
.Ltell_nothing:
	cmp	$1, %rbx
	jbe	.Lend_out
	LEAVE_CHILD .Lend_out
	movq	$0, JUMP_SLOT_KEY(%rbx)
	SLOT_READY %rbx
	jmp	.Lend_out
.Ltell_entry:
	cmp	$1, %rbx
	je	.Lentry_dropped
	LEAVE_CHILD .Lentry_out
	NOTE_CALL key = (%r9)
	LEAVE_CHILD .Lentry_out
	movq	$0, JUMP_SLOT_BEGAN(%rbx)
	SLOT_READY %rbx
	jmp	.Lentry_out
.Lentry_dropped:
	RING_HERE
	LEAVE_CHILD .Lentry_out
	lock incq JUMP_RING_DROPPED(%r9)
	jmp	.Lentry_out
.Lnote_end:
	cmp	$1, %rbx
	je	.Lend_dropped
	NOTE_CALL key = (%rdi)
	mov	8 * JUMP_WAYS(%rdi), %rax
	mov	%rax, JUMP_SLOT_BEGAN(%rbx)
	jmp	.Lnoted
.Lend_dropped:
	mov	%r9d, %ebx
	RING_HERE
	LEAVE_CHILD .Lend_out
	lock incq JUMP_RING_DROPPED(%r9)
	mov	%ebx, %r9d
	xor	%ebx, %ebx
	jmp	.Lnoted
.Ltell_end:
	mov	%rdx, JUMP_SLOT_WALL(%rbx)
	LEAVE_CHILD .Lend_out
	movq	$0, JUMP_SLOT_MORE(%rbx)
	SLOT_READY %rbx
	jmp	.Ltold
	/*
	 * r10: where its causes are, rdx: how long it took.  r8 and r9 had to be used for other things, and come from no slot: a child that a
	 * handler forked in here has the same slot, and writes there as well.  Such a child has no shared part, and tells nothing.
	 */
.Ltell_causes:
	mov	control(%rip), %r8
	test	%r8, %r8
	jz	.Ltold
	mov	%rdx, JUMP_SLOT_WALL(%rbx)
	push	%rdx
	/* The causes have to be in the slot's ring, wherever this thread is by now. */
	mov	%rbx, %rax
	sub	%r8, %rax
	sub	JUMP_RINGS(%r8), %rax
	xor	%edx, %edx
	divq	JUMP_RING_BYTES(%r8)
	mov	%rbx, %r9
	sub	%rdx, %r9
	.set	slot, 0
	.rept	2
	mov	$JUMP_SLOT_OF_CAUSES, %r11d
	call	.Ltake
	cmp	$1, %rcx
	je	.Lno_causes
	movq	$0, JUMP_SLOT_KEY(%rcx)
	.set	cause, slot * JUMP_CAUSES_IN_SLOT
	.rept	JUMP_CAUSES_IN_SLOT
	.if	cause < JUMP_CAUSES
	mov	8 * cause(%r10), %rax
	mov	%rax, JUMP_SLOT_CAUSES + 8 * (cause - slot * JUMP_CAUSES_IN_SLOT)(%rcx)
	.endif
	.set	cause, cause + 1
	.endr
	mov	JUMP_SLOT_READY(%rcx), %eax
	sub	JUMP_SLOT_READY(%rbx), %eax
	LEAVE_CHILD .Lchild_with_causes
	mov	%eax, JUMP_SLOT_MORE + 4 * slot(%rbx)
	SLOT_READY %rcx
	btrq	$62, JUMP_SLOT_READY(%rcx)
	.set	slot, slot + 1
	.endr
	pop	%rdx
	LEAVE_CHILD .Lend_out
	SLOT_READY %rbx
	jmp	.Ltold
.Lchild_with_causes:
	pop	%rdx
	jmp	.Lend_out
	/* What makes no sense the reader counts as lost; one that it has given up meanwhile was counted as such already. */
.Lno_causes:
	LEAVE_CHILD .Lchild_with_causes
	pop	%rdx
	movl	$-1, JUMP_SLOT_MORE(%rbx)
	SLOT_READY %rbx
	jmp	.Ltold
