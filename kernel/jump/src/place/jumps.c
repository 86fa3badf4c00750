// SPDX-License-Identifier: GPL-2.0
#include "place/jumps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place/memory_room.h"
#include "place/remote.h"
#include "place/stack_room.h"
#include "place/threads.h"

#define TRAP 0xcc	/* the instruction int3 */
/* About the longest that threads stand still for one round of writing. */
#define BATCH_NS 2000000ull

static bool has_bytes(int memory, uint64_t address, const uint8_t *bytes, size_t nr)
{
	uint8_t there[JUMP_MAX_WINDOW];

	return pread(memory, there, nr, address) == (ssize_t)nr && !memcmp(there, bytes, nr);
}

/* What is where a jump was put. */
enum standing {
	JUMP_STANDS, CODE_STANDS,
	/* The kernel for a uprobe, or a debugger, put a trap there, or took one away and put the file's byte there. */
	PART_STANDS,
	OTHER_STANDS,
};

/* Whether somebody else's trap is at a byte, where an instruction begins. */
static bool is_trap(const struct image_patch *patch, const uint8_t *there, unsigned int at)
{
	return there[at] == TRAP && patch->was[at] != TRAP && (!at || patch->inner >> at & 1);
}

/* What a jump has itself there is not known to be one. */
static bool is_others(const struct image_patch *patch, const uint8_t *there, unsigned int at)
{
	return is_trap(patch, there, at) && patch->is[at] != TRAP;
}

static enum standing what_stands(int memory, const struct image_patch *patch, uint8_t *there)
{
	const unsigned int span = pun__span(patch->changed);
	bool has_part = false;

	if (pread(memory, there, span, patch->address) != span)
		return OTHER_STANDS;
	if (!memcmp(there, patch->is, span))
		return JUMP_STANDS;
	for (unsigned int i = 0; i < span; i++) {
		if (there[i] != patch->is[i] && there[i] != patch->was[i] && !is_trap(patch, there, i))
			return OTHER_STANDS;
		has_part |= there[i] != patch->was[i] && !is_trap(patch, there, i);
	}
	return has_part ? PART_STANDS : CODE_STANDS;
}

/* What is there is no jump of ours: it is no longer mapped, or other code is there by now. */
static bool is_without(const struct stopped *stopped, const struct remote *remote, const struct image_patch *patch)
{
	const struct region *region;
	struct regions regions = { 0 };
	uint8_t first;
	bool is_other;

	if (pread(stopped->memory, &first, 1, patch->address) != 1)
		return true;
	if (!remote->mapped || regions__read(&regions, stopped__living(stopped))) {
		regions__free(&regions);
		return false;
	}
	region = regions__at(&regions, patch->address);
	is_other = region && region->inode != remote->mapped;
	regions__free(&regions);
	return is_other;
}

static bool write_part(int memory, const struct image_patch *patch, const uint8_t *bytes, unsigned int from, unsigned int nr)
{
	place__step();
	return pwrite(memory, bytes + from, nr, patch->address + from) == (int)nr;
}

/* Those behind them belong to others, who may change them at this moment. */
static bool write_changed(int memory, const struct image_patch *patch, const uint8_t *bytes)
{
	return write_part(memory, patch, bytes, 0, patch->changed);
}

/*
 * All but others' traps, which do there what they are for, until who put one takes it away.  He may do so at this moment: then the byte that
 * he writes is the right one.  With the first byte, which is in the first part, the code is the file's already.
 */
static bool write_back(int memory, const struct image_patch *patch, const uint8_t *there)
{
	for (unsigned int from = 0, to; from < patch->changed; from = to) {
		for (to = from; to < patch->changed && !is_others(patch, there, to); to++)
			;
		if (to > from && !write_part(memory, patch, patch->was, from, to - from))
			return false;
		to += to == from;
	}
	return true;
}

/* All or none of a function's; returns how many they are. */
static size_t put_function(struct remote *remote, int memory, size_t from)
{
	struct image_patch *patches = remote->image.patches;
	size_t end = from, put = from;
	bool can = true;

	for (; end < remote->image.nr && patches[end].function == patches[from].function; end++)
		can = can && has_bytes(memory, patches[end].address, patches[end].file, patches[end].bytes) &&
		      has_bytes(memory, patches[end].address, patches[end].was, pun__span(patches[end].changed));
	while (can && put < end && write_changed(memory, &patches[put], patches[put].is))
		put++;
	if (put == end)
		return end - from;
	while (put-- > from)
		write_changed(memory, &patches[put], patches[put].was);
	for (size_t i = from; i < end; i++)
		patches[i].is_left = true;
	return end - from;
}

static int gone(const struct remote *remote, struct error *error)
{
	return error__set(error, ERR_PROCESS_ENDED, "Process %d runs another program by now.", remote->process.pid);
}

static int write_control(const struct remote *remote, int memory, uint64_t shared, struct error *error)
{
	place__step();
	return pwrite(memory, &shared, sizeof(shared), remote->image.address) == sizeof(shared) ? 0 :
	       error__set(error, ERR_FAILED, "The memory of process %d can't be written: %s.", remote->process.pid,
			  strerror(errno));
}

int jumps__put(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	uint64_t begin = stopped__now_ns();

	if (!remote__is_there(remote, stopped->memory))
		return gone(remote, error);
	do
		remote->next += put_function(remote, stopped->memory, remote->next);
	while (remote->next < remote->image.nr && stopped__now_ns() - begin < BATCH_NS);
	return 0;
}

int jumps__count(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;

	return remote__is_there(remote, stopped->memory) ?
	       write_control(remote, stopped->memory, remote__shared_at(remote), error) : gone(remote, error);
}

int jumps__count_no_more(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;

	return remote__is_there(remote, stopped->memory) ? write_control(remote, stopped->memory, 0, error) :
	       gone(remote, error);
}

bool jumps__stands(const struct image_patch *patch, int memory)
{
	uint8_t there[PUN_BYTES];
	enum standing standing = what_stands(memory, patch, there);

	return standing == JUMP_STANDS || standing == PART_STANDS;
}

bool jumps__is_disturbed(const struct image_patch *patch, int memory)
{
	const unsigned int span = pun__span(patch->changed), bytes = patch->bytes;
	uint8_t there[JUMP_MAX_WINDOW];

	if (what_stands(memory, patch, there) == OTHER_STANDS ||
	    (bytes > span && pread(memory, there + span, bytes - span, patch->address + span) != (int)(bytes - span)))
		return false;
	/*
	 * Behind the jump, within the window, nobody comes by; a trap there waits in vain.  Behind the window, as at the beginning of the next
	 * function, a trap is hit, and a springboard goes on for the jump that reaches there.
	 */
	for (unsigned int i = 0; i < bytes; i++)
		if (there[i] != (i < span ? patch->is : patch->file)[i])
			return true;
	return false;
}

/* False: it could not be written, or something else has changed the bytes since: then they are left as they are. */
static bool restore(const struct stopped *stopped, const struct remote *remote, const struct image_patch *patch)
{
	uint8_t there[PUN_BYTES];

	switch (what_stands(stopped->memory, patch, there)) {
	case JUMP_STANDS: case PART_STANDS:
		return write_back(stopped->memory, patch, there);
	case CODE_STANDS:
		return true;
	default:
		return is_without(stopped, remote, patch);
	}
}

int jumps__drop(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;

	if (!remote__is_there(remote, stopped->memory))
		return gone(remote, error);
	for (size_t i = 0; i < remote->image.nr; i++)
		if (remote->image.patches[i].is_unwanted && !restore(stopped, remote, &remote->image.patches[i]))
			return error__set(error, ERR_FAILED, "A jump in process %d could not be taken out.", remote->process.pid);
	return 0;
}

#define PRESENT		(1ull << 63)	/* in /proc/PID/pagemap: in memory, and of this process alone */
#define EXCLUSIVE	(1ull << 56)

/* How many pages have to be copied to be written: those that it shares with processes that it forked, or was forked from. */
static uint64_t shared_pages(pid_t living, const struct image *image)
{
	uint64_t pages = 0, last = 0, entry;
	char path[32];
	int pagemap;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", living);
	pagemap = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < image->nr; i++) {
		uint64_t page = image->patches[i].address / JUMP_PAGE;

		if (page == last || (pread(pagemap, &entry, sizeof(entry), page * sizeof(entry)) == sizeof(entry) &&
				     (!entry || ((entry & PRESENT) && (entry & EXCLUSIVE)))))
			continue;
		last = page;
		pages++;
	}
	if (pagemap >= 0)
		close(pagemap);
	return pages;
}

/*
 * Each that is woken writes where its processor is kept (rseq), and to its stack: it may share these, also where its code is its own by now,
 * as a child that shared that had its own restored.
 */
static uint64_t pages_of_threads(pid_t pid)
{
	char path[32];
	struct stat tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return stat(path, &tasks) || tasks.st_nlink < 3 ? 2 : 2 * (tasks.st_nlink - 2);
}

int jumps__check_memory(const struct remote *remote, struct error *error)
{
	const pid_t pid = remote->process.pid;
	uint64_t pages = shared_pages(thread__living(pid), &remote->image), bytes, room;

	bytes = (pages + pages_of_threads(pid)) * JUMP_PAGE + INJECT_ROOM;
	if (memory_room__of(pid, &room, error))
		return -1;
	return room >= bytes ? 0 :
	       error__set(error, ERR_NOT_PROBEABLE, "To restore its code process %d needs up to %" PRIu64 " KiB, as it may share memory with processes that it forked or was forked from, and the memory limit of its control group leaves %" PRIu64 " KiB.",
			  pid, bytes / 1024, room / 1024);
}

int jumps__restore(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	uint64_t begin = stopped__now_ns();

	if (!remote__is_there(remote, stopped->memory)) {
		remote->is_mapped = false;
		remote->next = remote->image.nr;
		return 0;
	}
	/* A forked child counts nothing, and writing there would make a page. */
	if ((remote__is_original(remote, stopped->memory) && write_control(remote, stopped->memory, 0, error)) ||
	    (!remote->next && jumps__check_memory(remote, error)))
		return -1;
	do {
		if (!restore(stopped, remote, &remote->image.patches[remote->next++]))
			remote->left++;
	} while (remote->next < remote->image.nr && stopped__now_ns() - begin < BATCH_NS);
	return 0;
}
