/* SPDX-License-Identifier: GPL-2.0 */
/* What x86-64 code does with return addresses on the stack, its own and its callers'. */
#ifndef KVIEW_RETURN_SLOT_H
#define KVIEW_RETURN_SLOT_H

#include "arch/x86_64/code_region.h"
#include "lookup/stack_proof.h"

/*
 * Notes in proof what insns[index] has to do with return addresses, where it addresses them by rsp
 * or rbp in a function that .eh_frame describes; and whether it can write the stack pointer in a
 * signal handler's context.  To be called in ascending order.
 */
void code_region__note_returns(struct code_region *region, size_t index,
			       const ZydisDecodedInstruction *insn, struct stack_proof *proof);

#endif
