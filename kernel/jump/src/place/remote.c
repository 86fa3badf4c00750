// SPDX-License-Identifier: GPL-2.0
#include "place/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "place/board_pages.h"
#include "place/handover.h"
#include "place/jumps.h"
#include "place/memory_room.h"

#define HANDOVER_AT 1024	/* in the control page */
#define MAPPING_BYTES 1024	/* more than the kernel takes to know of a mapping */
#define HIGHER_TABLES 8		/* jumps reach 2 GiB to each side, and a table of the second level is for 1 GiB */
#define RATE_NS 50000000	/* so long the clock's rate is measured at least: then it is right to 1 of a million */

_Static_assert(sizeof(struct jump_control) <= HANDOVER_AT && HANDOVER_AT + HANDOVER_BYTES <= JUMP_CONTROL_BYTES,
	       "the control page has room for both");

uint64_t remote__bytes(const struct remote *remote)
{
	return JUMP_CONTROL_BYTES + remote->image.code.room + remote->shared_bytes + remote->clocks_bytes;
}

uint64_t remote__shared_at(const struct remote *remote)
{
	return remote->image.code.address + remote->image.code.room;
}

uint64_t remote__clocks_at(const struct remote *remote)
{
	return remote__shared_at(remote) + remote->shared_bytes + JUMP_PAGE;
}

bool remote__is_original(const struct remote *remote, int memory)
{
	struct jump_control control;

	return pread(memory, &control, sizeof(control), remote->image.address) == sizeof(control) &&
	       !memcmp(control.magic, JUMP_MAGIC, sizeof(JUMP_MAGIC)) && control.id == remote->id;
}

bool remote__has_record(const struct remote *remote, int memory)
{
	struct jump_record record;

	return pread(memory, &record, sizeof(record), remote->image.code.address + JUMP_STAMPS_BYTES) ==
	       sizeof(record) && !memcmp(record.magic, JUMP_MAGIC, sizeof(JUMP_MAGIC)) &&
	       record.id == remote->id;
}

bool remote__is_there(const struct remote *remote, int memory)
{
	/* Without its code the rest was never used. */
	return remote__is_original(remote, memory) || remote__has_record(remote, memory);
}

/* With the page before them, and the one behind. */
static uint64_t bytes_with_clocks(const struct remote *remote)
{
	return remote->clocks->bytes + 2 * JUMP_PAGE;
}

/* So that whoever comes finds it, however much else there is. */
static int write_control(const struct remote *remote, int memory, struct error *error)
{
	struct jump_control control = { .magic = JUMP_MAGIC, .id = remote->id, .code_bytes = remote->image.code.room,
					.shared_bytes = remote->shared_bytes, .clocks_bytes = remote->clocks ? bytes_with_clocks(remote) : 0 };

	place__step();
	return pwrite(memory, &control, sizeof(control), remote->image.address) == sizeof(control) ? 0 :
	       error__set(error, ERR_FAILED, "The memory of process %d can't be written: %s.", remote->process.pid,
			  strerror(errno));
}

/* Maps the three parts; mapped: how many bytes there are by now. */
static int map_all(struct remote *remote, struct injector *injector, uint64_t *mapped, struct error *error)
{
	const struct image *image = &remote->image;
	const struct { const char *what; uint64_t bytes; int rights, kind; } parts[] = {
		{ "map memory for jumps", JUMP_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE },
		{ "map memory for code", image->code.room, PROT_READ | PROT_EXEC, MAP_PRIVATE },
		{ "map memory for figures", remote->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (injector__do(injector, parts[i].what, SYS_mmap, (uint64_t[6]){
				image->address + *mapped, parts[i].bytes, parts[i].rights,
				parts[i].kind | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1ull }, error))
			return -1;
		*mapped += parts[i].bytes;
		if (!i && write_control(remote, injector->stopped->memory, error))
			return -1;
	}
	return injector__do(injector, "have memory that a child finds empty", SYS_madvise,
		    (uint64_t[6]){ image->address, JUMP_CONTROL_BYTES, MADV_WIPEONFORK }, error);
}

/*
 * Numbers of open files mean the same up to the end only if nobody who runs can change them, and nobody else is to get that file.
 */
static int watch(struct remote *remote, const struct injector *injector, struct error *error)
{
	int users;

	if (thread_clocks__watch(remote->clocks, injector->thread->tid, &users, error))
		return -1;
	return users == stopped__same_files(injector->stopped, injector->thread->tid) ? 0 :
	       error__set(error, ERR_NOT_PROBEABLE, "Another process shares the open files of process %d.", remote->process.pid);
}

/*
 * A child of the process has no use for them, and may have other rights.  If it was forked within a stamp it still reads there: as from a
 * stack that it has not used so far, which the kernel lets grow if there is nothing accessible near below.
 */
static int map_file(const struct remote *remote, struct injector *injector, int file, struct error *error)
{
	const uint64_t at = remote__clocks_at(remote), bytes = remote->clocks->bytes;
	const uint64_t fixed = MAP_FIXED_NOREPLACE, none = MAP_PRIVATE | MAP_ANONYMOUS | fixed;

	if (!injector__do(injector, "map memory for clocks", SYS_mmap, (uint64_t[6]){ at - JUMP_PAGE, JUMP_PAGE, PROT_NONE, none, -1ull }, error) &&
	    !injector__do(injector, "map what its threads have run", SYS_mmap, (uint64_t[6]){ at, bytes, PROT_READ, MAP_SHARED | fixed, file }, error) &&
	    !injector__do(injector, "keep from its children what its threads have run", SYS_madvise, (uint64_t[6]){ at, bytes, MADV_DONTFORK }, error) &&
	    !injector__do(injector, "map memory behind clocks", SYS_mmap,
		  (uint64_t[6]){ at + bytes, JUMP_PAGE, PROT_READ | PROT_WRITE, none | MAP_GROWSDOWN, -1ull }, error))
		return 0;
	injector__call(injector, SYS_munmap, (uint64_t[6]){ at - JUMP_PAGE, bytes_with_clocks(remote) });
	return -1;
}

/* Without them it goes on. */
static void map_clocks(struct remote *remote, struct injector *injector, uint64_t *mapped)
{
	struct jump_record *record = (void *)(remote->image.code.bytes + JUMP_STAMPS_BYTES);
	int file;

	if (!remote->clocks)
		return;
	remote->without_clocks.code = 0;
	if (watch(remote, injector, &remote->without_clocks))
		return;
	file = handover__give(injector, remote->image.address + HANDOVER_AT, remote->clocks->file,
			      &remote->without_clocks);
	if (file < 0)
		return;
	if (map_file(remote, injector, file, &remote->without_clocks)) {
		remote->is_taken = remote->without_clocks.code == ERR_BUSY;
	} else {
		remote->clocks_bytes = bytes_with_clocks(remote);
		record->clocks_bytes = remote->clocks_bytes;
		*mapped += remote->clocks_bytes;
	}
	handover__close(injector, file);
}

static int check_counter(const struct remote *remote, struct injector *injector, struct error *error)
{
	uint64_t at = remote->image.address + offsetof(struct jump_control, answer), answer = 0;

	if (injector__do(injector, "tell whether it may read the processor's counter", SYS_prctl,
		 (uint64_t[6]){ PR_GET_TSC, at }, error))
		return -1;
	if (pread(injector->stopped->memory, &answer, sizeof(answer), at) != sizeof(answer) ||
	    answer != PR_TSC_ENABLE)
		return error__set(error, ERR_NOT_PROBEABLE, "Process %d may not read the processor's counter.",
				  remote->process.pid);
	return 0;
}

static int write_code(const struct remote *remote, int memory, struct error *error)
{
	const struct emitter *code = &remote->image.code;

	place__step();
	if (pwrite(memory, code->bytes, code->room, code->address) != (ssize_t)code->room)
		return error__set(error, ERR_NOT_PROBEABLE, "Code can't be written to process %d: %s.", remote->process.pid,
				  strerror(errno));
	place__step();
	return 0;
}

/*
 * The same memory here.  All threads stand since it was mapped: later, the process could have put a file there that it may
 * only read, and that this may write.
 */
static int map_here(struct remote *remote, struct error *error)
{
	char path[96];
	struct stat stat;
	int file;
	void *shared;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, remote->process.pid,
		 remote__shared_at(remote), remote__shared_at(remote) + remote->shared_bytes);
	file = open(path, O_RDWR | O_CLOEXEC);
	/* What has no name is nobody's file. */
	shared = file < 0 || fstat(file, &stat) || stat.st_nlink || stat.st_size != (off_t)remote->shared_bytes ?
		 MAP_FAILED : mmap(NULL, remote->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (shared == MAP_FAILED)
		error__set(error, ERR_NO_PERMISSION, "The figures in process %d can't be mapped: %s.", remote->process.pid,
			   strerror(errno));
	else
		remote->shared = shared;
	if (file >= 0)
		close(file);
	return remote->shared ? 0 : -1;
}

/* So that whoever restores knows whether it is still there. */
static void note_file(struct remote *remote, const struct regions *regions)
{
	const struct region *region = regions__at(regions, remote->image.patches[0].address);
	struct jump_record *record = (void *)(remote->image.code.bytes + JUMP_STAMPS_BYTES);

	remote->mapped = region ? region->inode : 0;
	record->file = remote->mapped;
}

static int map(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	struct regions regions;
	struct injector injector;
	uint64_t mapped = 0;
	int err;

	err = regions__read(&regions, stopped__living(stopped)) ?
	      error__set(error, ERR_FAILED, "What process %d maps can't be read.", stopped->pid) :
	      injector__init(&injector, stopped, &regions, &remote->calls, error);
	if (!err)
		note_file(remote, &regions);
	regions__free(&regions);
	if (err)
		return -1;
	err = map_all(remote, &injector, &mapped, error) || map_here(remote, error) ||
	      check_counter(remote, &injector, error) ? -1 : 0;
	/* It would be taken a moment later, too. */
	if (err && error->code == ERR_BUSY) {
		error->code = ERR_NOT_PROBEABLE;
		remote->is_taken = true;
	}
	if (!err)
		map_clocks(remote, &injector, &mapped);
	err = err || write_code(remote, stopped->memory, error) ? -1 : 0;
	if (err && mapped)
		injector__call(&injector, SYS_munmap, (uint64_t[6]){ remote->image.address, mapped });
	remote->is_mapped = !err;
	if (!injector__end(&injector) && !err)
		err = error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", stopped->pid);
	return err;
}

static int unmap(struct stopped *stopped, void *context, struct error *error)
{
	struct remote *remote = context;
	struct injector injector;
	struct regions regions;
	int err;

	err = regions__read(&regions, stopped__living(stopped)) ?
	      error__set(error, ERR_FAILED, "What process %d maps can't be read.", stopped->pid) :
	      board_pages__check(remote, stopped, &regions, error) ||
	      injector__init(&injector, stopped, &regions, &remote->calls, error) ? -1 : 0;
	regions__free(&regions);
	if (err)
		return -1;
	err = injector__do(&injector, "unmap what was in it", SYS_munmap,
			   (uint64_t[6]){ remote->image.address, remote__bytes(remote) }, error);
	if (!injector__end(&injector) || !err)
		remote->is_mapped = false;
	return err;
}

/* The clock's rate, by what passed since it was prepared. */
static uint64_t rate_of(const struct remote *remote)
{
	struct clock_pair now;

	while (now = clock__now(), now.ns - remote->since.ns < RATE_NS)
		usleep((RATE_NS - (now.ns - remote->since.ns)) / 1000 + 1);
	return clock__rate(&remote->since, &now);
}

/* Most of it was not touched so far, and will be. */
static uint64_t bytes_beside(const struct remote *remote)
{
	uint64_t bytes = 0;

	for (const struct remote *other = remote->beside; other; other = other->beside)
		bytes += other->is_mapped ? remote__bytes(other) : 0;
	return bytes;
}

int remote__attach(struct remote *remote, const struct shared_layout *layout, struct error *error)
{
	struct error ignored = { 0 };
	uint64_t bytes, room;
	size_t runs;

	remote->layout = *layout;
	remote->shared_bytes = shared__bytes(layout);
	if (getrandom(&remote->id, sizeof(remote->id), 0) != sizeof(remote->id) ||
	    image__write_record(&remote->image, remote->id, remote->shared_bytes))
		return error__set(error, ERR_FAILED, "There is no room for what was overwritten.");
	/* A page of code that is changed becomes the process's own. */
	bytes = remote__bytes(remote) + remote->image.nr * JUMP_PAGE + bytes_beside(remote);
	/* Each run of springboards may need a table of pages of its own, beside what the kernel keeps of each mapping; all need some of higher tables. */
	bytes += boards__bytes(&remote->image.boards, &runs) + runs * (JUMP_PAGE + MAPPING_BYTES) + HIGHER_TABLES * JUMP_PAGE;
	if (memory_room__of(remote->process.pid, &room, error))
		return -1;
	if (room < bytes)
		return error__set(error, ERR_NOT_PROBEABLE, "Jumps take up to %" PRIu64 " KiB of process %d, and the memory limit of its control group leaves %" PRIu64 " KiB: measure fewer functions, or by traps.",
				  bytes / 1024, remote->process.pid, room / 1024);
	if (call_code__find(&remote->calls, remote->process.pid, error))
		return -1;
	if (stopped__work(&remote->process, map, remote, &remote->longest_ns, error))
		goto failed;
	remote->costs.rate = rate_of(remote);
	shared__init(remote->shared, layout, &remote->costs);
	if (remote->clocks_bytes)
		shared__use_clocks(remote->shared, remote__clocks_at(remote), remote->clocks->nr);
	while (remote->next_board < remote->image.boards.nr)
		if (stopped__work(&remote->process, board_pages__map, remote, &remote->longest_ns, error))
			goto failed;
	if (remote->is_taken) {
		error__set(error, ERR_NOT_PROBEABLE, "Process %d has mapped something in a place that jumps were to use, since that was chosen: try again.",
			   remote->process.pid);
		goto failed;
	}
	while (remote->next < remote->image.nr)
		if (stopped__work(&remote->process, jumps__put, remote, &remote->longest_ns, error))
			goto failed;
	return 0;
failed:
	remote__detach(remote, &ignored);
	return -1;
}

int remote__begin(struct remote *remote, struct error *error)
{
	return stopped__work(&remote->process, jumps__count, remote, &remote->longest_ns, error);
}

int remote__end(struct remote *remote, struct error *error)
{
	if (remote->is_mapped && jumps__check_memory(remote, error))
		return -1;
	return remote->is_mapped ? stopped__work(&remote->process, jumps__count_no_more, remote, &remote->longest_ns, error) : 0;
}

int remote__drop(struct remote *remote, uint32_t function, struct error *error)
{
	if (jumps__check_memory(remote, error))
		return -1;
	for (size_t i = 0; i < remote->image.nr; i++)
		remote->image.patches[i].is_unwanted |= remote->image.patches[i].function == function;
	return stopped__work(&remote->process, jumps__drop, remote, &remote->longest_ns, error);
}

int remote__detach(struct remote *remote, struct error *error)
{
	if (!remote->is_mapped)
		return 0;
	if (jumps__check_memory(remote, error))
		return -1;
	remote->next = remote->left = remote->next_board = 0;
	while (remote->next < remote->image.nr)
		if (stopped__work(&remote->process, jumps__restore, remote, &remote->longest_ns, error))
			return -1;
	if (remote->left)
		return error__set(error, ERR_FAILED, "%zu of %zu jumps in process %d were changed by others, and stay.",
				  remote->left, remote->image.nr, remote->process.pid);
	if (!remote->is_mapped)
		return 0;
	/* Anew: it may have been within what was restored. */
	if (call_code__find(&remote->calls, remote->process.pid, error))
		return -1;
	while (remote->next_board < remote->image.boards.nr)
		if (stopped__work(&remote->process, board_pages__unmap, remote, &remote->longest_ns, error))
			return -1;
	return stopped__work(&remote->process, unmap, remote, &remote->longest_ns, error);
}

void remote__free(struct remote *remote)
{
	if (remote->shared)
		munmap(remote->shared, remote->shared_bytes);
	image__free(&remote->image);
	*remote = (struct remote){ .process = remote->process };
}
