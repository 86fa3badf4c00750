/* SPDX-License-Identifier: GPL-2.0 */
/* Jumps in the process that runs this, before it has other threads: for tests and measurements of the stamps. */
#ifndef KVIEW_JUMP_OWN_PROCESS_H
#define KVIEW_JUMP_OWN_PROCESS_H

#include "decide/file_plans.h"
#include "place/image.h"
#include "threads/clocks.h"

struct own_process {
	struct file_plans plans;
	struct image image;
	uint64_t bias;
	uint8_t *mapping;
	struct jump_shared *shared;
	struct shared_layout layout;
	struct thread_clocks clocks;
	int memory;
};

/*
 * Maps what is needed for these functions of its own program, and makes their stubs.  Prints what is wrong and ends the
 * process if it can't.
 */
void own_process__init(struct own_process *own, const char *const *names, uint32_t nr, uint32_t shards,
		       uint32_t sets);
/* The same by a layout, whose functions are as many as there are names. */
void own_process__lay_out(struct own_process *own, const char *const *names, const struct shared_layout *layout);
/* Times on CPUs are taken from now on.  Returns 0, or -1 with error: they can't be had here. */
int own_process__use_clocks(struct own_process *own, struct error *error);
void own_process__patch(struct own_process *own);
/* The bytes as they were; the mapping stays. */
void own_process__restore(struct own_process *own);
struct call_counts own_process__counts(const struct own_process *own, uint32_t function);

#endif
