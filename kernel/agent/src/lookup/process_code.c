// SPDX-License-Identifier: GPL-2.0
#include "lookup/process_code.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/partition_point.h"

void process_code__init(struct process_code *code, pid_t pid, const struct process_files *maps)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	*code = (struct process_code){
		.memory = open(path, O_RDONLY | O_CLOEXEC), .maps = maps,
		.pieces = calloc(maps->nr_code + 1, sizeof(*code->pieces)),
	};
	for (size_t i = 0; code->pieces && i < maps->nr_code; i++)
		code->pieces[i] = (struct memory_code){
			.memory = code->memory, .start = maps->code[i].start,
			.end = maps->code[i].end, .offset = maps->code[i].offset,
		};
}

void process_code__free(struct process_code *code)
{
	for (size_t i = 0; code->pieces && i < code->maps->nr_code; i++)
		free(code->pieces[i].pages);
	free(code->pieces);
	if (code->maps && code->memory >= 0)
		close(code->memory);
	*code = (struct process_code){ .memory = -1 };
}

/* The piece with this address of the process; NULL: there is no code. */
static struct memory_code *piece_at(const struct process_code *code, uint64_t address,
				    uint64_t *inode)
{
	const struct mapped_code *mapped = code->maps->code;
	size_t next = partition_point(code->maps->nr_code, i, mapped[i].start <= address);

	if (!next || address >= mapped[next - 1].end)
		return NULL;
	*inode = mapped[next - 1].inode;
	return &code->pieces[next - 1];
}

const char *process_code__reason(struct process_code *code, const struct elf_file *file,
				 uint64_t inode, uint64_t bias, uint64_t address, uint64_t length)
{
	while (code->pieces && length) {
		uint64_t there = 0, offset, left, at = address + bias, part;
		struct memory_code *piece = piece_at(code, at, &there);

		if (!elf_file__offset_of(file, address, true, &offset, &left))
			return NULL;
		if (!piece || there != inode || at - piece->start + piece->offset != offset)
			return CODE_WAS_MOVED;
		part = piece->end - at < length ? piece->end - at : length;
		piece->file = file->fd;
		if (code->memory >= 0 &&
		    memory_code__look(piece, offset, part, NULL) == CODE_OTHER)
			return CODE_WAS_CHANGED;
		address += part;
		length -= part;
	}
	return NULL;
}
