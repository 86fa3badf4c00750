/* SPDX-License-Identifier: GPL-2.0 */
/* The names of imported functions, by the slots into which their addresses are written. */
#ifndef KVIEW_SLOTS_H
#define KVIEW_SLOTS_H

#include "lookup/elf_file.h"

struct slots {
	struct slot {
		uint64_t address;
		uint32_t name;		/* in names */
	} *all;				/* ascending */
	size_t nr;
	struct elf_bytes names;
};

/* Leaves slots empty if there are none, or without memory. */
void slots__read(struct slots *slots, const struct elf_file *file);
void slots__free(struct slots *slots);
/* NULL if none is known. */
const char *slots__name(const struct slots *slots, uint64_t address);

#endif
