/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames that wait to be sent, in their order.  Those that the client does not take for long lie in a file without a name
 * meanwhile, so that a client that gets too little of a CPU, or a slow connection, costs no events as long as there is
 * room on the disk.
 */
#ifndef KVIEW_BACKLOG_H
#define KVIEW_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/frames.h"

/* Frames beyond that are put into the file. */
#define BACKLOG_MEMORY_BYTES	(8U << 20)
/* How long the file gets at most, and which part of what was free on its disk. */
#define BACKLOG_FILE_BYTES	(1ULL << 30)
#define BACKLOG_FILE_SHARE	8

struct backlog {
	struct frames first;		/* in memory, before all others */
	size_t first_bytes;
	int fd;				/* -1: there is no file, or not yet */
	bool was_opened;		/* or that was tried */
	bool is_broken;			/* what is in the file can't be read */
	uint64_t begin, end;		/* of what is in the file */
	uint64_t freed;			/* the file has no blocks before that */
	uint64_t most_bytes;
	struct frames last;		/* in memory, behind the file's: it took no more */
};

void backlog__init(struct backlog *backlog);
void backlog__free(struct backlog *backlog);

/* Never fails: what the file does not take stays in memory. */
void backlog__add(struct backlog *backlog, struct frame *frame, bool may_use_file);
/* The next one, which is still in it.  NULL: it is empty, or broken. */
struct frame *backlog__peek(struct backlog *backlog);
struct frame *backlog__take(struct backlog *backlog);
bool backlog__is_empty(const struct backlog *backlog);
/* Whether more may be added with may_use_file, and the memory that this takes has a bound. */
bool backlog__has_room(struct backlog *backlog);

#endif
