// SPDX-License-Identifier: GPL-2.0
/* From a frame to its caller's, by rules and a copy of the stack. */
#include "lookup/frame_rules.h"

#include <string.h>

#include "lookup/frame_reader.h"

#define STACK_ROOM	16
/*
 * Of one expression, and of all that are evaluated on one stack.  Compilers and C libraries write some ten bytes;
 * hostile files could have megabytes for each register of each frame.  No step is shorter than a byte.
 */
#define MAX_EXPRESSION_BYTES	256
#define MAX_STACK_EXPRESSION_BYTES	20000

struct machine {
	const struct frame_state *state;
	uint32_t evaluated;		/* bytes of expressions, on this stack */
	const struct frame_memory *memory;
	uint64_t stack[STACK_ROOM];
	unsigned int depth;
	bool failed;
	bool is_too_long;	/* an expression: the frame counts as one without rules */
};

static void push(struct machine *m, uint64_t value)
{
	if (m->depth == STACK_ROOM)
		m->failed = true;
	else
		m->stack[m->depth++] = value;
}

static uint64_t pop(struct machine *m)
{
	if (!m->depth) {
		m->failed = true;
		return 0;
	}
	return m->stack[--m->depth];
}

static bool is_known(const struct frame_state *state, uint64_t reg)
{
	return reg < FRAME_REGISTERS && state->known & 1u << reg;
}

static void push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (is_known(m->state, reg))
		push(m, m->state->registers[reg] + offset);
	else
		m->failed = true;
}

static void dereference(struct machine *m)
{
	uint64_t value = 0;

	if (!frame_memory__read(m->memory, pop(m), &value))
		m->failed = true;
	push(m, value);
}

static void compute(struct machine *m, uint8_t op)
{
	uint64_t right = pop(m), left = pop(m);

	switch (op) {
	case 0x1a: push(m, left & right); break;
	case 0x1c: push(m, left - right); break;
	case 0x1e: push(m, left * right); break;
	case 0x21: push(m, left | right); break;
	case 0x22: push(m, left + right); break;
	case 0x24: push(m, right < 64 ? left << right : 0); break;
	case 0x25: push(m, right < 64 ? left >> right : 0); break;
	case 0x27: push(m, left ^ right); break;
	case 0x29: push(m, left == right); break;
	case 0x2a: push(m, (int64_t)left >= (int64_t)right); break;
	case 0x2b: push(m, (int64_t)left > (int64_t)right); break;
	case 0x2c: push(m, (int64_t)left <= (int64_t)right); break;
	case 0x2d: push(m, (int64_t)left < (int64_t)right); break;
	case 0x2e: push(m, left != right); break;
	default: m->failed = true;
	}
}

static void execute(struct machine *m, struct reader *in)
{
	uint8_t op = take(in, 1);
	uint64_t value;

	if (op >= 0x30 && op <= 0x4f) {				/* lit0 to lit31 */
		push(m, op - 0x30);
	} else if (op >= 0x70 && op <= 0x8f) {			/* breg0 to breg31 */
		push_register(m, op - 0x70, take_sleb(in));
	} else if (op == 0x92) {				/* bregx */
		value = take_uleb(in);
		push_register(m, value, take_sleb(in));
	} else if (op == 0x06) {
		dereference(m);
	} else if (op >= 0x08 && op <= 0x0f) {			/* const1u to const8s */
		unsigned int bytes = 1u << ((op - 0x08) / 2), shift = 64 - 8 * bytes;

		value = take(in, bytes);
		push(m, op & 1 && shift ? (uint64_t)((int64_t)(value << shift) >> shift) : value);
	} else if (op == 0x10) {				/* constu */
		push(m, take_uleb(in));
	} else if (op == 0x11) {				/* consts */
		push(m, take_sleb(in));
	} else if (op == 0x12) {				/* dup */
		value = pop(m);
		push(m, value);
		push(m, value);
	} else if (op == 0x13) {				/* drop */
		pop(m);
	} else if (op == 0x23) {				/* plus_uconst */
		push(m, pop(m) + take_uleb(in));
	} else {
		compute(m, op);
	}
}

/* Has no jumps, so it ends.  with: what is on its stack at the beginning, or NULL. */
static bool evaluate(struct machine *m, const struct frame_info *info,
		     const struct frame_expression *expression, const uint64_t *with, uint64_t *value)
{
	const uint8_t *at = info->bytes.data + expression->at;
	struct reader in = { at, at + expression->length };

	if (expression->at > info->bytes.length || expression->length > info->bytes.length - expression->at)
		return false;
	if (expression->length > MAX_EXPRESSION_BYTES || m->evaluated > MAX_STACK_EXPRESSION_BYTES) {
		m->is_too_long = true;
		return false;
	}
	m->evaluated += expression->length;
	m->depth = 0;
	m->failed = false;
	if (with)
		push(m, *with);
	while (in.at && in.at < in.end && !m->failed)
		execute(m, &in);
	*value = pop(m);
	return in.at && !m->failed;
}

static bool find_cfa(struct machine *m, const struct frame_rules *rules, const struct frame_info *info,
		     uint64_t *cfa)
{
	if (rules->cfa_kind == FRAME_CFA_EXPRESSION)
		return evaluate(m, info, &rules->cfa_expression, NULL, cfa);
	if (rules->cfa_kind != FRAME_CFA_REGISTER || !is_known(m->state, rules->cfa_register))
		return false;
	*cfa = m->state->registers[rules->cfa_register] + rules->cfa_offset;
	return true;
}

/* The caller's register; false if it is not known. */
static bool find_register(struct machine *m, const struct frame_rule *rule, const struct frame_info *info,
			  unsigned int reg, uint64_t cfa, uint64_t *value)
{
	uint64_t address;

	switch (rule->kind) {
	case FRAME_RULE_SAME:
		if (!is_known(m->state, reg))
			return false;
		*value = m->state->registers[reg];
		return true;
	case FRAME_RULE_AT:
		return frame_memory__read(m->memory, cfa + rule->offset, value);
	case FRAME_RULE_IS:
		*value = cfa + rule->offset;
		return true;
	case FRAME_RULE_REGISTER:
		if (!is_known(m->state, rule->reg))
			return false;
		*value = m->state->registers[rule->reg];
		return true;
	case FRAME_RULE_AT_EXPRESSION:
		return evaluate(m, info, &rule->expression, &cfa, &address) &&
		       frame_memory__read(m->memory, address, value);
	case FRAME_RULE_IS_EXPRESSION:
		return evaluate(m, info, &rule->expression, &cfa, value);
	default:
		return false;
	}
}

enum frame_step frame_state__step(struct frame_state *state, const struct frame_rules *rules,
				  const struct frame_info *info, const struct frame_memory *memory)
{
	struct machine m = { .state = state, .memory = memory, .evaluated = state->evaluated };
	struct frame_state caller = { .known = 0 };
	uint64_t cfa;
	unsigned int reg;

	if (rules->registers[FRAME_RIP].kind == FRAME_RULE_UNDEFINED)
		return FRAME_STEP_START;
	if (rules->registers[FRAME_RIP].kind == FRAME_RULE_SAME || !find_cfa(&m, rules, info, &cfa))
		return FRAME_STEP_FAILED;
	for (reg = 0; reg < FRAME_REGISTERS; reg++)
		if (find_register(&m, &rules->registers[reg], info, reg, cfa, &caller.registers[reg]))
			caller.known |= 1u << reg;
	caller.evaluated = m.evaluated;
	if (m.is_too_long)
		return FRAME_STEP_FAILED;
	if (rules->registers[FRAME_RSP].kind == FRAME_RULE_SAME) {
		caller.registers[FRAME_RSP] = cfa;
		caller.known |= 1u << FRAME_RSP;
	}
	if (!is_known(&caller, FRAME_RIP) || !is_known(&caller, FRAME_RSP))
		return FRAME_STEP_FAILED;
	*state = caller;
	return FRAME_STEP_CALLER;
}
