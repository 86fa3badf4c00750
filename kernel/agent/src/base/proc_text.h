/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text files of a process in /proc, by a descriptor of its folder.  So they belong to that process
 * even if its pid is used again.
 */
#ifndef KVIEW_PROC_TEXT_H
#define KVIEW_PROC_TEXT_H

#include <stddef.h>

/*
 * Reads at most size - 1 bytes of a file, and terminates them.  Returns the length; 0 with errno
 * set where the file can't be read, and with errno 0 where it is empty.
 */
size_t proc_text__read(int process, const char *name, char *text, size_t size);

#endif
