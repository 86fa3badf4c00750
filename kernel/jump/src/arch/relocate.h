/* SPDX-License-Identifier: GPL-2.0 */
/* Code that is made for another place than the one where it stands meanwhile; by architecture. */
#ifndef KVIEW_JUMP_RELOCATE_H
#define KVIEW_JUMP_RELOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emitter {
	uint8_t *bytes;
	size_t nr, room;
	uint64_t address;	/* where bytes[0] will run */
	bool failed;		/* there was no room, or something was too far away */
};

void emit__bytes(struct emitter *to, const void *bytes, size_t nr);
/* A jump, or a call, to an address. */
void emit__jump(struct emitter *to, uint64_t target);
void emit__call(struct emitter *to, uint64_t target);

/*
 * Appends instructions that do at their new place what the instruction at from does at its.  bytes has left bytes; it
 * is one that insn__can_move, see decide/plan.h.
 */
void relocate__insn(struct emitter *to, const uint8_t *bytes, size_t left, uint64_t from);
/* The condition of the conditional jump is reversed, and it leads to target. */
void relocate__unless(struct emitter *to, uint8_t condition, uint64_t target);

/* The five bytes at from that jump to an address; false if it is too far away. */
bool jump__encode(uint8_t bytes[5], uint64_t from, uint64_t target);

#endif
