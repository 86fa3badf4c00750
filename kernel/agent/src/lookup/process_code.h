/* SPDX-License-Identifier: GPL-2.0 */
/* Compares the code that a process has in memory with that of its files. */
#ifndef KVIEW_PROCESS_CODE_H
#define KVIEW_PROCESS_CODE_H

#include <sys/types.h>

#include "lookup/elf_file.h"
#include "lookup/memory_code.h"
#include "lookup/process_files.h"

struct process_code {
	int memory;			/* -1: it can't be read */
	const struct process_files *maps;
	struct memory_code *pieces;	/* of maps->code, in its order */
};

/* maps stay the caller's.  Memory that the caller may not read is taken to be unchanged. */
void process_code__init(struct process_code *code, pid_t pid, const struct process_files *maps);
void process_code__free(struct process_code *code);

/*
 * Why no probe may be put into length bytes at an address of a file, which the process maps with
 * this bias and inode; NULL: nothing is known against it.
 */
const char *process_code__reason(struct process_code *code, const struct elf_file *file,
				 uint64_t inode, uint64_t bias, uint64_t address, uint64_t length);

/* The reasons, one sentence each. */
#define CODE_WAS_CHANGED "Its code in the memory of this process is not that of the file (patched, or relocated), and a probe would run the file's instructions."
#define CODE_IS_DATA "This process maps its file as data as well (to read, link or checksum it), and would read probes there instead of the file's bytes."
#define CODE_WAS_MOVED "This process has no code of the file at its place (moved to huge pages, for example), so that a probe would not be met."
#define CODE_IS_RELOCATED "Its file has text relocations (DT_TEXTREL): its instructions are changed when it is loaded, and a probe would run them as the file has them."

#endif
