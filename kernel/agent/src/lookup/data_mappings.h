/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that a process maps as data as well: to read, link or checksum the file.  The kernel puts
 * probes into each private mapping of a file that could be made executable and is not writable,
 * so that it reads breakpoints there instead of the file.
 */
#ifndef KVIEW_DATA_MAPPINGS_H
#define KVIEW_DATA_MAPPINGS_H

#include "lookup/elf_file.h"
#include "lookup/process_files.h"

/*
 * Whether a place of this file, which the process maps with this inode, is in such a mapping.  The
 * loader's own are none: the pages of a segment of data may begin or end with code that nobody
 * reads there; without file (NULL) they count as well.
 */
bool data_mappings__have(const struct process_files *maps, uint64_t inode,
			 const struct elf_file *file, uint64_t offset);

#endif
