/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that a process also maps as data: to read, link or checksum the file.  The kernel puts
 * probes into each private mapping of a file that is not writable and could be made executable.
 * So the process would read breakpoints there instead of the file's bytes.
 */
#ifndef KVIEW_DATA_MAPPINGS_H
#define KVIEW_DATA_MAPPINGS_H

#include "lookup/elf_file.h"
#include "lookup/process_files.h"

/*
 * Whether a place of this file, which the process maps with this inode, is in such a mapping.
 * Mappings that the loader made don't count: the first and last page of a data segment may contain
 * code, but nobody reads it there.  If file is NULL they count, too.
 */
bool data_mappings__have(const struct process_files *maps, uint64_t inode,
			 const struct elf_file *file, uint64_t offset);

#endif
