/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the code that a process has in memory with the file that it maps there.  Under a probe
 * the kernel runs the file's instruction, even if the process has patched, relocated or moved it.
 *
 * Each page is read once.  If it differs, it is read again for each question about it.
 */
#ifndef KVIEW_MEMORY_CODE_H
#define KVIEW_MEMORY_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_code {
	int memory, file;	/* descriptors of /proc/PID/mem and of the file, the caller's */
	uint64_t start, end;	/* of the mapping: addresses in the process, at page borders */
	uint64_t offset;	/* in the file, of start */
	uint8_t *pages;		/* what is known about each; at first NULL; the caller frees it */
};

enum code_in_memory {
	CODE_SAME,		/* except for breakpoints of a debugger or of probes */
	CODE_OTHER,
	CODE_UNREADABLE,	/* the memory can't be read, or the file is shorter */
};

/* Whether the whole page with this place of the file is the same in memory as in the file. */
bool memory_code__page_is_same(struct memory_code *code, uint64_t file_offset);

/*
 * Compares length bytes at this place of the file, which must all be in the mapping.  *breakpoints
 * is set if there are breakpoints that the file does not have; it may be NULL.
 */
enum code_in_memory memory_code__look(struct memory_code *code, uint64_t file_offset,
				      uint64_t length, bool *breakpoints);

#endif
