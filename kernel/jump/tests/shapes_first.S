/* SPDX-License-Identifier: GPL-2.0 */
/* What is decided by a function's first instruction, as in shapes.S. */
#include "shapes.h"
	.text

/* How far the return address is behind that has to be known. = grows: fits entry+7,5 both+7,13 end+19,1|2 */
FUNCTION(grows)
	sub	$0x200, %rsp
	mov	$1, %eax
	add	$0x200, %rsp
	ret
	END(grows)
/* = aligns: first instruction */
FUNCTION(aligns)
	lea	-0x200(%rsp), %rsp
	mov	$1, %eax
	lea	0x200(%rsp), %rsp
	ret
	END(aligns)

/* What does nothing before it ends, or goes on elsewhere. = returns_only: fits both+0,1 end+0,1 */
FUNCTION(returns_only)
	ret
	END(returns_only)
/* = returns_longer: first instruction */
FUNCTION(returns_longer)
	repz ret
	END(returns_longer)

/* = goes_on_only: fits both+0,5 end+0,5 */
FUNCTION(goes_on_only)
	jmp	aligns
	END(goes_on_only)

/* That is where the entry is. = loop_behind_first: loop at its entry */
FUNCTION(loop_behind_first)
	push	%rbx
1:	add	%rdi, %rax
	dec	%esi
	jnz	1b
	pop	%rbx
	ret
	END(loop_behind_first)

/* What may trap for what it is stays at its address. */
	.macro	TRAPS name, code:vararg
	.balign 16, 0xcc
NEXT(\name)
	xor	%eax, %eax
	\code
	ret
	END(\name)
	.endm
/* = traps_asked: instruction can't move */
	TRAPS	traps_asked, cpuid
/* = traps_clock: instruction can't move */
	TRAPS	traps_clock, rdtsc
/* = traps_port: instruction can't move */
	TRAPS	traps_port, in %dx, %al
/* = traps_flags: instruction can't move */
	TRAPS	traps_flags, popf
/* = traps_segment: instruction can't move */
	TRAPS	traps_segment, mov %eax, %es
/* = traps_base: instruction can't move */
	TRAPS	traps_base, wrfsbase %rax
/* = traps_control: instruction can't move */
	TRAPS	traps_control, fldcw 0x200(%rdi)
/* = traps_environment: instruction can't move */
	TRAPS	traps_environment, fldenv 0x200(%rdi)
/* = traps_masks: instruction can't move */
	TRAPS	traps_masks, fnstenv 0x200(%rdi)
/* = traps_unit: instruction can't move */
	TRAPS	traps_unit, frstor 0x200(%rdi)
/* = traps_vectors: instruction can't move */
	TRAPS	traps_vectors, fxrstor 0x200(%rdi)
/* = traps_all_units: instruction can't move */
	TRAPS	traps_all_units, xrstor 0x200(%rdi)
/* = traps_monitor: instruction can't move */
	TRAPS	traps_monitor, monitor
/* = traps_mwait: instruction can't move */
	TRAPS	traps_mwait, mwait
/* = traps_clac: instruction can't move */
	TRAPS	traps_clac, clac
/* = traps_vmcall: instruction can't move */
	TRAPS	traps_vmcall, vmcall
/* = traps_vmfunc: instruction can't move */
	TRAPS	traps_vmfunc, vmfunc
/* = traps_enclave: instruction can't move */
	TRAPS	traps_enclave, enclu

	.section .note.GNU-stack, "", @progbits
