/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How to get from a frame to its caller's (.eh_frame): where each register of the caller is, at one
 * instruction of a function.  Registers have DWARF's numbers for x86-64; 16 is the return address.
 */
#ifndef KVIEW_FRAME_RULES_H
#define KVIEW_FRAME_RULES_H

#include "lookup/frame_info.h"

#define FRAME_REGISTERS	17
#define FRAME_RBP	6
#define FRAME_RSP	7
#define FRAME_RIP	16

enum frame_rule_kind {
	FRAME_RULE_SAME,	/* the caller's register is unchanged, unless it is rsp */
	FRAME_RULE_UNDEFINED,	/* for rip: there is no caller */
	FRAME_RULE_AT,		/* in memory, at CFA + offset */
	FRAME_RULE_IS,		/* CFA + offset itself */
	FRAME_RULE_REGISTER,	/* in another register */
	FRAME_RULE_AT_EXPRESSION,	/* in memory, at what the expression yields, which gets the CFA */
	FRAME_RULE_IS_EXPRESSION,
};

struct frame_expression {
	uint32_t at, length;	/* in the section */
};

struct frame_rule {
	uint8_t kind;
	uint8_t reg;
	union {
		int64_t offset;
		struct frame_expression expression;
	};
};

struct frame_rules {
	uint8_t cfa_kind;	/* enum frame_cfa_kind */
	uint8_t cfa_register;
	bool is_signal;		/* its caller was interrupted where it is, it called nothing */
	union {
		int64_t cfa_offset;
		struct frame_expression cfa_expression;
	};
	struct frame_rule registers[FRAME_REGISTERS];
};

/* The rules at this address of the function; false if they are not understood. */
bool frame_rules__find(struct frame_rules *rules, const struct frame_info *info,
		       const struct frame_function *function, uint64_t address);

/* What was copied of a stack. */
struct frame_memory {
	uint64_t at;
	const uint8_t *bytes;
	size_t nr_bytes;
};
/* False where that was not copied. */
bool frame_memory__read(const struct frame_memory *memory, uint64_t address, uint64_t *value);

struct frame_state {
	uint64_t registers[FRAME_REGISTERS];
	uint32_t known;		/* bits by register */
	uint32_t evaluated;	/* bytes of expressions, from the innermost frame to this one; 0 at first */
};

enum frame_step { FRAME_STEP_CALLER, FRAME_STEP_START, FRAME_STEP_FAILED };

/*
 * Goes to the caller; FRAME_STEP_START: there is none, by the rules.  info is the one in which
 * the rules were found.
 */
enum frame_step frame_state__step(struct frame_state *state, const struct frame_rules *rules,
				  const struct frame_info *info, const struct frame_memory *memory);

#endif
