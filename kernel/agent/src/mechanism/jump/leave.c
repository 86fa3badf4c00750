// SPDX-License-Identifier: GPL-2.0
/* Stacks of threads that run what jumps lead to. */
#include "lookup/frame_rules.h"
#include "mechanism/jump/jump.h"
#include "place/origins.h"

struct origins *mechanism__origins(pid_t pid)
{
	return origins__read(pid);
}

void mechanism__free_origins(struct origins *origins)
{
	origins__free(origins);
}

bool mechanism__are_current(const struct origins *origins, pid_t pid)
{
	return origins__are_current(origins, pid);
}

static bool read_word(const void *context, uint64_t address, uint64_t *word)
{
	return frame_memory__read(context, address, word);
}

/* Of the other registers a stamp changes none that is the caller's. */
void mechanism__leave_jumps(const struct origins *origins, const struct frame_memory *memory, struct frame_state *state)
{
	if (origins)
		origins__find(origins, read_word, memory, &state->registers[FRAME_RIP], &state->registers[FRAME_RSP]);
}
