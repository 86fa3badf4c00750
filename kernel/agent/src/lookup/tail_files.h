/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in which calls go on: that of a search, and others of its process, which are opened
 * when calls are followed into them.
 */
#ifndef KVIEW_TAIL_FILES_H
#define KVIEW_TAIL_FILES_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/process_code.h"
#include "lookup/process_files.h"
#include "lookup/slots.h"
#include "lookup/symbols.h"

/* No file, no function. */
#define NOWHERE UINT32_MAX

struct tail_file {
	struct elf_file *file;
	struct symbols *symbols;
	struct frame_info *frames;
	struct slots slots;
	bool slots_read, is_own;
	bool is_relocated;		/* its code is changed when it is loaded */
	bool code_is_gone;		/* the process maps it, but not its code */
	const struct mapped_file *mapped;	/* NULL: it is not known where */
	char *open_path;
	struct fn_file_id id;
	uint64_t bias;			/* to be added for addresses in the process */
};

struct tail_files {
	pid_t pid;			/* 0: no process, one file */
	struct process_files maps;
	struct process_code code;
	struct tail_file *all;		/* the first is that of the search */
	size_t nr;
};

/* file, symbols and frames stay the caller's.  Returns -1 without memory; free in both cases. */
int tail_files__init(struct tail_files *files, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames);
void tail_files__free(struct tail_files *files);

/*
 * Why no probe may be put into length bytes at an address of a file, as the process has them in
 * memory; NULL: nothing is known against it, or there is no process.
 */
const char *tail_files__reason_against(struct tail_files *files, uint32_t file, uint64_t address,
				       uint64_t length);

/* Whether only the dynamic linker writes this slot; otherwise the next jump may go elsewhere. */
bool tail_file__is_linkers_slot(const struct tail_file *in, uint64_t slot);

/*
 * The place to which a slot of the process leads now: the index of its file, and the address in
 * that file.  NOWHERE if the slot is empty, the file can't be read, or there are too many files.
 */
uint32_t tail_files__in_slot(struct tail_files *files, uint32_t file, uint64_t slot,
			     uint64_t *address);

/* The symbol for which the dynamic linker fills a slot; NULL if it is none of its slots. */
const char *tail_files__import(struct tail_files *files, uint32_t file, uint64_t slot);

#endif
