/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols that are kept apart from a stripped file, where debuggers look for them:
 *
 *	/usr/lib/debug/.build-id/xx/yyyy.debug	of the same build id
 *	by the file's .gnu_debuglink		beside it, in .debug beside it, and below
 *						/usr/lib/debug; of the very CRC
 *	.gnu_debugdata				within the file, compressed by xz
 *
 * "Beside it" is the folder that the file really is in, not that of a link to it.  A debug file
 * counts only if it and its folder are root's or the binary's owner's, and nobody may write them
 * who may not write the binary.
 *
 * Each in the root of the process, then in the agent's own.  Whoever wrote the file that is
 * looked at chose these names, and may have written what they lead to: nothing is opened with
 * more rights than the agent's caller has (rights.h), and sizes are limited.
 */
#ifndef KVIEW_DEBUG_FILE_H
#define KVIEW_DEBUG_FILE_H

#include <sys/types.h>

#include "lookup/elf_file.h"

struct debug_search {
	const struct elf_file *file;	/* the one that may be stripped */
	const char *path;		/* of it, as the process sees it */
	pid_t pid;			/* 0: none, only the agent's root is searched */
};

/* Opens the first that there is.  Returns 0, or -1 with nothing left to close. */
int debug_file__find(struct elf_file *debug, const struct debug_search *search);

/* What .gnu_debugdata holds: opened as debug, or -1 with nothing left to close. */
int debug_file__unpack(struct elf_file *debug, const struct elf_file *file);

#endif
