/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the lookup asks about machine code: implemented once for each architecture, in
 * arch/ARCH/insn.c and what is beside it.
 */
#ifndef KVIEW_INSN_H
#define KVIEW_INSN_H

#include "lookup/code.h"

/* The longest instruction. */
#define INSN_MAX_BYTES	15

/*
 * Decodes the instruction at insn->address: sets length, kind and what goes with it.  bytes
 * has left of them, more than 0.  False where there is none.
 */
bool insn__decode(struct code_insn *insn, const uint8_t *bytes, size_t left);

/* What uprobes do with it; FN_INSN_UNSPECIFIED: some kernel refuses to put a probe there. */
enum fn_insn_cost insn__cost(const uint8_t *bytes, size_t left);

/*
 * Whether the entry probe may come after this instruction: it neither moves the stack
 * pointer nor goes elsewhere nor can wait (for a page, or in a repetition).
 */
bool insn__may_go_first(const struct code_insn *insn, const uint8_t *bytes, size_t left);

/* By how many bytes it lets the stack grow, negative: shrink; 0 if none or not known. */
int64_t insn__stack_growth(const uint8_t *bytes, size_t left);

/* Whether a jump may lead behind its first byte, which is a prefix. */
bool insn__has_optional_prefix(const struct code_insn *insn, const uint8_t *bytes);

/* The address from which the code there jumps on, as in a table of jumps to other files. */
bool insn__slot_of_jump(const struct elf_file *file, uint64_t address, uint64_t *slot);

/* Which of the 16 general registers may hold something else afterwards, a bit each. */
uint16_t insn__written(const struct code_insn *insn, const uint8_t *bytes, size_t left);

/* Where the indirect jump at insns[index] can lead.  code has its flow. */
enum code_table insn__table_of(struct code *code, size_t index);

/* False, with a sentence, where an instruction shows that some of the code is data. */
bool insn__is_sound(const struct code *code, const struct code_insn *insn, const uint8_t *bytes);

#endif
