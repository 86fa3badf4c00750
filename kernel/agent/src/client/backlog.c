// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rights.h"
#include "client/backlog.h"

/* So much at a time is given back of what was read. */
#define FREE_BYTES	(4U << 20)

/* Not in memory, where a file would save nothing; the second one often is. */
static const char *const folders[] = { "/var/tmp", "/tmp" };

/* What is in the file of each frame, before its bytes. */
struct head {
	uint64_t length;
	uint32_t packet_bytes, output_bytes;
	uint8_t numbered, urgent;
};

void backlog__init(struct backlog *backlog)
{
	*backlog = (struct backlog){ .fd = -1 };
	frames__init(&backlog->first);
	frames__init(&backlog->last);
}

void backlog__free(struct backlog *backlog)
{
	frames__free(&backlog->first);
	frames__free(&backlog->last);
	if (backlog->fd >= 0)
		close(backlog->fd);
	backlog->fd = -1;
}

static int open_in(const char *folder, uint64_t *free_bytes)
{
	struct statfs system;
	int fd;

	if (statfs(folder, &system) || system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC)
		return -1;
	*free_bytes = (uint64_t)system.f_bavail * system.f_bsize;
	/* The file is the user's, also where the agent has more rights: it counts in the user's quota. */
	rights__lower();
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	rights__restore();
	return fd;
}

static void backlog__open(struct backlog *backlog)
{
	uint64_t free_bytes = 0;
	size_t i;

	backlog->was_opened = true;
	for (i = 0; backlog->fd < 0 && i < sizeof(folders) / sizeof(*folders); i++)
		backlog->fd = open_in(folders[i], &free_bytes);
	backlog->most_bytes = free_bytes / BACKLOG_FILE_SHARE;
	if (backlog->most_bytes > BACKLOG_FILE_BYTES)
		backlog->most_bytes = BACKLOG_FILE_BYTES;
}

static bool file__write(struct backlog *backlog, const struct frame *frame)
{
	struct head head = {
		.length = frame->length, .packet_bytes = frame->packet_bytes,
		.output_bytes = frame->output_bytes, .numbered = frame->numbered, .urgent = frame->urgent,
	};
	struct iovec parts[] = { { &head, sizeof(head) }, { (void *)frame->bytes, frame->length } };
	uint64_t bytes = sizeof(head) + frame->length;

	if (backlog->fd < 0 || backlog->end - backlog->begin + bytes > backlog->most_bytes)
		return false;
	if (pwritev(backlog->fd, parts, 2, backlog->end) != (ssize_t)bytes) {
		/* It is full, or may be written no more; what was written of it is written over, or never read. */
		backlog->most_bytes = 0;
		return false;
	}
	backlog->end += bytes;
	return true;
}

static bool file__read_at(struct backlog *backlog, void *to, size_t bytes, uint64_t offset)
{
	return pread(backlog->fd, to, bytes, offset) == (ssize_t)bytes;
}

/* Gives back the blocks of what was read. */
static void file__free_read(struct backlog *backlog)
{
	if (backlog->begin == backlog->end) {
		backlog->begin = backlog->end = backlog->freed = 0;
		if (ftruncate(backlog->fd, 0))
			backlog->most_bytes = 0;
	} else if (backlog->begin - backlog->freed >= FREE_BYTES) {
		/* A file system that can't keeps them until all is read. */
		if (fallocate(backlog->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, backlog->freed,
			      backlog->begin - backlog->freed))
			backlog->most_bytes = 0;
		backlog->freed = backlog->begin;
	}
}

static struct frame *file__take(struct backlog *backlog)
{
	struct frame *frame;
	struct head head;

	if (!file__read_at(backlog, &head, sizeof(head), backlog->begin))
		return NULL;
	frame = malloc(sizeof(*frame) + head.length);
	if (!frame)
		return NULL;
	*frame = (struct frame){
		.length = head.length, .packet_bytes = head.packet_bytes,
		.output_bytes = head.output_bytes, .numbered = head.numbered, .urgent = head.urgent,
	};
	if (!file__read_at(backlog, frame->bytes, head.length, backlog->begin + sizeof(head))) {
		free(frame);
		return NULL;
	}
	backlog->begin += sizeof(head) + head.length;
	file__free_read(backlog);
	return frame;
}

static void backlog__add_first(struct backlog *backlog, struct frame *frame)
{
	frames__add(&backlog->first, frame);
	backlog->first_bytes += frame->length;
}

void backlog__add(struct backlog *backlog, struct frame *frame, bool may_use_file)
{
	bool is_in_file = backlog->begin < backlog->end;

	if (backlog->last.first)
		return frames__add(&backlog->last, frame);
	if (!is_in_file && (!may_use_file || backlog->first_bytes + frame->length <= BACKLOG_MEMORY_BYTES))
		return backlog__add_first(backlog, frame);
	if (!backlog->was_opened)
		backlog__open(backlog);
	if (file__write(backlog, frame))
		free(frame);
	else
		frames__add(&backlog->last, frame);
}

struct frame *backlog__peek(struct backlog *backlog)
{
	struct frame *frame;

	if (!backlog->first.first && backlog->begin < backlog->end) {
		frame = file__take(backlog);
		backlog->is_broken |= !frame;
		if (frame)
			backlog__add_first(backlog, frame);
	} else if (!backlog->first.first) {
		while ((frame = frames__take(&backlog->last)))
			backlog__add_first(backlog, frame);
	}
	return backlog->first.first;
}

struct frame *backlog__take(struct backlog *backlog)
{
	struct frame *frame = backlog__peek(backlog) ? frames__take(&backlog->first) : NULL;

	if (frame)
		backlog->first_bytes -= frame->length;
	return frame;
}

bool backlog__is_empty(const struct backlog *backlog)
{
	return !backlog->first.first && backlog->begin == backlog->end && !backlog->last.first;
}

bool backlog__has_room(struct backlog *backlog)
{
	if (backlog->last.first)
		return false;
	if (backlog->begin == backlog->end && backlog->first_bytes < BACKLOG_MEMORY_BYTES)
		return true;
	if (!backlog->was_opened)
		backlog__open(backlog);
	return backlog->end - backlog->begin < backlog->most_bytes;
}
