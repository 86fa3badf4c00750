// SPDX-License-Identifier: GPL-2.0
/* Traps that others put into what jumps overwrote, or took away there. */
#include <stdio.h>

#include "lookup/thread_policies.h"
#include "mechanism/jump/state.h"
#include "place/jumps.h"

#define AT_A_TIME	256	/* that are looked at, of all jumps in turn */

bool jump_others__breaks(const struct image_patch *patch, int memory)
{
	return jumps__is_broken(patch, memory);
}

bool jump_others__broke(const struct jump_file *file, int memory)
{
	const struct image *image = &file->remote.image;

	for (size_t i = 0; i < image->nr; i++)
		if (jumps__is_broken(&image->patches[i], memory))
			return true;
	return file->remote.left;
}

static void take_off(const struct jumps *jumps, const struct jump_file *file, uint32_t function, struct mechanism_off *off)
{
	off->points[off->nr++] = file->points[function];
	snprintf(off->why, sizeof(off->why), "Something else put a breakpoint or a uprobe into the code of %.150s that its jumps had overwritten, which breaks calls: its jumps were taken out, and a trap that is still there stays in the code as it was.",
		 file->functions[function].name);
}

/* A debugger that is attached keeps what it found in the place of its breakpoints, and nobody can stop the process beside it. */
void jump_others__find(struct jumps *jumps, struct mechanism_off *off)
{
	size_t all = 0;

	for (size_t i = 0; i < jumps->nr_files; i++)
		all += jumps->files[i].remote.image.nr;
	for (size_t i = 0; i < all && i < AT_A_TIME; i++) {
		size_t at = jumps->looked_at++ % all, f = 0;
		const struct image_patch *patch;

		while (at >= jumps->files[f].remote.image.nr)
			at -= jumps->files[f++].remote.image.nr;
		patch = &jumps->files[f].remote.image.patches[at];
		if (!jumps->files[f].remote.is_mapped || patch->is_unwanted || !jumps__is_broken(patch, jumps->memory))
			continue;
		if (process__tracer(jumps->base.pid) || jumps->dropped[jumps->files[f].points[patch->function]])
			continue;
		take_off(jumps, &jumps->files[f], patch->function, off);
		return;
	}
}
