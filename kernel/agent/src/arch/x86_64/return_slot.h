/* SPDX-License-Identifier: GPL-2.0 */
/* How x86-64 code uses return addresses on the stack: its own and those of its callers. */
#ifndef KVIEW_RETURN_SLOT_H
#define KVIEW_RETURN_SLOT_H

#include "arch/x86_64/code_region.h"
#include "lookup/stack_proof.h"

/*
 * Notes in proof how insns[index] uses return addresses that it addresses by rsp or rbp, in a
 * function that .eh_frame describes, and whether it can write the stack pointer in a signal
 * handler's context.  To be called in ascending order.
 */
void code_region__note_returns(struct code_region *region, size_t index,
			       const ZydisDecodedInstruction *insn, struct stack_proof *proof);

#endif
