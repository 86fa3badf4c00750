/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code that a process maps: which file and function an address belongs to, and how to get from a
 * frame there to its caller's.  What is read of the files is the work of whoever wrote them: the readers
 * in lookup/ bound everything.
 */
#ifndef KVIEW_SURVEY_CODE_H
#define KVIEW_SURVEY_CODE_H

#include "lookup/frame_rules.h"
#include "lookup/process_files.h"
#include "lookup/symbols.h"

struct survey_file {
	char *path;		/* as the process sees it; "[vdso]" for the kernel's part */
	uint64_t device, inode;	/* inode 0: the kernel's */
	uint64_t bias;		/* between addresses of the process and of the file */
	struct elf_file elf;
	struct frame_info frames;
	struct symbols symbols;
	bool is_open, is_loaded;	/* once it is loaded, its descriptor is closed */
	pid_t pid;		/* 0 for the kernel's */
};

struct survey_code;

/* Opens the files that the process maps now.  NULL: error says why. */
struct survey_code *survey_code__new(pid_t pid, struct error *error);
void survey_code__free(struct survey_code *code);
/* To be called now and then: if code was met that was not mapped before, looks again. */
void survey_code__follow(struct survey_code *code);

/* A place in a file. */
struct survey_place {
	uint32_t file;			/* index */
	uint64_t address;		/* in the file's address space */
	const struct frame_function *frame;	/* NULL: none is known */
};
/* False where it is in no file. */
bool survey_code__find(struct survey_code *code, uint64_t ip, struct survey_place *place);
/* The rules at a place that has a frame; NULL: they are not understood. */
const struct frame_rules *survey_code__rules(struct survey_code *code, const struct survey_place *place);

/* A thread that was interrupted in what jumps of a recording lead to is where that stands for in the program. */
void survey_code__leave_jumps(const struct survey_code *code, const struct frame_memory *memory, struct frame_state *state);

size_t survey_code__nr_files(const struct survey_code *code);
const struct survey_file *survey_code__file(const struct survey_code *code, uint32_t index);

/*
 * The function at a place: its start, and its symbol, which belongs to the file; NULL if it has none.
 * Of a part that was moved away (NAME.cold) it is the function itself.
 */
const char *survey_code__symbol(struct survey_code *code, const struct survey_place *place,
				uint64_t *start);

#endif
