/* SPDX-License-Identifier: GPL-2.0 */
/* Where in the kernel threads waited: the stacks that the mechanisms' eBPF programs keep, by the functions' names. */
#ifndef KVIEW_WAIT_STACKS_H
#define KVIEW_WAIT_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "agent.pb-c.h"

struct wait_stacks;

struct wait_stack {
	Kview__Wire__KernelStack message;
	uint32_t index;		/* in the list where it was last told; for who tells it */
};

/* Takes the kernel's names as they are now.  NULL: no memory. */
struct wait_stacks *wait_stacks__new(void);
/* NULL is allowed. */
void wait_stacks__free(struct wait_stacks *stacks);
/* Whether the kernel has names of its functions, but shows them to others alone. */
bool wait_stacks__are_hidden(const struct wait_stacks *stacks);
/* The one of this number in the map; valid as long as all.  NULL: it could not be read, or there are no names. */
struct wait_stack *wait_stacks__of(struct wait_stacks *stacks, int map, uint64_t number);

#endif
