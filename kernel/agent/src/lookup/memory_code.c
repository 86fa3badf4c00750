// SPDX-License-Identifier: GPL-2.0
#include "lookup/memory_code.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"

#define PAGE_BYTES 4096

enum { PAGE_UNKNOWN, PAGE_SAME, PAGE_DIFFERS };

/* A page, or a part of it, in the file and in memory. */
struct sides {
	uint8_t memory[PAGE_BYTES], file[PAGE_BYTES];
};

static bool sides__read(struct sides *sides, const struct memory_code *code, uint64_t file_offset,
			size_t length)
{
	ssize_t got = pread(code->file, sides->file, length, file_offset);

	if (got <= 0)
		return false;
	/* Beyond the end of a file, its mapping has zeros. */
	memset(sides->file + got, 0, length - got);
	return pread(code->memory, sides->memory, length,
		     code->start + (file_offset - code->offset)) == (ssize_t)length;
}

/* Whether these bytes can be a breakpoint that the kernel or a debugger wrote. */
static bool is_breakpoint(const uint8_t *bytes)
{
	uint32_t word = 0;

	memcpy(&word, bytes, ARCH_BREAKPOINT_BYTES);
	return (word & ARCH_ANY_BREAKPOINT_MASK) == ARCH_ANY_BREAKPOINT;
}

static enum code_in_memory compare(const struct sides *sides, size_t length, bool *breakpoints)
{
	size_t i;

	for (i = 0; i + ARCH_BREAKPOINT_BYTES <= length; i += ARCH_BREAKPOINT_BYTES) {
		if (!memcmp(sides->memory + i, sides->file + i, ARCH_BREAKPOINT_BYTES))
			continue;
		if (!is_breakpoint(sides->memory + i))
			return CODE_OTHER;
		if (breakpoints)
			*breakpoints = true;
	}
	return CODE_SAME;
}

bool memory_code__page_is_same(struct memory_code *code, uint64_t file_offset)
{
	size_t page = (file_offset - code->offset) / PAGE_BYTES;
	struct sides sides;

	if (!code->pages)
		code->pages = calloc((code->end - code->start) / PAGE_BYTES + 1, 1);
	if (!code->pages)
		return false;
	if (code->pages[page] == PAGE_UNKNOWN)
		code->pages[page] = sides__read(&sides, code, code->offset + page * PAGE_BYTES,
						PAGE_BYTES) &&
			!memcmp(sides.memory, sides.file, PAGE_BYTES) ? PAGE_SAME : PAGE_DIFFERS;
	return code->pages[page] == PAGE_SAME;
}

enum code_in_memory memory_code__look(struct memory_code *code, uint64_t file_offset,
				      uint64_t length, bool *breakpoints)
{
	enum code_in_memory found = CODE_SAME;
	struct sides sides;

	while (length && found == CODE_SAME) {
		uint64_t left = PAGE_BYTES - (file_offset - code->offset) % PAGE_BYTES;
		size_t part = length < left ? length : left;

		if (!memory_code__page_is_same(code, file_offset))
			found = sides__read(&sides, code, file_offset, part) ?
				compare(&sides, part, breakpoints) : CODE_UNREADABLE;
		file_offset += part;
		length -= part;
	}
	return found;
}
