/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code that a process maps: which file and function an address belongs to, and how to get from a
 * frame there to its caller's.  What is read of the files is the work of whoever wrote them: the readers
 * in lookup/ bound everything.
 */
#ifndef KVIEW_STACKS_CODE_H
#define KVIEW_STACKS_CODE_H

#include "lookup/frame_rules.h"
#include "lookup/process_files.h"
#include "lookup/symbols.h"

struct stack_file {
	char *path;		/* as the process sees it; "[vdso]" for the kernel's part */
	uint64_t device, inode;	/* inode 0: the kernel's */
	uint64_t bias;		/* between addresses of the process and of the file */
	struct elf_file elf;
	struct frame_info frames;
	struct symbols symbols;
	bool is_open, is_loaded;	/* once it is loaded, its descriptor is closed */
	pid_t pid;		/* 0 for the kernel's */
};

struct stack_code;

/* Opens the files that the process maps now.  NULL: error says why. */
struct stack_code *stack_code__new(pid_t pid, struct error *error);
void stack_code__free(struct stack_code *code);
/* To be called now and then: if code was met that was not mapped before, looks again.  True: it did, and what is mapped may be different. */
bool stack_code__follow(struct stack_code *code);
/* What the process mapped at the last look. */
const struct process_files *stack_code__maps(const struct stack_code *code);

/* A place in a file. */
struct stack_place {
	uint32_t file;			/* index */
	uint64_t address;		/* in the file's address space */
	const struct frame_function *frame;	/* NULL: none is known */
};
/* False where it is in no file. */
bool stack_code__find(struct stack_code *code, uint64_t ip, struct stack_place *place);
/* The rules at a place that has a frame; NULL: they are not understood. */
const struct frame_rules *stack_code__rules(struct stack_code *code, const struct stack_place *place);

/* A thread that was interrupted in what jumps of a recording lead to is where that stands for in the program. */
void stack_code__leave_jumps(const struct stack_code *code, const struct frame_memory *memory, struct frame_state *state);

size_t stack_code__nr_files(const struct stack_code *code);
const struct stack_file *stack_code__file(const struct stack_code *code, uint32_t index);

/*
 * The function at a place: its start, and its symbol, which belongs to the file; NULL if it has none.
 * Of a part that was moved away (NAME.cold) it is the function itself.
 */
const char *stack_code__symbol(struct stack_code *code, const struct stack_place *place,
				uint64_t *start);

#endif
