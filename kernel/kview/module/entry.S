/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where every thunk ends up: by a CALL in private text, through the thunk.
 *
 *	 rsp -> 168: site + 5		(the hooked function goes on there)
 *		152: sp 160: ss
 *		...			struct pt_regs as at the site
 *	 rsp ->   0: r15
 *
 * A kprobe or raw tracepoint program may read all of pt_regs; none can write it.
 * So only argument registers need restoring: C code preserves the callee-saved
 * ones, and rax, r10 and r11 mean nothing at a function's entry or at a call.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

	.text
.macro KVIEW_ENTRY name handler
SYM_CODE_START(\name)
	ANNOTATE_NOENDBR		/* reached by direct jumps alone */
	UNWIND_HINT_FUNC
	pushq	$__KERNEL_DS
	pushq	%rsp			/* sp: as at the function's entry, ... */
	addq	$16, (%rsp)		/* ... that is above site + 5 */
	pushfq
	pushq	$__KERNEL_CS
	pushq	32(%rsp)		/* ip: the site */
	subq	$5, (%rsp)
	pushq	$-1			/* orig_ax: not a system call */
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	UNWIND_HINT_REGS
	movl	%r11d, %edi
	movq	%rsp, %rsi
	call	\handler
	movq	64(%rsp), %r9
	movq	72(%rsp), %r8
	movq	88(%rsp), %rcx
	movq	96(%rsp), %rdx
	movq	104(%rsp), %rsi
	movq	112(%rsp), %rdi
	testq	%rax, %rax
	jnz	.Lchain\@
	addq	$168, %rsp
	UNWIND_HINT_FUNC
	RET
.Lchain\@:
	/*
	 * Another tracer has a call at this place in the base.  Go where it
	 * goes, with the stack as if the site had called it.
	 */
	UNWIND_HINT_REGS
	movq	%rax, 160(%rsp)
	addq	$160, %rsp
	UNWIND_HINT_FUNC
	RET
SYM_CODE_END(\name)
.endm

/* from thunks, which say in r11d which spot it is */
KVIEW_ENTRY kview_entry kview_handler

/* from kview_filter(), with the stack as from a thunk */
KVIEW_ENTRY kview_filter_entry kview_filter_handler
