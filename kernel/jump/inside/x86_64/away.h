/* SPDX-License-Identifier: MIT */
/* How an end's stamp divides the time of a call whose thread was away, or is not known: a part of stamps.S. */

	/* Nothing is known of its beginning or its end, or it ends on another thread. */
.Lunknown:
	LEAVE_CHILD .Lend_out
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
	LEAVE_CHILD .Lend_out
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
	LEAVE_CHILD .Lend_out
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
	LEAVE_CHILD .Lend_out
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
	LEAVE_CHILD .Lend_out
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
	LEAVE_CHILD .Lend_out
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
