// SPDX-License-Identifier: GPL-2.0
#include "place/board_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "place/stacks.h"

/* About the longest that threads stand still for one round. */
#define BATCH_NS 2000000ull

static int write_run(const struct remote *remote, int memory, const struct board_run *run, struct error *error)
{
	uint8_t *bytes = malloc(run->bytes);
	bool written = false;

	if (bytes) {
		image__write_boards(&remote->image.boards, run, bytes);
		place__step();
		written = pwrite(memory, bytes, run->bytes, run->start) == (ssize_t)run->bytes;
	}
	free(bytes);
	return written ? 0 : error__set(error, ERR_NOT_PROBEABLE, "Code can't be written to process %d: %s.", remote->process.pid,
					strerror(errno));
}

/* Before each is mapped: where who does this dies, the next one knows what can be there. */
static int note_begun(struct remote *remote, int memory, uint64_t begun, struct error *error)
{
	const uint64_t at = remote->image.code.address + JUMP_STAMPS_BYTES + offsetof(struct jump_record, boards_begun);

	remote->boards_begun = begun;
	place__step();
	return pwrite(memory, &begun, sizeof(begun), at) == sizeof(begun) ? 0 :
	       error__set(error, ERR_NOT_PROBEABLE, "Code can't be written to process %d: %s.", remote->process.pid, strerror(errno));
}

static bool is_within(const struct board_run *run, const struct image_patch *patch)
{
	struct board boards[PUN_MAX_BOARDS];
	size_t nr = pun__boards(patch->is, patch->was, patch->changed, patch->inner, patch->address, patch->stub, boards);

	while (nr--)
		if (boards[nr].at + BOARD_BYTES > run->start && boards[nr].at < run->start + run->bytes)
			return true;
	return false;
}

/* What is there is the process's, and nobody is to unmap it. */
static void leave_run(struct remote *remote, const struct board_run *run)
{
	struct boards *boards = &remote->image.boards;

	for (size_t i = 0; i < remote->image.nr; i++)
		remote->image.patches[i].is_taken |= is_within(run, &remote->image.patches[i]);
	boards__remove_run(boards, run);
	remote->is_taken = true;
}

static int map_runs(struct remote *remote, struct injector *injector, uint64_t begin, struct error *error)
{
	const struct boards *boards = &remote->image.boards;

	do {
		struct board_run run = boards__run(boards, remote->next_board);

		if (note_begun(remote, injector->stopped->memory, run.start, error))
			return -1;
		if (injector__do(injector, "map memory for springboards of jumps", SYS_mmap, (uint64_t[6]){
				run.start, run.bytes, PROT_READ | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1ull }, error)) {
			if (error->code != ERR_BUSY)
				return -1;
			error->code = 0;
			leave_run(remote, &run);
			continue;
		}
		if (write_run(remote, injector->stopped->memory, &run, error))
			return -1;
		remote->next_board = run.next;
	} while (remote->next_board < boards->nr && stopped__now_ns() - begin < BATCH_NS);
	return remote->next_board < boards->nr ? 0 : note_begun(remote, injector->stopped->memory, UINT64_MAX, error);
}

static int begin(const struct remote *remote, struct stopped *stopped, struct regions *regions, struct injector *injector,
		 struct error *error)
{
	if (regions__read(regions, stopped__living(stopped)))
		return error__set(error, ERR_FAILED, "What process %d maps can't be read.", stopped->pid);
	return injector__init(injector, stopped, regions, &remote->calls, error);
}

int board_pages__map(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	uint64_t since = stopped__now_ns();
	struct injector injector;
	struct regions regions;
	int err = remote__is_there(remote, stopped->memory) ? begin(remote, stopped, &regions, &injector, error) :
		  error__set(error, ERR_PROCESS_ENDED, "Process %d runs another program by now.", stopped->pid);

	if (err)
		return -1;
	regions__free(&regions);
	err = map_runs(remote, &injector, since, error);
	if (!injector__end(&injector) && !err)
		err = error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", stopped->pid);
	return err;
}

static bool is_ours(const void *context, uint64_t address)
{
	const struct remote *remote = context;

	return address - remote->image.code.address < remote->image.code.room || boards__at(&remote->image.boards, address);
}

int board_pages__check(const struct remote *remote, const struct stopped *stopped, const struct regions *regions, struct error *error)
{
	const struct boards *boards = &remote->image.boards;
	struct wanted_addresses wanted = { remote->image.code.address, remote__shared_at(remote), is_ours, remote };

	for (size_t i = 0; i < stopped->nr; i++) {
		uint64_t ip, sp;

		if (stopped->threads[i].tid && thread__position(stopped->threads[i].tid, &ip, &sp) && is_ours(remote, ip))
			return error__set(error, ERR_BUSY, "A thread of process %d is in the code.", stopped->pid);
	}
	if (boards->nr && boards->all[0].at < wanted.low)
		wanted.low = boards->all[0].at;
	if (boards->nr && boards->all[boards->nr - 1].at >= wanted.high)
		wanted.high = boards->all[boards->nr - 1].at + 1;
	return stacks__check(stopped, regions, &wanted, error);
}

/* never_written: so may be what was mapped, as who did that died. */
static bool has_content(const uint8_t *there, const uint8_t *written, uint64_t bytes, bool never_written)
{
	static const uint8_t empty[JUMP_PAGE];

	for (uint64_t at = 0; at < bytes; at += JUMP_PAGE)
		if (memcmp(there + at, written + at, JUMP_PAGE) && (!never_written || memcmp(there + at, empty, JUMP_PAGE)))
			return false;
	return true;
}

/* That it has what was written there shows that it is no memory of the process's own. */
static bool is_there(const struct remote *remote, int memory, const struct regions *regions, const struct board_run *run)
{
	const uint64_t end = run->start + run->bytes;
	const struct region *region = regions__at(regions, run->start);
	const bool is_kind = region && end <= region->end && region->can_execute && !region->can_write && !region->inode && !region->is_shared,
		   is_last = run->start == remote->boards_begun && region && region->start == run->start && region->end == end;
	uint8_t *bytes = is_kind && run->start <= remote->boards_begun ? malloc(2 * run->bytes) : NULL;
	bool is_so = false;

	if (bytes && pread(memory, bytes, run->bytes, run->start) == (ssize_t)run->bytes) {
		image__write_boards(&remote->image.boards, run, bytes + run->bytes);
		is_so = has_content(bytes, bytes + run->bytes, run->bytes, is_last);
	}
	free(bytes);
	return is_so;
}

void board_pages__find(struct remote *remote, int memory, const struct regions *regions)
{
	struct boards *boards = &remote->image.boards;
	size_t next = 0;

	while (next < boards->nr) {
		struct board_run run = boards__run(boards, next);

		if (is_there(remote, memory, regions, &run))
			next = run.next;
		else
			boards__remove_run(boards, &run);
	}
}

static int unmap_runs(struct remote *remote, const struct regions *regions, struct injector *injector, uint64_t begin, struct error *error)
{
	const struct boards *boards = &remote->image.boards;

	do {
		struct board_run run = boards__run(boards, remote->next_board);

		if (is_there(remote, injector->stopped->memory, regions, &run)) {
			place__step();
			if (injector__do(injector, "unmap springboards of jumps", SYS_munmap, (uint64_t[6]){ run.start, run.bytes }, error))
				return -1;
		}
		remote->next_board = run.next;
	} while (remote->next_board < boards->nr && stopped__now_ns() - begin < BATCH_NS);
	return 0;
}

int board_pages__unmap(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	uint64_t since = stopped__now_ns();
	struct injector injector;
	struct regions regions = { 0 };
	int err;

	err = regions__read(&regions, stopped__living(stopped)) ?
	      error__set(error, ERR_FAILED, "What process %d maps can't be read.", stopped->pid) :
	      board_pages__check(remote, stopped, &regions, error) ||
	      injector__init(&injector, stopped, &regions, &remote->calls, error) ? -1 : 0;
	if (!err) {
		err = unmap_runs(remote, &regions, &injector, since, error);
		if (!injector__end(&injector))
			remote->is_mapped = false;
	}
	regions__free(&regions);
	return err;
}
