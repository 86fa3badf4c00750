// SPDX-License-Identifier: GPL-2.0
#include "recording/wait_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "lookup/kernel_names.h"
#include "lookup/names.h"
#include "mechanism/bpf/waits.h"

/* A power of two, and at most half of it is used. */
#define SLOTS	(4 * XP_WAIT_STACKS)

struct slot {
	struct wait_stack stack;
	uint64_t number;
	char *functions[XP_WAIT_FRAMES];
};

struct wait_stacks {
	struct kernel_names names;	/* none: they are hidden, or there was no memory, or the kernel has none */
	bool are_hidden;
	struct slot **slots;	/* [SLOTS]; NULL: free */
	size_t nr;
};

/*
 * Functions in which others wait, for anything: who called them tells more.  The kernel leaves those of the scheduler
 * and of its own locks out of a stack by itself.
 */
static const char *const waits_for_others[] = {
	"__futex_wait", "__rt_mutex_slowlock", "__rt_mutex_slowlock_locked", "__skb_wait_for_more_packets", "__wait_on_buffer",
	"folio_put_wait_locked", "folio_wait_bit", "folio_wait_bit_common", "percpu_rwsem_wait", "poll_schedule_timeout",
	"rt_mutex_schedule", "rt_mutex_slowlock", "sk_wait_data", "submit_bio_wait", "unix_stream_data_wait",
	"wait_on_page_bit", "wait_on_page_bit_common", "wait_woken",
};

struct wait_stacks *wait_stacks__new(void)
{
	struct wait_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return NULL;
	stacks->slots = calloc(SLOTS, sizeof(*stacks->slots));
	if (!stacks->slots) {
		free(stacks);
		return NULL;
	}
	if (kernel_names__are_shown())
		kernel_names__read(&stacks->names);
	else
		stacks->are_hidden = !access("/proc/kallsyms", F_OK);
	return stacks;
}

void wait_stacks__free(struct wait_stacks *stacks)
{
	size_t i, at;

	if (!stacks)
		return;
	for (i = 0; i < SLOTS; i++) {
		for (at = 0; stacks->slots[i] && at < XP_WAIT_FRAMES; at++)
			free(stacks->slots[i]->functions[at]);
		free(stacks->slots[i]);
	}
	free(stacks->slots);
	kernel_names__free(&stacks->names);
	free(stacks);
}

bool wait_stacks__are_hidden(const struct wait_stacks *stacks)
{
	return stacks->are_hidden;
}

/* What compilers make of a function has more behind a full stop. */
static bool is_named(const char *function, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(function, name, length) && (!function[length] || function[length] == '.');
}

static bool waits_for_anyone(const char *function)
{
	size_t i;

	for (i = 0; i < sizeof(waits_for_others) / sizeof(*waits_for_others); i++)
		if (is_named(function, waits_for_others[i]))
			return true;
	return false;
}

static int slot__fill(const struct wait_stacks *stacks, struct slot *slot, const struct xp_wait_stack *from)
{
	Kview__Wire__KernelStack *message = &slot->stack.message;
	const struct kernel_name *name;
	bool has_place = false;
	size_t i;

	kview__wire__kernel_stack__init(message);
	message->functions = slot->functions;
	for (i = 0; i < XP_WAIT_FRAMES && from->frames[i]; i++) {
		/* Where a call returns to may be behind the function's end already. */
		name = kernel_names__at(&stacks->names, from->frames[i] - 1);
		slot->functions[i] = name ? name__printable(name->name) : strdup("");
		if (!slot->functions[i]) {
			message->n_functions = 0;
			return -1;
		}
		message->n_functions++;
		if (has_place || !name || waits_for_anyone(name->name))
			continue;
		has_place = true;
		message->place = i;
	}
	return message->n_functions ? 0 : -1;
}

struct wait_stack *wait_stacks__of(struct wait_stacks *stacks, int map, uint64_t number)
{
	size_t at = number & (SLOTS - 1);
	struct xp_wait_stack from;
	struct slot *slot;

	while (stacks->slots[at] && stacks->slots[at]->number != number)
		at = (at + 1) & (SLOTS - 1);
	if (stacks->slots[at])
		return stacks->slots[at]->stack.message.n_functions ? &stacks->slots[at]->stack : NULL;
	if (!stacks->names.nr || stacks->nr == SLOTS / 2 || bpf_map_lookup_elem(map, &number, &from))
		return NULL;
	slot = calloc(1, sizeof(*slot));
	if (!slot)
		return NULL;
	slot->number = number;
	stacks->slots[at] = slot;
	stacks->nr++;
	return slot__fill(stacks, slot, &from) ? NULL : &slot->stack;
}
