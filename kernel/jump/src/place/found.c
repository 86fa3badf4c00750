// SPDX-License-Identifier: GPL-2.0
/* Jumps that another put, who is gone by now. */
#include "place/remote.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place/board_pages.h"
#include "place/regions.h"

/* More than any program has; what is read is the process's to write. */
#define MOST_JUMPS	(1u << 20)

static bool is_record(const struct jump_record *record, const struct region *region)
{
	return !memcmp(record->magic, JUMP_MAGIC, sizeof(JUMP_MAGIC)) &&
	       record->code_bytes == region->end - region->start &&
	       record->nr <= MOST_JUMPS &&
	       record->nr <= (record->code_bytes - JUMP_PAGE) / sizeof(struct jump_record_entry);
}

/* It leads into the code, and is written in one of the ways that there are. */
static bool is_entry(const struct jump_record_entry *entry, const struct region *region)
{
	return entry->is[0] == 0xe9 && entry->stub < region->end - region->start && entry->changed &&
	       entry->changed <= PUN_BYTES && !memcmp(entry->is + entry->changed, entry->was + entry->changed, PUN_BYTES - entry->changed);
}

/* It may be there: what is in all of its pages is looked at later. */
static bool is_board(int memory, const struct board *board)
{
	static const uint8_t never_written[BOARD_BYTES];
	uint8_t there[BOARD_BYTES], jump[BOARD_BYTES];

	return jump__encode(jump, board->at, board->to) && pread(memory, there, sizeof(there), board->at) == sizeof(there) &&
	       (!memcmp(there, jump, sizeof(jump)) || !memcmp(there, never_written, sizeof(there)));
}

static void take_boards(struct remote *remote, int memory, const struct image_patch *patch)
{
	struct board boards[PUN_MAX_BOARDS];
	size_t nr = pun__boards(patch->is, patch->was, patch->changed, patch->inner, patch->address, patch->stub, boards);

	for (size_t i = 0; i < nr; i++)
		if (!image__has(&remote->image, boards[i].at) && remote->image.boards.nr < BOARDS_MOST && is_board(memory, &boards[i]))
			boards__add(&remote->image.boards, &boards[i]);
}

static int take_entries(struct remote *remote, int memory, const struct jump_record *record,
			const struct region *region)
{
	size_t bytes = record->nr * sizeof(struct jump_record_entry);
	struct jump_record_entry *entries = malloc(bytes + 1);
	int err = entries && pread(memory, entries, bytes, region->end - bytes) == (ssize_t)bytes ? 0 : -1;

	remote->image.patches = calloc(record->nr + 1, sizeof(*remote->image.patches));
	if (!remote->image.patches)
		err = -1;
	for (size_t i = 0; i < record->nr && !err; i++) {
		struct image_patch *patch = &remote->image.patches[i];

		if (!is_entry(&entries[i], region))
			err = -1;
		patch->address = entries[i].address;
		memcpy(patch->was, entries[i].was, PUN_BYTES);
		memcpy(patch->is, entries[i].is, PUN_BYTES);
		patch->changed = entries[i].changed;
		patch->inner = entries[i].inner;
		patch->stub = region->start + entries[i].stub;
		patch->copies = entries[i].copies;
		patch->nr_copies = entries[i].nr_copies;
		if (!err)
			take_boards(remote, memory, patch);
	}
	remote->image.nr = record->nr;
	free(entries);
	return err;
}

/* The clocks, or one of the two pages around them, of which the one behind grows down in a forked child. */
static bool is_of_clocks(const struct region *region, uint64_t start, uint64_t end)
{
	if (region->start < start || region->end > end)
		return false;
	if (region->is_bpf_map)
		return !region->can_write && region->start == start + JUMP_PAGE && region->end == end - JUMP_PAGE;
	if (region->inode || region->is_shared || region->can_execute)
		return false;
	return region->can_write ? region->end == end : !region->can_read && region->end == start + JUMP_PAGE;
}

/* A forked child does not have the clocks, and may have mapped something else there. */
static uint64_t clocks_behind(const struct regions *regions, uint64_t end, uint64_t bytes)
{
	size_t nr = 0;

	for (size_t i = 0; i < regions->nr; i++) {
		if (regions->all[i].end <= end || regions->all[i].start >= end + bytes)
			continue;
		if (!is_of_clocks(&regions->all[i], end, end + bytes))
			return 0;
		nr++;
	}
	return nr ? bytes : 0;
}

/* The region behind another, if it is what the code or the figures would be. */
static uint64_t bytes_behind(const struct regions *regions, uint64_t end, uint64_t bytes, bool is_code)
{
	const struct region *region = regions__at(regions, end);

	return region && region->start == end && region->end - end == bytes && region->can_execute == is_code &&
	       region->is_shared != is_code ? bytes : 0;
}

static bool take(struct remote *remote, int memory, const struct regions *regions, const struct region *region)
{
	const struct region *control = region - 1;
	struct jump_record record;

	if (region == regions->all || !region->can_execute || region->can_write || region->inode ||
	    control->end != region->start || !control->can_write || control->inode ||
	    region->end - region->start < JUMP_PAGE ||
	    pread(memory, &record, sizeof(record), region->start + JUMP_STAMPS_BYTES) != sizeof(record) ||
	    !is_record(&record, region))
		return false;
	remote->image.code = (struct emitter){ .address = region->start, .room = record.code_bytes };
	if (take_entries(remote, memory, &record, region))
		return false;
	remote->boards_begun = record.boards_begun;
	board_pages__find(remote, memory, regions);
	remote->id = record.id;
	remote->mapped = record.file;
	remote->image.address = region->start - JUMP_CONTROL_BYTES;
	remote->is_copy = !remote__is_original(remote, memory);
	remote->shared_bytes = bytes_behind(regions, region->end, record.shared_bytes, false);
	if (remote->shared_bytes)
		remote->clocks_bytes = clocks_behind(regions, region->end + remote->shared_bytes, record.clocks_bytes);
	remote->is_mapped = true;
	return true;
}

/* Where one was killed before all was mapped, or before it had its code. */
static bool take_part(struct remote *remote, int memory, const struct regions *regions,
		      const struct region *region)
{
	struct jump_control control;

	if (region->end - region->start != JUMP_CONTROL_BYTES || region->inode || !region->can_write ||
	    region->is_shared ||
	    pread(memory, &control, sizeof(control), region->start) != sizeof(control) ||
	    memcmp(control.magic, JUMP_MAGIC, sizeof(JUMP_MAGIC)) || control.shared)
		return false;
	remote->id = control.id;
	remote->image.address = region->start;
	remote->image.code = (struct emitter){ .address = region->end };
	remote->image.code.room = bytes_behind(regions, region->end, control.code_bytes, true);
	if (remote->image.code.room)
		remote->shared_bytes = bytes_behind(regions, region->end + control.code_bytes, control.shared_bytes,
						    false);
	if (remote->shared_bytes)
		remote->clocks_bytes = clocks_behind(regions, region->end + control.code_bytes + control.shared_bytes,
						     control.clocks_bytes);
	remote->is_mapped = true;
	return true;
}

/* Its memory, and what it maps there; -1: it has none, or may not be looked at. */
static int open_process(pid_t pid, struct regions *regions)
{
	pid_t living = thread__living(pid);
	char path[32];
	int memory;

	*regions = (struct regions){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/mem", living);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	if (memory >= 0 && regions__read(regions, living)) {
		close(memory);
		memory = -1;
	}
	if (memory < 0)
		regions__free(regions);
	return memory;
}

int remote__find(struct remote *remote, pid_t pid, struct error *error)
{
	struct regions regions;
	int memory = open_process(pid, &regions), found = 0;

	*remote = (struct remote){ .process = process_id__of(pid) };
	if (memory < 0)
		return error__set(error, ERR_NO_SUCH_PROCESS, "The memory of process %d can't be read.", pid);
	for (size_t i = 0; i < 2 * regions.nr && !found; i++) {
		found = i < regions.nr ? take(remote, memory, &regions, &regions.all[i]) :
			take_part(remote, memory, &regions, &regions.all[i - regions.nr]);
		if (!found)
			remote__free(remote);
	}
	regions__free(&regions);
	close(memory);
	return found;
}

/* The record is somewhere on the code's first page, and its fields have eight bytes. */
static bool has_other_record(int memory, const struct region *region)
{
	uint8_t page[JUMP_PAGE];

	if (!region->can_execute || region->can_write || region->inode || pread(memory, page, sizeof(page), region->start) != sizeof(page))
		return false;
	for (size_t at = 0; at + sizeof(JUMP_MAGIC) <= sizeof(page); at += 8)
		if (!memcmp(page + at, JUMP_MAGIC_OF_ALL, strlen(JUMP_MAGIC_OF_ALL)) && memcmp(page + at, JUMP_MAGIC, sizeof(JUMP_MAGIC)))
			return true;
	return false;
}

bool remote__is_of_other_version(pid_t pid)
{
	struct regions regions;
	int memory = open_process(pid, &regions);
	bool is = false;

	if (memory < 0)
		return false;
	for (size_t i = 0; i < regions.nr && !is; i++)
		is = has_other_record(memory, &regions.all[i]);
	regions__free(&regions);
	close(memory);
	return is;
}

bool remote__find_next(struct remote *remote, pid_t pid, uint64_t from)
{
	struct regions regions;
	bool found = false;
	int memory = open_process(pid, &regions);

	*remote = (struct remote){ .process = process_id__of(pid) };
	if (memory < 0)
		return false;
	for (size_t i = 0; i < regions.nr && !found; i++) {
		found = regions.all[i].start >= from && take(remote, memory, &regions, &regions.all[i]);
		if (!found)
			remote__free(remote);
	}
	regions__free(&regions);
	close(memory);
	return found;
}

bool remote__find_copy(struct remote *copy, pid_t pid, const struct remote *of)
{
	struct regions regions;
	const struct region *region;
	bool found = false;
	int memory;

	*copy = (struct remote){ .process = process_id__of(pid) };
	memory = open_process(pid, &regions);
	if (memory < 0)
		return false;
	region = regions__at(&regions, of->image.code.address);
	if (region && region->start == of->image.code.address)
		found = take(copy, memory, &regions, region) && copy->id == of->id;
	if (!found)
		remote__free(copy);
	regions__free(&regions);
	close(memory);
	return found;
}
