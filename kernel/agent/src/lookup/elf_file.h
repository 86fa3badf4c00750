/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit ELF file of this architecture, read only with pread.  So nothing outside of it is read,
 * whatever its headers claim, and even if it is truncated meanwhile: a mapping would fault then.
 *
 * libelf is not used: its answers about damaged files can be wrong, so that each of them would have
 * to be checked again here.
 */
#ifndef KVIEW_ELF_FILE_H
#define KVIEW_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lookup/functions.h"

/* A piece of a file, owned by the caller that read it. */
struct elf_bytes {
	uint8_t *data;			/* followed by one byte that is 0 */
	size_t length;
};

/* A relative relocation: what it writes, and where. */
struct elf_relative {
	uint64_t address, value;
};

struct elf_file {
	int fd;
	uint64_t size;			/* in bytes, when it was opened */
	bool is_apart;			/* a separate debug file, which others may have written */
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	size_t nr_segments;
	Elf64_Shdr *sections;		/* none if their headers are damaged or stripped */
	size_t nr_sections;
	char *section_names;		/* NUL-terminated */
	size_t section_names_bytes;
	char build_id[41];		/* hex, empty if none */
	struct elf_relative *relative;	/* ascending; read when first needed */
	size_t nr_relative;
	bool relocations_read;
};

/*
 * Opens a regular file, but no FIFO or device, which could block or trigger something.  shown is
 * the name for messages.  Returns 0, or -1 with error filled.  Close in both cases.
 */
int elf_file__open(struct elf_file *file, const char *path, const char *shown,
		   struct error *error);
/*
 * The same for the file of an O_PATH descriptor, which is closed.  place may be -1 with errno set.
 */
int elf_file__open_place(struct elf_file *file, int place, const char *shown,
			 struct error *error);
/* The same for the content of a descriptor, which the file owns from now on. */
int elf_file__take(struct elf_file *file, int fd, uint64_t size, const char *shown,
		   struct error *error);
void elf_file__close(struct elf_file *file);

/* The identity of the file; -1 with errno set. */
int elf_file__id(const struct elf_file *file, struct fn_file_id *id);

/* NULL if there is none.  Like everything in the file, the names of sections may be wrong. */
const Elf64_Shdr *elf_file__section(const struct elf_file *file, const char *name);
const Elf64_Shdr *elf_file__section_of_type(const struct elf_file *file, uint32_t type);

/* Reads a section's content, at most limit bytes; -1 if it has none, or without memory. */
int elf_file__read_section(const struct elf_file *file, const Elf64_Shdr *section,
			   size_t limit, struct elf_bytes *bytes);

/* Translates an address.  False if no segment contains it; with code, if no executable one does. */
bool elf_file__offset_of(const struct elf_file *file, uint64_t address, bool code,
			 uint64_t *offset, uint64_t *bytes_left);

/* Reads exactly length bytes at an address. */
bool elf_file__read_at(const struct elf_file *file, uint64_t address, void *to, size_t length);

/* Whether relocations change its code when it is loaded (DT_TEXTREL, DF_TEXTREL). */
bool elf_file__has_text_relocations(const struct elf_file *file);

/* The value that a relative relocation writes at an address, where the file itself has a 0. */
bool elf_file__relocated(struct elf_file *file, uint64_t address, uint64_t *value);

#endif
