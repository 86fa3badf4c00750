// SPDX-License-Identifier: GPL-2.0
/* Traps that others put into what jumps overwrote, or took away there. */
#include <stdio.h>

#include "base/error.h"
#include "lookup/thread_policies.h"
#include "mechanism/jump/state.h"
#include "place/jumps.h"

#define AT_A_TIME	256	/* that are looked at, of all jumps in turn */

/* How long ago it may have come: all are looked at in turn, and a look ends with the first that comes off. */
static double seconds_between(const struct jumps *jumps, size_t all)
{
	size_t looks = (all + AT_A_TIME - 1) / AT_A_TIME;

	for (size_t i = 0; i < jumps->base.nr; i++)
		looks += jumps->dropped[i];
	return looks * (JUMPS_LOOK_NS / 1e9);
}

static void take_off(const struct jumps *jumps, size_t all, const struct jump_file *file, uint32_t function, struct mechanism_off *off)
{
	off->points[off->nr++] = file->points[function];
	snprintf(off->why, sizeof(off->why), "Something else put a breakpoint or a uprobe into code of %.150s that runs as a copy while it has jumps: they were taken out, so that it is seen there; a trap that is still there stays in the code. Of about the last %.1f s before, and of what time a debugger was attached, calls may be missing.",
		 file->functions[function].name, seconds_between(jumps, all));
}

/* By any of its jumps: a library is unloaded as a whole. */
bool jump_file__stands(const struct jump_file *file, int memory)
{
	const struct image *image = &file->remote.image;
	bool has_any = false;

	for (size_t i = 0; i < image->nr; i++) {
		if (image->patches[i].is_unwanted)
			continue;
		if (jumps__stands(&image->patches[i], memory))
			return true;
		has_any = true;
	}
	return !has_any;
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
		if (!jumps->files[f].remote.is_mapped || !jump_file__stands(&jumps->files[f], jumps->memory) || patch->is_unwanted || !jumps__is_disturbed(patch, jumps->memory))
			continue;
		if (process__tracer(jumps->base.pid) || jumps->dropped[jumps->files[f].points[patch->function]])
			continue;
		take_off(jumps, all, &jumps->files[f], patch->function, off);
		return;
	}
}

void jump_others__note_taken(struct jumps *jumps, const struct jump_file *file)
{
	const struct image *image = &file->remote.image;
	size_t nr = 0;

	for (size_t i = 0; i < image->nr; i++)
		jumps->taken[file->points[image->patches[i].function]] |= image->patches[i].is_taken || image->patches[i].is_left;
	for (size_t i = 0; i < jumps->base.nr; i++)
		nr += jumps->taken[i];
	if (file->remote.is_taken || nr < jumps->base.nr)
		jumps->base.taken = jumps->taken;
}

int jump_others__check(struct jumps *jumps, const struct jump_file *file, struct error *error)
{
	for (size_t i = 0; i < file->remote.image.nr; i++)
		if (file->remote.image.patches[i].is_left) {
			jump_others__note_taken(jumps, file);
			return error__set(error, ERR_NOT_PROBEABLE,
					  "%.150s can't be measured by jumps: its code in the process is not that of its file, because a debugger or another recording has changed it.",
					  file->functions[file->remote.image.patches[i].function].name);
		}
	return 0;
}
