// SPDX-License-Identifier: GPL-2.0
/* A handler of faults that the process gets while it has jumps, as programs do that were not yet begun when these were put. */
#include <stdio.h>

#include "lookup/thread_policies.h"
#include "mechanism/jump/state.h"

static void take_off(const struct jump_file *file, const bool *dropped, struct mechanism_off *off)
{
	const struct image *image = &file->remote.image;

	for (size_t i = 0; i < image->nr; i++) {
		uint32_t point = file->points[image->patches[i].function];

		/* Those of a function follow each other. */
		if (image->patches[i].may_fault && !dropped[point] && !(off->nr && off->points[off->nr - 1] == point))
			off->points[off->nr++] = point;
	}
}

void jump_handlers__find(struct jumps *jumps, struct mechanism_off *off)
{
	struct thread_policies policies = { 0 };

	/* Nothing is asked of a process that had one before: it has no such copies. */
	if (!jumps->knows_handlers)
		thread_policies__read(&policies, jumps->base.pid, false);
	if (!policies.handles_faults)
		return;
	jumps->knows_handlers = true;
	for (size_t i = 0; i < jumps->nr_files; i++)
		if (jumps->files[i].remote.is_mapped)
			take_off(&jumps->files[i], jumps->dropped, off);
	snprintf(off->why, sizeof(off->why), "The process got a handler for faults while it had jumps: it may know by its address what faults, and an instruction that may fault ran as a copy.");
}
