// SPDX-License-Identifier: GPL-2.0
#include <link.h>

#include "mechanism/trap/calibration_code.h"

uint64_t calibration_code__offset(const char *address)
{
	extern const char __ehdr_start[];
	const ElfW(Ehdr) *elf = (const void *)__ehdr_start;
	const ElfW(Phdr) *segment = (const void *)(__ehdr_start + elf->e_phoff);
	uint64_t moved = 0, at;
	int i;

	/* Where the file's beginning came to lie, as the agent need not be linked to be at fixed addresses. */
	for (i = 0; i < elf->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && !segment[i].p_offset)
			moved = (uint64_t)__ehdr_start - segment[i].p_vaddr;
	for (i = 0; i < elf->e_phnum; i++) {
		at = (uint64_t)address - moved - segment[i].p_vaddr;
		if (segment[i].p_type == PT_LOAD && at < segment[i].p_filesz)
			return at + segment[i].p_offset;
	}
	return 0;
}
