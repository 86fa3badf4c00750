/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the symbols of a stripped file that are stored elsewhere, where debuggers look for them:
 *
 *	/usr/lib/debug/.build-id/xx/yyyy.debug	of the same build id
 *	by the file's .gnu_debuglink		beside it, in .debug beside it, and below
 *						/usr/lib/debug; of the very CRC
 *	.gnu_debugdata				within the file, compressed by xz
 *
 * "Beside it" is the folder that the file really is in, not that of a link to it.  A debug file
 * counts only if it and its folder belong to root or the binary's owner, and nobody who may not
 * write the binary may write them.
 *
 * Each place is searched in the root of the process, then in the agent's own.  The author of the
 * binary chose these names, and may also have written the files to which they lead.  So nothing is
 * opened with more rights than the agent's caller has (rights.h), and sizes are limited.
 */
#ifndef KVIEW_DEBUG_FILE_H
#define KVIEW_DEBUG_FILE_H

#include <sys/types.h>

#include "lookup/elf_file.h"

struct debug_search {
	const struct elf_file *file;	/* the one that may be stripped */
	const char *path;		/* of this file, as the process sees it */
	pid_t pid;			/* 0: no process, only the agent's root is searched */
};

/* Opens the first one that exists.  Returns 0, or -1 with nothing left to close. */
int debug_file__find(struct elf_file *debug, const struct debug_search *search);

/* Opens the content of .gnu_debugdata as debug.  Returns 0, or -1 with nothing left to close. */
int debug_file__unpack(struct elf_file *debug, const struct elf_file *file);

#endif
