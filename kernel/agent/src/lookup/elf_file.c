// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "lookup/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/partition_point.h"
#include "base/sort.h"

#define MAX_SEGMENTS 4096
#define MAX_SECTIONS 65536
#define MAX_NOTE_BYTES 65536
#define MAX_RELOCATIONS_BYTES (128u << 20)

static bool read_exactly(int fd, void *to, size_t length, uint64_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got = pread(fd, (char *)to + done, length - done, offset + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += got;
	}
	return true;
}

/* Whether [offset, offset + length) is within the file. */
static bool is_inside(const struct elf_file *file, uint64_t offset, uint64_t length)
{
	return offset <= file->size && length <= file->size - offset;
}

static int read_bytes(const struct elf_file *file, uint64_t offset, uint64_t length,
		      struct elf_bytes *bytes)
{
	*bytes = (struct elf_bytes){ 0 };
	if (!is_inside(file, offset, length))
		return -1;
	bytes->data = malloc(length + 1);
	if (!bytes->data)
		return -1;
	if (!read_exactly(file->fd, bytes->data, length, offset)) {
		free(bytes->data);
		bytes->data = NULL;
		return -1;
	}
	bytes->data[length] = 0;
	bytes->length = length;
	return 0;
}

/*
 * Checks the kind of file before it is opened for reading, because opening can block, or trigger
 * something.  place is an O_PATH descriptor of the file, or -1 with errno set.
 */
static int open_regular(int place, const char *shown, uint64_t *size, struct error *error)
{
	char again[64];
	struct stat st;
	int fd;

	if (place < 0 || fstat(place, &st)) {
		if (errno == EACCES || errno == EPERM)
			error__set(error, ERR_NO_PERMISSION,
				      "%s may not be read by this user: it takes root.", shown);
		else
			error__set(error, ERR_NO_SUCH_BINARY,
				      "%s can't be opened: %s.", shown, strerror(errno));
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		error__set(error, ERR_NO_SUCH_BINARY,
			      "%s is not a regular file; name a program or a library.", shown);
		return -1;
	}
	snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
	fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		error__set(error, ERR_NO_PERMISSION, "%s can't be read: %s.", shown,
			      strerror(errno));
	*size = st.st_size;
	return fd;
}

static void read_section_headers(struct elf_file *file)
{
	const Elf64_Ehdr *header = &file->header;
	uint64_t count = header->e_shnum, names = header->e_shstrndx;
	struct elf_bytes bytes;
	Elf64_Shdr first;

	if (!header->e_shoff || header->e_shentsize != sizeof(Elf64_Shdr))
		return;
	/* Counts that do not fit in the header are in that of the first section. */
	if (!is_inside(file, header->e_shoff, sizeof(first)) ||
	    !read_exactly(file->fd, &first, sizeof(first), header->e_shoff))
		return;
	if (!count)
		count = first.sh_size;
	if (names == SHN_XINDEX)
		names = first.sh_link;
	if (count > MAX_SECTIONS ||
	    read_bytes(file, header->e_shoff, count * sizeof(Elf64_Shdr), &bytes))
		return;
	file->sections = (Elf64_Shdr *)bytes.data;
	file->nr_sections = count;
	if (names < count && file->sections[names].sh_type == SHT_STRTAB &&
	    !elf_file__read_section(file, &file->sections[names], 1 << 24, &bytes)) {
		file->section_names = (char *)bytes.data;
		file->section_names_bytes = bytes.length;
	}
}

static void read_build_id(struct elf_file *file)
{
	for (size_t i = 0; i < file->nr_segments && !file->build_id[0]; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		struct elf_bytes bytes;
		size_t at = 0;

		if (segment->p_type != PT_NOTE || segment->p_filesz > MAX_NOTE_BYTES ||
		    read_bytes(file, segment->p_offset, segment->p_filesz, &bytes))
			continue;
		while (bytes.length - at >= sizeof(Elf64_Nhdr)) {
			Elf64_Nhdr note;
			uint64_t name, content;

			memcpy(&note, bytes.data + at, sizeof(note));
			name = at + sizeof(note);
			content = name + ((note.n_namesz + 3ull) & ~3ull);
			if (content + note.n_descsz > bytes.length)
				break;
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    !memcmp(bytes.data + name, "GNU", 4))
				for (size_t k = 0; k < note.n_descsz && k < 20; k++)
					sprintf(&file->build_id[2 * k], "%02x",
						bytes.data[content + k]);
			at = content + ((note.n_descsz + 3ull) & ~3ull);
			if (at > bytes.length)
				break;
		}
		free(bytes.data);
	}
}

/* Reads the headers; file has its descriptor and size. */
static int read_headers(struct elf_file *file, const char *shown, struct error *error)
{
	Elf64_Ehdr *header = &file->header;
	struct elf_bytes bytes;

	if (file->size < EI_NIDENT || !read_exactly(file->fd, header, EI_NIDENT, 0) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG))
		return error__set(error, ERR_NO_SUCH_BINARY,
			"%s is not an ELF file; name the program or library itself, not a script.",
			shown);
	if (file->size < sizeof(*header) || !read_exactly(file->fd, header, sizeof(*header), 0))
		return error__set(error, ERR_NO_SUCH_BINARY,
			"%s is truncated within its ELF header.", shown);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != ARCH_ELF_MACHINE ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB)
		return error__set(error, ERR_UNSUPPORTED,
			"%s is not a 64-bit " ARCH_NAME " file; only those can be probed on this host.",
			shown);
	if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > MAX_SEGMENTS ||
	    read_bytes(file, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr), &bytes))
		return error__set(error, ERR_NO_SUCH_BINARY,
			"%s is damaged: its program headers are not within the file.", shown);
	file->segments = (Elf64_Phdr *)bytes.data;
	file->nr_segments = header->e_phnum;
	read_section_headers(file);
	read_build_id(file);
	return 0;
}

int elf_file__open_place(struct elf_file *file, int place, const char *shown,
			 struct error *error)
{
	*file = (struct elf_file){ .fd = -1 };
	file->fd = open_regular(place, shown, &file->size, error);
	if (place >= 0)
		close(place);
	return file->fd < 0 ? -1 : read_headers(file, shown, error);
}

int elf_file__open(struct elf_file *file, const char *path, const char *shown,
		   struct error *error)
{
	return elf_file__open_place(file, open(path, O_PATH | O_CLOEXEC), shown, error);
}

int elf_file__take(struct elf_file *file, int fd, uint64_t size, const char *shown,
		   struct error *error)
{
	*file = (struct elf_file){ .fd = fd, .size = size };
	return read_headers(file, shown, error);
}

int elf_file__id(const struct elf_file *file, struct fn_file_id *id)
{
	struct stat st;

	if (fstat(file->fd, &st))
		return -1;
	*id = (struct fn_file_id){ st.st_dev, st.st_ino };
	return 0;
}

void elf_file__close(struct elf_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->segments);
	free(file->sections);
	free(file->section_names);
	free(file->relative);
	*file = (struct elf_file){ .fd = -1 };
}

const Elf64_Shdr *elf_file__section(const struct elf_file *file, const char *name)
{
	for (size_t i = 0; i < file->nr_sections; i++)
		if (file->sections[i].sh_name < file->section_names_bytes &&
		    !strcmp(file->section_names + file->sections[i].sh_name, name))
			return &file->sections[i];
	return NULL;
}

const Elf64_Shdr *elf_file__section_of_type(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->nr_sections; i++)
		if (file->sections[i].sh_type == type)
			return &file->sections[i];
	return NULL;
}

int elf_file__read_section(const struct elf_file *file, const Elf64_Shdr *section,
			   size_t limit, struct elf_bytes *bytes)
{
	*bytes = (struct elf_bytes){ 0 };
	if (!section || section->sh_type == SHT_NOBITS || section->sh_size > limit)
		return -1;
	return read_bytes(file, section->sh_offset, section->sh_size, bytes);
}

bool elf_file__offset_of(const struct elf_file *file, uint64_t address, bool code,
			 uint64_t *offset, uint64_t *bytes_left)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t into = address - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || (code && !(segment->p_flags & PF_X)) ||
		    address < segment->p_vaddr || into >= segment->p_filesz ||
		    !is_inside(file, segment->p_offset, segment->p_filesz))
			continue;
		*offset = segment->p_offset + into;
		*bytes_left = segment->p_filesz - into;
		return true;
	}
	return false;
}

bool elf_file__read_at(const struct elf_file *file, uint64_t address, void *to, size_t length)
{
	uint64_t offset, left;

	return elf_file__offset_of(file, address, false, &offset, &left) && length <= left &&
	       read_exactly(file->fd, to, length, offset);
}

static int compare_relative(const void *a, const void *b)
{
	const struct elf_relative *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void read_relocations(struct elf_file *file)
{
	struct elf_bytes bytes;
	bool ascending = true;

	file->relocations_read = true;
	if (elf_file__read_section(file, elf_file__section(file, ".rela.dyn"),
				   MAX_RELOCATIONS_BYTES, &bytes))
		return;
	file->relative = malloc(bytes.length / sizeof(Elf64_Rela) * sizeof(*file->relative) + 1);
	for (size_t at = 0; file->relative && bytes.length - at >= sizeof(Elf64_Rela);
	     at += sizeof(Elf64_Rela)) {
		size_t nr = file->nr_relative;
		Elf64_Rela entry;

		memcpy(&entry, bytes.data + at, sizeof(entry));
		if (ELF64_R_TYPE(entry.r_info) != ARCH_RELATIVE)
			continue;
		ascending &= !nr || file->relative[nr - 1].address < entry.r_offset;
		file->relative[file->nr_relative++] = (struct elf_relative){ entry.r_offset,
									     entry.r_addend };
	}
	if (!ascending)
		sort(file->relative, file->nr_relative, sizeof(*file->relative),
		      compare_relative);
	free(bytes.data);
}

bool elf_file__relocated(struct elf_file *file, uint64_t address, uint64_t *value)
{
	size_t at;

	if (!file->relocations_read)
		read_relocations(file);
	at = partition_point(file->nr_relative, i, file->relative[i].address < address);
	if (at == file->nr_relative || file->relative[at].address != address)
		return false;
	*value = file->relative[at].value;
	return true;
}

bool elf_file__has_text_relocations(const struct elf_file *file)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *dynamic = &file->segments[i];
		Elf64_Dyn entry = { .d_tag = DT_NULL };

		if (dynamic->p_type != PT_DYNAMIC)
			continue;
		for (uint64_t at = 0; at + sizeof(entry) <= dynamic->p_filesz; at += sizeof(entry)) {
			if (!elf_file__read_at(file, dynamic->p_vaddr + at, &entry, sizeof(entry)) ||
			    entry.d_tag == DT_NULL)
				break;
			if (entry.d_tag == DT_TEXTREL ||
			    (entry.d_tag == DT_FLAGS && entry.d_un.d_val & DF_TEXTREL))
				return true;
		}
	}
	return false;
}
