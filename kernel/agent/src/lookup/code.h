/* SPDX-License-Identifier: GPL-2.0 */
/* The instructions of one function, and all the ways in which they can end a call. */
#ifndef KVIEW_CODE_H
#define KVIEW_CODE_H

#include "lookup/elf_file.h"
#include "lookup/flow.h"
#include "lookup/frame_info.h"
#include "lookup/symbols.h"

enum code_kind {
	CODE_PLAIN,
	CODE_END,		/* nothing runs after it: a trap, a return from an interrupt */
	CODE_CALL,		/* with target; 0 if it is indirect */
	CODE_RET,
	CODE_JUMP,		/* with target */
	CODE_JUMP_COND,		/* with target and condition */
	CODE_LOOP,		/* with target; its condition is not a flag */
	CODE_JUMP_REG,		/* with reg */
	CODE_JUMP_MEM,
	CODE_PADDING,		/* nops and landing pads: endbr64, bti */
};

/* Whose addresses are in an indirect jump's table: that decides whether it can end the call. */
enum code_table { CODE_TABLE_UNKNOWN, CODE_TABLE_OWN, CODE_TABLE_OF_OTHERS };

struct code_insn {
	uint64_t address;
	uint64_t target;
	enum code_kind kind;
	uint8_t length;
	uint8_t condition;	/* as struct fn_site has it */
	uint8_t reg;		/* as struct fn_site has it */
	enum code_table table;	/* of an indirect jump */
};

struct code_range {
	uint64_t start, end;	/* in the file's address space */
	uint64_t file_offset;	/* of start */
	struct elf_bytes bytes;
	size_t first_insn, nr_insns;	/* in struct code, ascending */
};

/* The first range is the function's own, the others are its parts elsewhere. */
#define CODE_MAX_RANGES 512
struct code {
	struct elf_file *file;
	struct code_range ranges[CODE_MAX_RANGES];
	size_t nr_ranges;
	struct code_insn *insns;
	size_t nr_insns;
	size_t room;
	struct flow flow;		/* only if there are indirect jumps */
	const struct symbols *symbols;
	const struct frame_info *frames;
	const char *function;		/* its symbol's name */
	uint64_t new_part, new_part_bytes;	/* to be added: a table leads there; or 0 */
	char reason[256];		/* one sentence if code__read returned -1 */
};

/*
 * Decodes size bytes of the function, and the parts to which it jumps.  Returns 0, or -1 with
 * reason if it can't be probed.  Free in both cases.
 */
int code__read(struct code *code, struct elf_file *file, const struct symbols *symbols,
	       const struct frame_info *frames, const struct fn_symbol *function, uint64_t size);
void code__free(struct code *code);

/* The range that contains this address; NULL outside of the function. */
const struct code_range *code__range_of(const struct code *code, uint64_t address);
/* The instruction that begins at this address, or NULL. */
const struct code_insn *code__insn_at(const struct code *code, uint64_t address);
/* The bytes at an address; left is set to how many its range still has.  NULL outside. */
const uint8_t *code__bytes(const struct code *code, uint64_t address, size_t *left);

/* Both return 0, or -1 with reason.  The second adds the parts to which the code jumps. */
int code__add_range(struct code *code, uint64_t address, uint64_t size);
int code__add_parts(struct code *code);
/*
 * The size and the start of the part of the function that contains this address; 0: there is none.
 * by_table: the address is from a table that also leads to places within the function.
 */
uint64_t code__find_part(const struct code *code, uint64_t address, bool by_table,
			 uint64_t *start);

/*
 * Fills in the place for the entry probe, its cost, and the sites of function, whose address and
 * file_offset are set.  It becomes probeable or gets a reason.  Returns -1 without memory.
 */
int code__describe(const struct code *code, struct fn_function *function);
/* Whether the instruction may end the call. */
bool code__is_way_out(const struct code *code, const struct code_insn *insn);
/*
 * Finds the first way out to which nothing in the function leads; NULL: none, or it is not known
 * where all jumps or exceptions lead.  Returns -1 without memory.
 */
int code__find_unreached_end(const struct code *code, const struct code_insn **end);
/* As code__describe, but only the sites: reason stays NULL if these are all ways out. */
int code__find_sites(const struct code *code, struct fn_function *function);

#endif
