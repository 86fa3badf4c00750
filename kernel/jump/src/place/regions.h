/* SPDX-License-Identifier: GPL-2.0 */
/* What a process maps. */
#ifndef KVIEW_JUMP_REGIONS_H
#define KVIEW_JUMP_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct region {
	uint64_t start, end;
	uint64_t inode;		/* 0: no file */
	bool can_read, can_write, can_execute, is_shared;
	bool is_stack;		/* the first thread's */
	bool is_heap;		/* what brk moves the end of */
	bool is_bpf_map;
};

struct regions {
	struct region *all;	/* ascending */
	size_t nr;
};

/* Returns 0, or -1 if they can't be read.  Free in both cases. */
int regions__read(struct regions *regions, pid_t pid);
void regions__free(struct regions *regions);
/* NULL: nothing is mapped there. */
const struct region *regions__at(const struct regions *regions, uint64_t address);

/* As if it were mapped: somebody means to. Returns 0, or -1 without memory. */
int regions__reserve(struct regions *regions, uint64_t start, uint64_t end);

/*
 * Where there is room for so many bytes, within reach of 32-bit jumps to and from all of [start, end), with some
 * distance left to what its code names; 0: nowhere.
 */
uint64_t regions__room(const struct regions *regions, uint64_t start, uint64_t end, uint64_t bytes);

#endif
