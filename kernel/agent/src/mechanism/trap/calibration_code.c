// SPDX-License-Identifier: GPL-2.0
#include <link.h>

#include "mechanism/trap/calibration_code.h"

uint64_t calibration_code__offset(const char *address)
{
	extern const char __ehdr_start[];
	const ElfW(Ehdr) *elf = (const void *)__ehdr_start;
	const ElfW(Phdr) *segment = (const void *)(__ehdr_start + elf->e_phoff);
	uint64_t at;
	int i;

	for (i = 0; i < elf->e_phnum; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		/* Position-dependent: the agent is linked statically. */
		at = (uint64_t)address - segment[i].p_vaddr;
		if ((uint64_t)address >= segment[i].p_vaddr && at < segment[i].p_filesz)
			return at + segment[i].p_offset;
	}
	return 0;
}
