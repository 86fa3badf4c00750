/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether what a process has in memory where it maps a file's code is what the file has there.
 * The kernel runs the file's instruction under a probe, whatever the process has made of it:
 * patched, relocated, moved away.
 *
 * Each page is read once, and once more by whoever asks about a page that differs.
 */
#ifndef KVIEW_MEMORY_CODE_H
#define KVIEW_MEMORY_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_code {
	int memory, file;	/* descriptors of /proc/PID/mem and of the file, the caller's */
	uint64_t start, end;	/* of the mapping: addresses of the process, multiples of a page */
	uint64_t offset;	/* in the file, of start */
	uint8_t *pages;		/* what is known of each; begins as NULL, to be freed by the caller */
};

enum code_in_memory {
	CODE_SAME,		/* but for breakpoints, of a debugger or of probes */
	CODE_OTHER,
	CODE_UNREADABLE,	/* the memory can't be read, or the file is shorter */
};

/* Whether the whole page with this place of the file, in the mapping, is as the file has it. */
bool memory_code__page_is_same(struct memory_code *code, uint64_t file_offset);

/*
 * Compares length bytes from this place of the file on, all of them in the mapping.  *breakpoints
 * is set where some of them are breakpoints that the file does not have; it may be NULL.
 */
enum code_in_memory memory_code__look(struct memory_code *code, uint64_t file_offset,
				      uint64_t length, bool *breakpoints);

#endif
