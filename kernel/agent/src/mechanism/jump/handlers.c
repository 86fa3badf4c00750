// SPDX-License-Identifier: GPL-2.0
/* A handler of faults that the process gets while it has jumps, as programs do that were not yet begun when these were put. */
#include <stdio.h>

#include "lookup/thread_policies.h"
#include "mechanism/jump/state.h"

static void take_off(const struct jump_file *file, const bool *dropped, int memory, struct mechanism_off *off)
{
	const struct image *image = &file->remote.image;

	if (!file->remote.is_mapped || !remote__is_there(&file->remote, memory))
		return;
	for (size_t i = 0; i < image->nr; i++) {
		uint32_t point = file->points[image->patches[i].function];

		/* Those of a function follow each other. */
		if (image->patches[i].may_fault && !dropped[point] && !(off->nr && off->points[off->nr - 1] == point))
			off->points[off->nr++] = point;
	}
}

/* Where that was not read, as the process has ended or its number is another's, nothing is known of it. */
static bool has_handler(const struct jumps *jumps)
{
	struct thread_policies policies;

	return thread_policies__read(&policies, jumps->base.pid, false) && policies.handles_faults &&
	       process_id__is(&jumps->files[0].remote.process);
}

void jump_handlers__find(struct jumps *jumps, struct mechanism_off *off)
{
	if (jumps->knows_handlers || !jumps->nr_files || !has_handler(jumps))
		return;
	/* Nobody else can stop it: at a later look. */
	if (process__tracer(jumps->base.pid))
		return;
	for (size_t i = 0; i < jumps->nr_files; i++)
		take_off(&jumps->files[i], jumps->dropped, jumps->memory, off);
	if (!off->nr) {
		jumps->knows_handlers = true;
		return;
	}
	snprintf(off->why, sizeof(off->why), "The process got a handler for faults while it had jumps: it may know by its address what faults, and an instruction that may fault ran as a copy.");
}
