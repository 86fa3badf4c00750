// SPDX-License-Identifier: GPL-2.0
#include "place/origins.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/partition_point.h"
#include "base/sort.h"
#include "place/remote.h"

#define MOST 64			/* files; what is read is the process's to write */
#define MOST_CODE (256u << 20)

struct stub {
	uint64_t at, end, window;	/* in the code; where the jump to it is */
	uint32_t copies, nr;
};

struct jumped_code {
	uint64_t start, bytes, id;
	uint8_t *code;
	struct stub *stubs;		/* ascending */
	size_t nr;
	struct boards boards;
};

struct origins {
	struct jumped_code all[MOST];
	size_t nr;
};

static int compare_stubs(const void *a, const void *b)
{
	const struct stub *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static bool read_code(struct jumped_code *to, const struct remote *remote, pid_t pid)
{
	char path[32];
	int memory;
	bool good;

	to->start = remote->image.code.address;
	to->bytes = remote->image.code.room;
	to->id = remote->id;
	if (to->bytes > MOST_CODE)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	to->code = malloc(to->bytes);
	to->stubs = calloc(remote->image.nr + 1, sizeof(*to->stubs));
	good = memory >= 0 && to->code && to->stubs &&
	       pread(memory, to->code, to->bytes, to->start) == (ssize_t)to->bytes;
	if (memory >= 0)
		close(memory);
	return good;
}

static struct jump_copy copy_of(const struct jumped_code *code, uint32_t copies, uint32_t index)
{
	struct jump_copy copy;

	memcpy(&copy, code->code + copies + index * sizeof(copy), sizeof(copy));
	return copy;
}

static void take_stubs(struct jumped_code *to, const struct remote *remote)
{
	for (size_t i = 0; i < remote->image.nr; i++) {
		const struct image_patch *patch = &remote->image.patches[i];
		uint64_t at = patch->stub - to->start;

		if (at >= to->bytes || !patch->nr_copies || patch->copies >= to->bytes ||
		    patch->nr_copies * sizeof(struct jump_copy) > to->bytes - patch->copies)
			continue;
		to->stubs[to->nr] = (struct stub){
			.at = at, .window = patch->address, .copies = patch->copies, .nr = patch->nr_copies,
			.end = at + copy_of(to, patch->copies, patch->nr_copies - 1).at + JUMP_BYTES,
		};
		to->nr += to->stubs[to->nr].end <= to->bytes;
	}
	sort(to->stubs, to->nr, sizeof(*to->stubs), compare_stubs);
}

struct origins *origins__read(pid_t pid)
{
	struct origins *origins = calloc(1, sizeof(*origins));
	struct remote remote;
	uint64_t from = 0;

	while (origins && origins->nr < MOST && remote__find_next(&remote, pid, from)) {
		struct jumped_code *to = &origins->all[origins->nr++];

		from = remote.image.code.address + 1;
		if (read_code(to, &remote, pid))
			take_stubs(to, &remote);
		to->boards = remote.image.boards;
		remote.image.boards = (struct boards){ 0 };
		remote__free(&remote);
	}
	if (origins && !origins->nr) {
		free(origins);
		return NULL;
	}
	return origins;
}

void origins__free(struct origins *origins)
{
	for (size_t i = 0; origins && i < origins->nr; i++) {
		free(origins->all[i].code);
		free(origins->all[i].stubs);
		boards__free(&origins->all[i].boards);
	}
	free(origins);
}

bool origins__are_current(const struct origins *origins, pid_t pid)
{
	char path[32];
	bool is_current = true;
	int memory;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; origins && i < origins->nr; i++) {
		struct jump_record record;

		if (pread(memory, &record, sizeof(record), origins->all[i].start + JUMP_STAMPS_BYTES) == sizeof(record))
			is_current &= record.id == origins->all[i].id;
	}
	if (memory >= 0)
		close(memory);
	return is_current;
}

static const struct jumped_code *code_at(const struct origins *origins, uint64_t ip)
{
	for (size_t i = 0; origins && i < origins->nr; i++)
		if (ip - origins->all[i].start < origins->all[i].bytes)
			return &origins->all[i];
	return NULL;
}

static bool is_stub(const struct jumped_code *code, uint64_t ip)
{
	return ip - code->start >= JUMP_PAGE && ip - code->start < code->bytes;
}

/* Where it leads to, if that is a springboard. */
static uint64_t past_board(const struct origins *origins, uint64_t ip)
{
	for (size_t i = 0; origins && i < origins->nr; i++) {
		const struct board *board = boards__at(&origins->all[i].boards, ip);

		if (board)
			return board->to;
	}
	return ip;
}

/* From a stamp to behind its call. */
static bool leave_stamp(const struct jumped_code *code, origins__word *word, const void *context, uint64_t *ip, uint64_t *sp)
{
	for (int i = 0; i <= STAMP_WORDS; i++) {
		uint64_t at = *sp + 8 * i, value;

		if (!word(context, at, &value))
			return false;
		if (is_stub(code, value)) {
			*ip = value;
			*sp = at + 8;
			return true;
		}
	}
	return false;
}

static const struct stub *stub_at(const struct jumped_code *code, uint64_t at)
{
	size_t nr = partition_point(code->nr, i, code->stubs[i].at <= at);

	return nr && at < code->stubs[nr - 1].end ? &code->stubs[nr - 1] : NULL;
}

bool origins__find(const struct origins *origins, origins__word *word, const void *context, uint64_t *ip, uint64_t *sp)
{
	uint64_t there = past_board(origins, *ip), stack = *sp, at, end;
	const struct jumped_code *code = code_at(origins, there);
	const struct stub *stub;
	struct jump_copy copy;
	uint32_t next = 1;

	if (!code && there != *ip) {
		*ip = there;
		return true;
	}
	if (!code || (!is_stub(code, there) && !leave_stamp(code, word, context, &there, &stack)))
		return false;
	stub = stub_at(code, there - code->start);
	if (!stub)
		return false;
	at = there - code->start - stub->at;
	while (next < stub->nr && copy_of(code, stub->copies, next).at <= at)
		next++;
	copy = copy_of(code, stub->copies, next - 1);
	end = next < stub->nr ? copy_of(code, stub->copies, next).at : stub->end - stub->at;
	if (copy.at > at || end > stub->end - stub->at)
		return false;
	*ip = stub->window + copy.offset;
	*sp = stack + stub__pushed(code->code + stub->at + copy.at, end - copy.at, at - copy.at);
	return true;
}
