/* SPDX-License-Identifier: GPL-2.0 */
/* Where the kernel's functions and variables are. */
#ifndef KVIEW_TEST_SYMBOLS_H
#define KVIEW_TEST_SYMBOLS_H

#include <stddef.h>
#include <stdio.h>

/* 0: there is none of that name, in the kernel image or in a module. */
unsigned long symbol(const char *name);
/* All of the kernel image, a line each: ADDRESS TYPE NAME. */
FILE *symbols_open(void);
/* The function of the kernel image that @addr is in: where it begins, and its name. */
unsigned long symbol_before(unsigned long addr, char *name, size_t size);

/* NAME or NAME+OFFSET of the variable that @addr is in. */
void variable_at(unsigned long addr, char *name, size_t size);

#endif /* KVIEW_TEST_SYMBOLS_H */
