/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places of a file's code that something may lead to other than the instruction before: jumps and calls, tables of
 * jumps, pointers, exceptions, and where functions begin.
 *
 * The list may contain too many places, but must not lack any, because code is overwritten wherever
 * nothing is listed.  So everything that looks like a jump or a pointer counts.  Only addresses
 * that a program computes without naming any place nearby are not seen.
 */
#ifndef KVIEW_JUMP_TARGETS_H
#define KVIEW_JUMP_TARGETS_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/symbols.h"

enum target_kind {
	TARGET_JUMP = 1,	/* of a direct jump or call */
	TARGET_ADDRESS = 2,	/* its address is taken, by an instruction or in data */
	TARGET_TABLE = 4,	/* in what may be a table of offsets */
	TARGET_START = 8,	/* a function, a part of one, or a record of frames begins there */
	TARGET_LANDING = 16,	/* exceptions go on there */
	TARGET_WATCHED = 32,	/* a static probe (USDT) is there, whose users put traps there */
};

struct target_range {
	uint64_t start, end;	/* in the file's address space */
	uint8_t *bytes;		/* the file's, and 16 that are 0 */
	uint8_t *kinds;		/* for each byte of code; NULL: not executable */
};

#define TARGETS_MAX_RANGES 32
struct targets {
	struct target_range ranges[TARGETS_MAX_RANGES];
	size_t nr_ranges;
	bool is_fixed;		/* the file is always loaded at the addresses that it has */
	bool has_restartable;	/* restartable sequences: they must not be left unnoticed */
	char reason[160];	/* one sentence if targets__find returned -1 */
};

/*
 * Returns 0, or -1 with reason: then nothing in this file can be overwritten.  symbols and frames are those of the file.
 * Free in both cases.
 */
int targets__find(struct targets *targets, struct elf_file *file, const struct symbols *symbols,
		  const struct frame_info *frames);
void targets__free(struct targets *targets);

/* Which of target_kind an address is; 0: none, and also outside of the code. */
uint8_t targets__at(const struct targets *targets, uint64_t address);
/* Of all from start on and below end. */
uint8_t targets__within(const struct targets *targets, uint64_t start, uint64_t end);

/* The strongest of them in words. */
const char *targets__what(uint8_t kinds);

/* For those who find some.  The first does nothing outside of the code. */
void targets__mark(struct targets *targets, uint64_t address, enum target_kind kind);
const struct target_range *targets__range_of(const struct targets *targets, uint64_t address);
/* Marks what a table of 32-bit offsets from its own start, if there is one at this address, leads to. */
void targets__mark_table(struct targets *targets, uint64_t table);

/* By architecture: marks what the instructions of a range lead to.  All functions' starts are marked already. */
void targets__scan(struct targets *targets, const struct target_range *range);

/*
 * Marks where exceptions go on in a function.  False if that can't be told.
 */
bool targets__mark_landings(struct targets *targets, const struct frame_function *function);

#endif
