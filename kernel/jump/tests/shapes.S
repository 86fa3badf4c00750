/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of all shapes, with what is to be decided of each: "= NAME: fits", and the windows as PLACE,BYTES from its
 * start, or the reason against it.  tests/decide_test.py compares.  FUNCTION fills up to the next one with int3, NEXT
 * follows immediately.
 */
#include "shapes.h"
	.text

/* The first instruction stays, and so on. = framed: fits entry+1,3|3 both+1,9|3 end+9,1|4 */
FUNCTION(framed)
	push	%rbp
	mov	%rsp, %rbp
	xor	%eax, %eax
	inc	%eax
	pop	%rbp
	ret
	END(framed)

/* The mark for indirect calls stays.  = marked: fits entry+4,5|1 both+4,11|2 end+14,1|2 */
FUNCTION(marked)
	endbr64
	lea	8(%rdi, %rsi), %rax
	movl	$1, %ecx
	ret
	nopw	0x1234(%rax, %rax)
	END(marked)

/* = jumps_on: fits both+7,5 end+7,5 */
FUNCTION(jumps_on)
	imul	$1234, %rdi, %rdi
	jmp	framed
	END(jumps_on)

/* A jump that may leave, and a return behind it. = may_jump_on: fits both+7,6 end+7,6 end+13,1 */
FUNCTION(may_jump_on)
	cmp	$1234, %rdi
	jne	framed
	ret
	END(may_jump_on)

/* Entry and end in one window. = all_in_one: fits both+2,1 end+2,1 */
FUNCTION(all_in_one)
	xor	%eax, %eax
	ret
	END(all_in_one)

/* Their windows overlap and become one. = overlapping: fits entry+3,3|2 both+3,6|2 end+8,1|3 */
FUNCTION(overlapping)
	mov	%rdi, %rax
	add	%rsi, %rax
	push	%rcx
	pop	%rcx
	ret
NEXT(behind_overlapping)
	mov	$0x1122334455, %rax
	ret
	END(behind_overlapping)
	.size	overlapping, behind_overlapping - overlapping
/* = behind_overlapping: fits both+10,1 end+10,1 */

/* = call_at_entry: call in the window */
FUNCTION(call_at_entry)
	sub	$8, %rsp
	call	framed
	add	$8, %rsp
	mov	$1, %eax
	ret
	END(call_at_entry)

/* = call_before_end: call in the window */
FUNCTION(call_before_end)
	mov	$1, %edi
	call	framed
	pop	%rdx
	ret
NEXT(behind_call)
	mov	$1, %eax
	ret
	.size	call_before_end, behind_call - call_before_end
	END(behind_call)
/* = behind_call: fits both+5,1 end+5,1 */

/* = loop_at_entry: loop at its entry */
FUNCTION(loop_at_entry)
	lea	0x1234(%rdi), %rdi
	dec	%esi
	jnz	loop_at_entry
	ret
	END(loop_at_entry)

/* = loop_behind_entry: fits entry+1,2 end+11,1|1 */
FUNCTION(loop_behind_entry)
	push	%rbx
	push	%r12
1:	add	%rdi, %rax
	dec	%esi
	jnz	1b
	pop	%rbx
	ret
	END(loop_behind_entry)

/* = entered_end: fits entry+5,2|1 end+15,1 */
FUNCTION(entered_end)
	mov	$1, %eax
	test	%edi, %edi
	jz	1f
	mov	$2, %eax
	pop	%rbx
1:	ret
NEXT(behind_entered)
	mov	$1, %eax
	ret
	.size	entered_end, behind_entered - entered_end
	END(behind_entered)
/* = behind_entered: fits both+5,1 end+5,1 */

/* The same, where the place that is jumped to is a window's beginning. = entered_window: fits entry+5,2|1 end+19,1 */
FUNCTION(entered_window)
	mov	$1, %eax
	test	%edi, %edi
	jz	1f
	movabs	$2, %rax
1:	ret
	END(entered_window)

/* Others jump into their first instructions, near and far. = entered_near: window is entered */
FUNCTION(entered_near)
	push	%rbx
	mov	%rdi, %rbx
	test	%rbx, %rbx
	pop	%rbx
	ret
	END(entered_near)
/* = enters_near: fits both+5,2 end+5,2 */
	.balign 4, 0xcc
NEXT(enters_near)
	mov	$1, %edi
	jmp	entered_near + 1
	END(enters_near)
/* = entered_far: window is entered */
FUNCTION(entered_far)
	push	%rbx
	mov	%rdi, %rbx
	test	%rbx, %rbx
	pop	%rbx
	ret
	END(entered_far)
/* = enters_far: fits entry+5,1|58 end+135,6|58 end+141,1 */
FUNCTION(enters_far)
	mov	$1, %edi
	.skip	130, 0x90
	jz	entered_far + 1
	ret
	END(enters_far)

/* Pointers: in data, by an instruction, and in a table of offsets. = pointed_at: window is entered */
FUNCTION(pointed_at)
	push	%rbx
	mov	%rdi, %rbx
	test	%rbx, %rbx
	pop	%rbx
	ret
	END(pointed_at)
/* = taken: fits entry+1,3 end+8,1|2 */
FUNCTION(taken)
	push	%rbx
	mov	%rdi, %rbx
	test	%rbx, %rbx
	pop	%rbx
	ret
	END(taken)
/* = takes: fits both+7,1 end+7,1 */
FUNCTION(takes)
	lea	taken + 4(%rip), %rax
	ret
	END(takes)
/* = in_table: fits entry+1,3 end+8,1|2 */
FUNCTION(in_table)
	push	%rbx
	mov	%rdi, %rbx
	test	%rbx, %rbx
	pop	%rbx
	ret
	END(in_table)
/* = reads_table: fits entry+7,4 both+7,5 end+11,1|1 */
FUNCTION(reads_table)
	lea	offsets(%rip), %rax
	movslq	(%rax, %rdi, 4), %rax
	ret
	END(reads_table)

/* = no_room: fits both+2,1 end+2,1 */
FUNCTION(no_room)
	xor	%eax, %eax
	ret
NEXT(behind_no_room)
	mov	$1, %eax
	ret
	.size	no_room, behind_no_room - no_room
	END(behind_no_room)
/* = behind_no_room: fits both+5,1 end+5,1 */

/* What looks like a filler is the next function. = no_filler: fits both+2,1 end+2,1 */
FUNCTION(no_filler)
	xor	%eax, %eax
	ret
NEXT(begins_with_nops)
	nopl	0x12(%rax)
	nop
	ret
	.size	no_filler, begins_with_nops - no_filler
	END(begins_with_nops)
/* = begins_with_nops: fits entry+4,1 both+4,2|1 end+5,1|1 */

/* The next one has no symbol; a mark for indirect calls is none of the fillers. = no_symbol_behind: fits both+2,1 end+2,1 */
FUNCTION(no_symbol_behind)
	xor	%eax, %eax
	ret
	.size	no_symbol_behind, . - no_symbol_behind
	endbr64
	ret

/* Symbols that lie. = overlapped: fits entry+1,3 end+10,1|2 */
FUNCTION(overlapped)
	push	%rbp
	mov	%rsp, %rbp
NEXT(overlaps)
	mov	$1, %eax
	pop	%rbp
	ret
	END(overlaps)
	END(overlapped)
/* = overlaps: fits entry+5,1 both+5,2 end+6,1|1 */
/* = cut: code not read to its end */
FUNCTION(cut)
	mov	$1, %eax
	ret
	mov	$1, %eax
	.size	cut, . - cut - 2
	ret
/* = cut_before_end: code not read to its end */
FUNCTION(cut_before_end)
	mov	$1, %eax
	END(cut_before_end)
	mov	$1, %edx
	ret
/* = without_size: code not read to its end */
FUNCTION(without_size)
	mov	$1, %eax
	ret

/* Its text holds the byte of a return. = data_behind: data in it */
FUNCTION(data_behind)
	lea	1f(%rip), %rax
	movzbl	(%rax, %rdi), %eax
	ret
	.balign 8, 0xcc
1:	.byte	0x90, 0x41, 0x51, 0xc3, 0x41, 0x52, 0x41, 0x53, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90
	END(data_behind)

/* = calls_itself_inside: data in it */
FUNCTION(calls_itself_inside)
	mov	$1, %ecx
	call	1f
1:	pop	%rax
	ret
	END(calls_itself_inside)

/* = system_call: instruction can't move */
FUNCTION(system_call)
	mov	%ecx, %eax
	syscall
	ret
	END(system_call)

/* = counts_down: instruction can't move */
FUNCTION(counts_down)
	mov	%edi, %ecx
	jrcxz	1f
	mov	$1, %eax
1:	ret
	END(counts_down)

/* = waits: fits entry+5,2|1 both+5,10|1 end+13,2|3 */
FUNCTION(waits)
	mov	$1, %eax
	pause
	pop	%rdx
	.byte	0x3e, 0x48, 0x8d, 0x52, 0x01
	repz ret
NEXT(behind_waits)
	mov	$1, %eax
	ret	$16
	.size	waits, behind_waits - waits
	END(behind_waits)
/* = behind_waits: fits both+5,3 end+5,3 */

/* An own table leads to all its ends. = switches: fits entry+7,3|1 end+25,1|1 end+31,1|1 */
FUNCTION(switches)
	lea	own(%rip), %rcx
	and	$1, %edi
	movslq	(%rcx, %rdi, 4), %rax
	add	%rcx, %rax
	notrack jmp *%rax
1:	mov	$1, %eax
	ret
2:	mov	$2, %eax
	ret
	nop
	END(switches)
/* Own tables, and behind the last return text with the byte of one. = switches_to_text: data in it */
FUNCTION(switches_to_text)
	lea	own_too(%rip), %rcx
	and	$1, %edi
	movslq	(%rcx, %rdi, 4), %rax
	add	%rcx, %rax
	notrack jmp *%rax
3:	mov	$1, %eax
	ret
4:	mov	$2, %eax
	ret
	.byte	0x90, 0x90, 0x90, 0x90, 0x90, 0xc3, 0x90, 0x90, 0x90, 0x90
	END(switches_to_text)
	.section .rodata
	.balign 4
own_too: .long	3b - own_too, 4b - own_too, 0
own:	.long	1b - own, 2b - own
offsets: .long	framed - offsets, in_table + 4 - offsets, 0
	.text

/* It goes wherever a pointer leads, and nothing has a pointer into it. = goes_on_by_pointer: fits both+7,2 end+7,2 */
FUNCTION(goes_on_by_pointer)
	mov	0x12345678(%rdi), %rax
	jmp	*%rax
	END(goes_on_by_pointer)
/* = stays_by_pointer: unknown jump */
FUNCTION(stays_by_pointer)
	lea	1f(%rip), %rax
	mov	%rax, (%rdi)
	jmp	*(%rsi)
1:	mov	$1, %eax
	ret
	END(stays_by_pointer)

/* Where exceptions go on. = lands_outside: fits entry+5,5 end+21,1|1 */
FUNCTION(lands_outside)
	.cfi_startproc
	.cfi_personality 0x1b, personality
	.cfi_lsda 0x1b, sites_outside
	mov	$1, %edi
	mov	$1, %eax
	call	framed
	mov	$2, %eax
	nop
	ret
	.cfi_endproc
	END(lands_outside)
/* = lands_inside: fits entry+5,5 end+22,1|1 */
FUNCTION(lands_inside)
	.cfi_startproc
	.cfi_personality 0x1b, personality
	.cfi_lsda 0x1b, sites_inside
	mov	$1, %edi
	mov	$1, %eax
	call	framed
	pop	%rbx
	pop	%r12
	mov	%eax, %eax
	pop	%r13
	ret
	.cfi_endproc
	END(lands_inside)
/* = behind_lands: fits both+5,1 end+5,1 */
NEXT(behind_lands)
	mov	$1, %eax
	ret
	END(behind_lands)
/* = personality: fits both+5,1 end+5,1 */
FUNCTION(personality)
	mov	$8, %eax
	ret
	END(personality)
	.balign 64, 0xcc

	.section .gcc_except_table, "a"
sites_outside:
	.byte	0xff, 0xff, 0x01, 4
	.uleb128 10, 5, 20, 0
sites_inside:
	.byte	0xff, 0xff, 0x01, 4
	.uleb128 10, 5, 20, 0

	.section .data.rel.ro, "aw"
	.balign 8
	.quad	pointed_at + 1, framed
	.section .note.GNU-stack, "", @progbits
