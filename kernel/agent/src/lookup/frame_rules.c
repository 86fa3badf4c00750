// SPDX-License-Identifier: GPL-2.0
#include "lookup/frame_rules.h"

#include <string.h>

#include "lookup/frame_cie.h"
#include "lookup/frame_reader.h"

/* How many instructions a function may have: compilers write some tens, hostile files could have millions. */
#define MAX_INSTRUCTIONS	20000

struct program {
	const struct frame_info *info;
	struct frame_cie cie;
	struct frame_rules initial, *now;
	struct frame_rules remembered[4];
	unsigned int nr_remembered;
	uint64_t address, wanted;
	unsigned int executed;
};

static void set(struct program *p, uint64_t reg, struct frame_rule rule)
{
	if (reg < FRAME_REGISTERS)
		p->now->registers[reg] = rule;
}

static void set_offset(struct program *p, uint64_t reg, uint8_t kind, uint64_t offset)
{
	set(p, reg, (struct frame_rule){ .kind = kind, .offset = (int64_t)(offset * (uint64_t)p->cie.data_align) });
}

static struct frame_expression take_expression(struct program *p, struct reader *in)
{
	uint64_t length = take_uleb(in);
	struct frame_expression expression = { in->at ? in->at - p->info->bytes.data : 0, length };

	skip(in, length);
	return expression;
}

static void define_cfa(struct program *p, uint64_t reg, int64_t offset)
{
	p->now->cfa_kind = reg < FRAME_REGISTERS ? FRAME_CFA_REGISTER : FRAME_CFA_UNKNOWN;
	p->now->cfa_register = reg;
	p->now->cfa_offset = offset;
}

static void restore(struct program *p, uint64_t reg)
{
	if (reg < FRAME_REGISTERS)
		p->now->registers[reg] = p->initial.registers[reg];
}

static void remember(struct program *p, struct reader *in)
{
	if (p->nr_remembered == sizeof(p->remembered) / sizeof(*p->remembered))
		in->at = NULL;
	else
		p->remembered[p->nr_remembered++] = *p->now;
}

static void recall(struct program *p, struct reader *in)
{
	if (!p->nr_remembered)
		in->at = NULL;
	else
		*p->now = p->remembered[--p->nr_remembered];
}

static void execute_extended(struct program *p, struct reader *in, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case 0x00:						/* nop */
		break;
	case 0x05:						/* offset_extended */
		reg = take_uleb(in);
		set_offset(p, reg, FRAME_RULE_AT, take_uleb(in));
		break;
	case 0x06:						/* restore_extended */
		restore(p, take_uleb(in));
		break;
	case 0x07:						/* undefined */
		set(p, take_uleb(in), (struct frame_rule){ .kind = FRAME_RULE_UNDEFINED });
		break;
	case 0x08:						/* same_value */
		set(p, take_uleb(in), (struct frame_rule){ .kind = FRAME_RULE_SAME });
		break;
	case 0x09: {						/* register */
		reg = take_uleb(in);
		uint64_t other = take_uleb(in);

		set(p, reg, (struct frame_rule){ .kind = other < FRAME_REGISTERS ? FRAME_RULE_REGISTER :
						 FRAME_RULE_UNDEFINED, .reg = other });
		break;
	}
	case 0x0a:
		remember(p, in);
		break;
	case 0x0b:
		recall(p, in);
		break;
	case 0x0c:						/* def_cfa */
		reg = take_uleb(in);
		define_cfa(p, reg, take_uleb(in));
		break;
	case 0x12:						/* def_cfa_sf */
		reg = take_uleb(in);
		define_cfa(p, reg, take_sleb(in) * (uint64_t)p->cie.data_align);
		break;
	case 0x0d:						/* def_cfa_register */
		define_cfa(p, take_uleb(in), p->now->cfa_offset);
		break;
	case 0x0e:						/* def_cfa_offset */
		p->now->cfa_offset = take_uleb(in);
		break;
	case 0x13:						/* def_cfa_offset_sf */
		p->now->cfa_offset = take_sleb(in) * (uint64_t)p->cie.data_align;
		break;
	case 0x0f:						/* def_cfa_expression */
		p->now->cfa_kind = FRAME_CFA_EXPRESSION;
		p->now->cfa_expression = take_expression(p, in);
		break;
	case 0x10: case 0x16:					/* expression, val_expression */
		reg = take_uleb(in);
		set(p, reg, (struct frame_rule){
			.kind = op == 0x10 ? FRAME_RULE_AT_EXPRESSION : FRAME_RULE_IS_EXPRESSION,
			.expression = take_expression(p, in) });
		break;
	case 0x11:						/* offset_extended_sf */
		reg = take_uleb(in);
		set_offset(p, reg, FRAME_RULE_AT, take_sleb(in));
		break;
	case 0x14: case 0x15:					/* val_offset, val_offset_sf */
		reg = take_uleb(in);
		set_offset(p, reg, FRAME_RULE_IS, op == 0x14 ? take_uleb(in) : (uint64_t)take_sleb(in));
		break;
	case 0x2e:						/* GNU_args_size */
		take_uleb(in);
		break;
	default:
		in->at = NULL;
	}
}

/* Up to the wanted address, or the end; false if it is not understood. */
static bool execute(struct program *p, struct reader in)
{
	while (in.at && in.at < in.end) {
		uint8_t op = take(&in, 1);
		uint64_t advance = 0, offset;

		if (p->executed++ > MAX_INSTRUCTIONS)
			return false;
		switch (op >> 6) {
		case 1:
			advance = (op & 0x3f) * p->cie.code_align;
			break;
		case 2:
			offset = take_uleb(&in);
			set_offset(p, op & 0x3f, FRAME_RULE_AT, offset);
			break;
		case 3:
			restore(p, op & 0x3f);
			break;
		default:
			if (op >= 0x02 && op <= 0x04)
				advance = take(&in, 1 << (op - 2)) * p->cie.code_align;
			else
				execute_extended(p, &in, op);
		}
		if (in.at && advance > p->wanted - p->address)
			return true;
		p->address += advance;
	}
	return in.at;
}

bool frame_rules__find(struct frame_rules *rules, const struct frame_info *info,
		       const struct frame_function *function, uint64_t address)
{
	struct program p = { .info = info, .now = rules, .wanted = UINT64_MAX };
	const uint8_t *data = info->bytes.data;

	*rules = (struct frame_rules){ .cfa_kind = FRAME_CFA_UNKNOWN };
	if (!frame_cie__read(&info->bytes, function->cie, &p.cie) ||
	    p.cie.return_register != FRAME_RIP || !execute(&p, p.cie.program))
		return false;
	p.initial = *rules;
	p.address = function->start;
	p.wanted = address;
	if (!execute(&p, (struct reader){ data + function->program, data + function->program_end }))
		return false;
	rules->is_signal = p.cie.is_signal;
	return rules->cfa_kind != FRAME_CFA_UNKNOWN;
}

bool frame_memory__read(const struct frame_memory *memory, uint64_t address, uint64_t *value)
{
	if (memory->nr_bytes < sizeof(*value) || address < memory->at ||
	    address - memory->at > memory->nr_bytes - sizeof(*value))
		return false;
	memcpy(value, memory->bytes + (address - memory->at), sizeof(*value));
	return true;
}
