// SPDX-License-Identifier: GPL-2.0
#include "lookup/debug_file.h"

#include <errno.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/rights.h"
#include "lookup/process_files.h"

#define FOLDER "/usr/lib/debug"
/* The CRC of larger files is not computed: meanwhile the agent could not answer anybody. */
#define MAX_CHECKED_BYTES (1ull << 30)
#define CHUNK_BYTES (256u << 10)
#define MAX_PACKED_BYTES (32u << 20)
#define MAX_UNPACKED_BYTES (128u << 20)
#define MAX_UNPACKING_BYTES (96ull << 20)	/* a dictionary of 64 MiB, the largest of xz -9 */

/* The name of a debug file, and the CRC that the file must have. */
struct debug_link {
	char *name;
	uint32_t crc;
};

/*
 * The caller frees the link.  -1 if the file names no debug file, or gives a path instead of a
 * name.
 */
static int read_link(const struct elf_file *file, struct debug_link *link)
{
	struct elf_bytes bytes;
	size_t length, at;

	if (elf_file__read_section(file, elf_file__section(file, ".gnu_debuglink"), 4096, &bytes))
		return -1;
	length = strnlen((char *)bytes.data, bytes.length);
	at = (length + 4) & ~(size_t)3;
	if (!length || at + sizeof(link->crc) > bytes.length ||
	    memchr(bytes.data, '/', length) || !strcmp((char *)bytes.data, "..") ||
	    !strcmp((char *)bytes.data, ".")) {
		free(bytes.data);
		return -1;
	}
	memcpy(&link->crc, bytes.data + at, sizeof(link->crc));
	link->name = (char *)bytes.data;
	return 0;
}

static bool has_crc(const struct elf_file *debug, uint32_t expected)
{
	uint8_t *chunk = debug->size <= MAX_CHECKED_BYTES ? malloc(CHUNK_BYTES) : NULL;
	uint64_t at = 0;
	uLong crc = crc32(0, NULL, 0);

	while (chunk && at < debug->size) {
		ssize_t got = pread(debug->fd, chunk, CHUNK_BYTES, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		crc = crc32(crc, chunk, got);
		at += got;
	}
	free(chunk);
	return debug->size && at == debug->size && crc == expected;
}

/*
 * Whether only root, and those who may write the binary itself, may write this file.  A CRC can be
 * forged and a build id copied, so they prove nothing.
 */
static bool is_trusted(int fd, const struct stat *binary)
{
	mode_t others = S_IWOTH;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || (st.st_uid && st.st_uid != binary->st_uid))
		return false;
	if (st.st_gid != binary->st_gid)
		others |= S_IWGRP;
	return !(st.st_mode & (S_IWGRP | S_IWOTH) & (others | ~binary->st_mode));
}

static bool is_trusted_folder_of(pid_t pid, const char *path, const struct stat *binary)
{
	char *folder = strndup(path, strrchr(path, '/') + 1 - path);
	int fd = folder ? process__open_place(pid, folder) : -1;
	bool trusted = is_trusted(fd, binary);

	if (fd >= 0)
		close(fd);
	free(folder);
	return trusted;
}

/* Opens the file at a path if it is the wanted one; returns whether it is. */
static bool try_path(struct elf_file *debug, const struct debug_search *search, pid_t pid,
		     const char *path, const struct debug_link *link)
{
	const char *id = search->file->build_id;
	struct error ignored = { 0 };
	struct stat binary;
	bool is_it;

	if (fstat(search->file->fd, &binary) || !is_trusted_folder_of(pid, path, &binary))
		return false;
	if (elf_file__open_place(debug, process__open_place(pid, path), path, &ignored) ||
	    !is_trusted(debug->fd, &binary)) {
		elf_file__close(debug);
		return false;
	}
	debug->is_apart = true;
	if (link)
		is_it = (!id[0] || !debug->build_id[0] || !strcmp(debug->build_id, id)) &&
			has_crc(debug, link->crc);
	else
		is_it = !strcmp(debug->build_id, id);
	if (!is_it)
		elf_file__close(debug);
	return is_it;
}

static bool try_build_id(struct elf_file *debug, const struct debug_search *search, pid_t pid)
{
	const char *id = search->file->build_id;
	char path[sizeof(search->file->build_id) + sizeof(FOLDER) + 32];

	if (strlen(id) < 8)
		return false;
	snprintf(path, sizeof(path), FOLDER "/.build-id/%.2s/%s.debug", id, id + 2);
	return try_path(debug, search, pid, path, NULL);
}

static bool is_place_of(pid_t pid, const char *path, const struct stat *file)
{
	int fd = process__open_real(pid, path);
	struct stat st;
	bool same = fd >= 0 && !fstat(fd, &st) && st.st_dev == file->st_dev &&
		    st.st_ino == file->st_ino;

	if (fd >= 0)
		close(fd);
	return same;
}

/*
 * The real path of the file.  The folder must be its own, not that of a link to it, because anybody
 * may have made the link.  This is the path that the kernel reports or, if the process has its own
 * root, the one by which the file was found; NULL if neither leads to it.  The caller frees it.
 */
static char *real_path(const struct debug_search *search)
{
	char name[64], target[PATH_MAX];
	struct stat st;
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", search->file->fd);
	length = readlink(name, target, sizeof(target) - 1);
	if (length <= 0 || fstat(search->file->fd, &st))
		return NULL;
	target[length] = 0;
	if (target[0] == '/' && is_place_of(search->pid, target, &st))
		return strdup(target);
	return search->path[0] == '/' && is_place_of(search->pid, search->path, &st) ?
	       strdup(search->path) : NULL;
}

static bool try_link(struct elf_file *debug, const struct debug_search *search, pid_t pid,
		     const char *real, const struct debug_link *link)
{
	static const char *const forms[][2] = {
		{ "", "" }, { "", ".debug/" }, { FOLDER, "" },
	};
	const char *slash = strrchr(real, '/');
	bool found = false;

	for (size_t i = 0; slash && i < sizeof(forms) / sizeof(forms[0]) && !found; i++) {
		char *path;

		if (asprintf(&path, "%s%.*s/%s%s", forms[i][0], (int)(slash - real),
			     real, forms[i][1], link->name) < 0)
			return false;
		found = try_path(debug, search, pid, path, link);
		free(path);
	}
	return found;
}

/* Opens files as the caller may: the process, or a hostile file in it, chose the names. */
static bool find_apart(struct elf_file *debug, const struct debug_search *search)
{
	pid_t roots[] = { search->pid, 0 };
	size_t first = search->pid ? 0 : 1, i;
	struct debug_link link = { 0 };
	bool has_link = !read_link(search->file, &link), found = false;
	char *real;

	rights__lower();
	for (i = first; i < 2 && !found; i++)
		found = try_build_id(debug, search, roots[i]);
	real = found || !has_link ? NULL : real_path(search);
	for (i = first; real && i < 2 && !found; i++)
		found = try_link(debug, search, roots[i], real, &link);
	rights__restore();
	free(real);
	free(link.name);
	return found;
}

/* Unpacks into a file in memory.  Returns its size, or 0. */
static uint64_t unpack(int fd, const struct elf_bytes *packed)
{
	uint8_t *chunk = malloc(CHUNK_BYTES);
	lzma_stream stream = LZMA_STREAM_INIT;
	uint64_t size = 0;
	lzma_ret state = LZMA_MEM_ERROR;

	if (chunk)
		state = lzma_stream_decoder(&stream, MAX_UNPACKING_BYTES, 0);
	stream.next_in = packed->data;
	stream.avail_in = packed->length;
	while (state == LZMA_OK) {
		size_t length;

		stream.next_out = chunk;
		stream.avail_out = CHUNK_BYTES;
		state = lzma_code(&stream, LZMA_FINISH);
		length = CHUNK_BYTES - stream.avail_out;
		if (size + length > MAX_UNPACKED_BYTES ||
		    (length && pwrite(fd, chunk, length, size) != (ssize_t)length))
			state = LZMA_BUF_ERROR;
		size += length;
	}
	lzma_end(&stream);
	free(chunk);
	return state == LZMA_STREAM_END ? size : 0;
}

int debug_file__unpack(struct elf_file *debug, const struct elf_file *file)
{
	struct error ignored = { 0 };
	struct elf_bytes packed;
	uint64_t size;
	int fd;

	if (elf_file__read_section(file, elf_file__section(file, ".gnu_debugdata"),
				   MAX_PACKED_BYTES, &packed))
		return -1;
	fd = memfd_create("kview-debugdata", MFD_CLOEXEC);
	size = fd < 0 ? 0 : unpack(fd, &packed);
	free(packed.data);
	if (size && !elf_file__take(debug, fd, size, ".gnu_debugdata", &ignored))
		return 0;
	if (size)
		elf_file__close(debug);
	else if (fd >= 0)
		close(fd);
	return -1;
}

int debug_file__find(struct elf_file *debug, const struct debug_search *search)
{
	return find_apart(debug, search) ? 0 : debug_file__unpack(debug, search->file);
}
