/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the compiler says about stack frames (.eh_frame): which bytes are a function's code, and how
 * to compute the canonical frame address (CFA: the caller's rsp at the call) at each instruction.
 * The return address is at CFA - 8.
 */
#ifndef KVIEW_FRAME_INFO_H
#define KVIEW_FRAME_INFO_H

#include "lookup/elf_file.h"

struct frame_function {
	uint64_t start, end;		/* in the file's address space */
	uint32_t cie, program, program_end;	/* offsets in the section */
	bool has_landing_pads;		/* exceptions may enter it where no jump leads */
	uint64_t landing_table;		/* which says where; 0: none; UINT64_MAX: not understood */
};

struct frame_info {
	struct elf_bytes bytes;
	struct frame_function *all;	/* ascending by start */
	size_t nr;
};

/* Returns 0, also if the file has none; -1 if it is not understood.  Free in both cases. */
int frame_info__read(struct frame_info *info, const struct elf_file *file);
void frame_info__free(struct frame_info *info);

/* The function that contains this address, or NULL. */
const struct frame_function *frame_info__at(const struct frame_info *info, uint64_t address);

enum frame_cfa_kind {
	FRAME_CFA_UNKNOWN,
	FRAME_CFA_REGISTER,		/* reg + offset */
	FRAME_CFA_EXPRESSION,		/* read from the frame, after the stack was realigned */
};

#define FRAME_STATES 16
struct frame_cfa {
	enum frame_cfa_kind kind;
	uint8_t reg;			/* by DWARF's numbers */
	int64_t offset;
};

/* Goes through one function's instructions in ascending order. */
struct frame_walk {
	const struct frame_info *info;
	const uint8_t *at, *end;
	uint64_t address;		/* the present rule holds from this address on */
	uint64_t code_align;
	int64_t data_align;
	struct frame_cfa now, remembered[FRAME_STATES];
	unsigned int nr_remembered;
	unsigned int executed;
};

void frame_walk__init(struct frame_walk *walk, const struct frame_info *info,
		      const struct frame_function *function);
/* The rule at this address, which must not be lower than that of the last call. */
struct frame_cfa frame_walk__cfa(struct frame_walk *walk, uint64_t address);

#endif
