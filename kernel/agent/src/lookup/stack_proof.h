/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Proves, from a file's code, that no thread ever switches to another stack: each instruction of
 * each executable section is decoded, and each one that writes the stack pointer is one that
 * compilers use to make and leave a function's frame.
 *
 * The proof assumes that no code is generated at run time, that no code outside of the executable
 * sections is executed, and that rbp really holds a frame's address where .eh_frame says that the
 * frame is addressed by rbp.
 */
#ifndef KVIEW_STACK_PROOF_H
#define KVIEW_STACK_PROOF_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/imports.h"

struct stack_proof {
	bool is_one_stack;
	uint64_t address;	/* of the instruction that leaves a doubt; 0: none does */
	const char *doubt;	/* what it does, in the form "loads …"; NULL without a doubt */
	/* What the first one that uses return addresses does, in the same form; otherwise NULL. */
	const char *return_doubt;
	uint64_t return_address;
	/*
	 * The first one that may write the stack pointer to which a signal handler returns; or 0.
	 */
	uint64_t context_address;
	bool sets_filters;	/* filters of system calls */
};

/*
 * starts: where functions begin according to their symbols, ascending.  Fills proof; returns -1
 * without memory.
 */
int stack_proof__examine(struct stack_proof *proof, const struct elf_file *file,
			 const uint64_t *starts, size_t nr_starts, const struct frame_info *frames,
			 const struct imports *imports);

#endif
