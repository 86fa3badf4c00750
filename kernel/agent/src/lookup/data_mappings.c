// SPDX-License-Identifier: GPL-2.0
#include "lookup/data_mappings.h"

#include <unistd.h>

/* Whether the whole mapping belongs to one segment without code. */
static bool is_loaded_data(const struct elf_file *file, const struct mapped_code *mapped)
{
	uint64_t page = sysconf(_SC_PAGESIZE), end = mapped->offset + (mapped->end - mapped->start);

	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_X) &&
		    mapped->offset >= (segment->p_offset & ~(page - 1)) &&
		    end <= ((segment->p_offset + segment->p_filesz + page - 1) & ~(page - 1)))
			return true;
	}
	return false;
}

bool data_mappings__have(const struct process_files *maps, uint64_t inode,
			 const struct elf_file *file, uint64_t offset)
{
	for (size_t i = 0; i < maps->nr_data; i++) {
		const struct mapped_code *mapped = &maps->data[i];

		if (mapped->inode == inode && offset >= mapped->offset &&
		    offset - mapped->offset < mapped->end - mapped->start &&
		    !(file && is_loaded_data(file, mapped)))
			return true;
	}
	return false;
}
