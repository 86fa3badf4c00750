/* SPDX-License-Identifier: GPL-2.0 */
/* Text of a process in /proc, by a descriptor of its folder: of that process also when its number returns. */
#ifndef KVIEW_PROC_TEXT_H
#define KVIEW_PROC_TEXT_H

#include <stddef.h>

/*
 * Reads a file up to size - 1 bytes; text is terminated.  Returns the length; 0 with errno set where
 * it can't be read, and with errno 0 where it is empty.
 */
size_t proc_text__read(int process, const char *name, char *text, size_t size);

#endif
