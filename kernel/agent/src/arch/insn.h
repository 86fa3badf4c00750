/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the lookup needs to know about machine code.  Each architecture implements it, in
 * arch/ARCH/insn.c and the files beside it.
 */
#ifndef KVIEW_INSN_H
#define KVIEW_INSN_H

#include "lookup/code.h"

/* The length of the longest instruction. */
#define INSN_MAX_BYTES	15

/*
 * Decodes the instruction at insn->address: sets length, kind and what belongs to that kind.  bytes
 * has left bytes, at least one.  False if that is not an instruction.
 */
bool insn__decode(struct code_insn *insn, const uint8_t *bytes, size_t left);

/* What uprobes do with an instruction; FN_INSN_UNSPECIFIED: some kernel refuses a probe on it. */
enum fn_insn_cost insn__cost(const uint8_t *bytes, size_t left);

/*
 * Whether the entry probe may come after this instruction: it neither changes the stack pointer nor
 * jumps, and does not take long (no page fault, no repetition).
 */
bool insn__may_go_first(const struct code_insn *insn, const uint8_t *bytes, size_t left);

/* By how many bytes it makes the stack grow; negative: shrink; 0: not at all, or not known. */
int64_t insn__stack_growth(const uint8_t *bytes, size_t left);

/* Whether a jump may lead to its second byte, because the first one is an optional prefix. */
bool insn__has_optional_prefix(const struct code_insn *insn, const uint8_t *bytes);

/* The slot from which the code at an address reads where to jump, as in a .plt section. */
bool insn__slot_of_jump(const struct elf_file *file, uint64_t address, uint64_t *slot);

/* Which of the 16 general registers the instruction may change, a bit each. */
uint16_t insn__written(const struct code_insn *insn, const uint8_t *bytes, size_t left);

/* Where the indirect jump at insns[index] can lead.  code->flow must be filled. */
enum code_table insn__table_of(struct code *code, size_t index);

/* False, with a sentence in code, if an instruction shows that some of the code is data. */
bool insn__is_sound(const struct code *code, const struct code_insn *insn, const uint8_t *bytes);

#endif
