/* SPDX-License-Identifier: GPL-2.0 */
/* Rounds of operations, and how long each took: what the bystander does. */
#ifndef KVIEW_ROUNDS_H
#define KVIEW_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of all that a recording's points may be met by, so many are tried: rounds shall be short. */
#define ROUNDS_OPERATIONS	8
/* Of a phase; where there would be more, every second one is left out, and they come half as often. */
#define ROUNDS_MOST		256
/* Before and after, at most. */
#define ROUNDS_APART		20

enum rounds_phase {
	ROUNDS_BEFORE,
	ROUNDS_DURING,
	ROUNDS_AFTER,
	ROUNDS_PHASES
};

struct rounds_series {
	uint32_t nr;
	/* The CPU time of each round's median batch, by operation. */
	uint64_t ns[ROUNDS_OPERATIONS][ROUNDS_MOST];
};

struct rounds {
	uint32_t nr_operations;
	uint8_t operations[ROUNDS_OPERATIONS];	/* see operations.h; those that can be tried */
	uint32_t times[ROUNDS_OPERATIONS];	/* in a batch; 0: it can't be tried here */
	struct rounds_series phases[ROUNDS_PHASES];
	uint32_t stretch;			/* pauses during the recording are so many times as long */
	uint64_t cpu_ns;			/* of the process, in all */
};

/* Finds how many times each operation is done in a batch, and does some that are not counted. */
void rounds__begin(struct rounds *rounds);
/* One round more.  Returns the CPU time that it took. */
uint64_t rounds__add(struct rounds *rounds, enum rounds_phase phase);
/* How often an operation is done in a round. */
uint64_t rounds__operations(const struct rounds *rounds, uint32_t operation);
/* It was not of this phase alone. */
void rounds__drop_last(struct rounds *rounds, enum rounds_phase phase);
/* How long to wait behind a round that took so much CPU time, before one of that phase, in ms. */
uint64_t rounds__pause_ms(const struct rounds *rounds, enum rounds_phase phase, uint64_t took_ns);

#endif
