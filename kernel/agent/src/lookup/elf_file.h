/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit ELF file of this architecture, read with pread alone: whatever its headers claim and whoever
 * truncates it meanwhile, nothing outside of it is touched (a mapping would fault).
 *
 * libelf is not used: its answers about damaged files are as damaged, so that every one of
 * them had to be checked again here.
 */
#ifndef KVIEW_ELF_FILE_H
#define KVIEW_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lookup/functions.h"

/* A piece of a file, owned by whoever asked for it. */
struct elf_bytes {
	uint8_t *data;			/* one byte longer than length, that one is 0 */
	size_t length;
};

/* What a relative relocation writes, and where. */
struct elf_relative {
	uint64_t address, value;
};

struct elf_file {
	int fd;
	uint64_t size;			/* bytes, when it was opened */
	bool is_apart;			/* a debug file that was found by a name: others may have written it */
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	size_t nr_segments;
	Elf64_Shdr *sections;		/* none if their headers are damaged or stripped */
	size_t nr_sections;
	char *section_names;		/* NUL-terminated */
	size_t section_names_bytes;
	char build_id[41];		/* hex, empty if none */
	struct elf_relative *relative;	/* ascending; read when first asked for */
	size_t nr_relative;
	bool relocations_read;
};

/*
 * Opens a regular file: not a FIFO or a device, which could block or act.  shown is the name
 * for messages.  Returns 0, or -1 with error filled.  Close either way.
 */
int elf_file__open(struct elf_file *file, const char *path, const char *shown,
		   struct error *error);
/* The same of what an O_PATH descriptor leads to, which is closed; -1: errno tells why not. */
int elf_file__open_place(struct elf_file *file, int place, const char *shown,
			 struct error *error);
/* The same of the content of a descriptor, which the file owns from now on. */
int elf_file__take(struct elf_file *file, int fd, uint64_t size, const char *shown,
		   struct error *error);
void elf_file__close(struct elf_file *file);

/* Which file it is; -1 with errno set. */
int elf_file__id(const struct elf_file *file, struct fn_file_id *id);

/* NULL if there is none.  The names of sections are the file's claim, as all of it. */
const Elf64_Shdr *elf_file__section(const struct elf_file *file, const char *name);
const Elf64_Shdr *elf_file__section_of_type(const struct elf_file *file, uint32_t type);

/* Reads a section's content, at most limit bytes; -1 if there is none or no memory. */
int elf_file__read_section(const struct elf_file *file, const Elf64_Shdr *section,
			   size_t limit, struct elf_bytes *bytes);

/* Translates an address; false if no segment has it, or, for code, no executable one. */
bool elf_file__offset_of(const struct elf_file *file, uint64_t address, bool code,
			 uint64_t *offset, uint64_t *bytes_left);

/* Reads exactly length bytes at an address. */
bool elf_file__read_at(const struct elf_file *file, uint64_t address, void *to, size_t length);

/* Whether its code is changed when it is loaded (DT_TEXTREL, DF_TEXTREL). */
bool elf_file__has_text_relocations(const struct elf_file *file);

/* What the relative relocation at an address makes of it: in the file stands a 0. */
bool elf_file__relocated(struct elf_file *file, uint64_t address, uint64_t *value);

#endif
