/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The proof, from a file's code, that it leaves every thread on the stack that it has: each
 * instruction of each executable section is decoded, and each that writes the stack pointer is
 * one that compilers use to make and leave a function's frame.
 *
 * What it rests on: no code is made as the program runs, none is executed that lies outside of
 * the executable sections, and where .eh_frame says that the frame is addressed by rbp, the
 * compiler who wrote so keeps a frame's address in it.
 */
#ifndef KVIEW_STACK_PROOF_H
#define KVIEW_STACK_PROOF_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/imports.h"

struct stack_proof {
	bool is_one_stack;
	uint64_t address;	/* of the instruction that leaves a doubt, 0: of none */
	const char *doubt;	/* what it does, in the form "loads …"; NULL without a doubt */
	/* Of the first one that has to do with return addresses, in the same form; else NULL. */
	const char *return_doubt;
	uint64_t return_address;
	/* The first one that may write the stack pointer which a signal handler goes back to; or 0. */
	uint64_t context_address;
	bool sets_filters;	/* of system calls */
};

/*
 * starts: where functions begin by their symbols, ascending.  Fills proof; returns -1 where
 * that is for lack of memory.
 */
int stack_proof__examine(struct stack_proof *proof, const struct elf_file *file,
			 const uint64_t *starts, size_t nr_starts, const struct frame_info *frames,
			 const struct imports *imports);

#endif
