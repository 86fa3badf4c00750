// SPDX-License-Identifier: GPL-2.0
#include "decide/pun.h"

#include <string.h>

#define OPCODE_JMP 0xe9
#define OPCODE_RET 0xc3
#define TRAP 0xcc

/* What stands before a jump and does nothing there, on processors of all makers: marks of 64-bit operands and of segments. */
static bool is_prefix(uint8_t byte)
{
	return (byte & 0xf0) == 0x40 || byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x64 || byte == 0x65;
}

/* A conditional jump by 32 bits. */
static bool is_conditional(const uint8_t *bytes)
{
	return bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80;
}

/* Where a jump leads whose distance begins at bytes[at]. */
static uint64_t target_of(const uint8_t *bytes, unsigned int at, uint64_t address)
{
	int32_t distance;

	memcpy(&distance, bytes + at, sizeof(distance));
	return address + at + sizeof(distance) + distance;
}

/* A jump whose distance begins at is[from], with and without a trap at each inner byte of it. */
static size_t variants(const uint8_t *is, unsigned int from, uint8_t inner, uint64_t address, uint64_t to, struct board *boards)
{
	uint8_t bytes[PUN_BYTES];
	size_t nr = 0;

	for (unsigned int i = 0; i < 8; i++)
		if (i < from || i >= from + 4 || is[i] == TRAP)
			inner &= ~(1 << i);
	/* All subsets of it. */
	for (unsigned int traps = inner;; traps = (traps - 1) & inner) {
		memcpy(bytes, is, sizeof(bytes));
		for (unsigned int i = from; i < from + 4; i++)
			if (traps >> i & 1)
				bytes[i] = TRAP;
		boards[nr++] = (struct board){ target_of(bytes, from, address), to };
		if (!traps)
			return nr;
	}
}

size_t pun__boards(const uint8_t is[PUN_BYTES], const uint8_t was[PUN_BYTES], uint8_t changed, uint8_t inner, uint64_t address, uint64_t stub,
		   struct board boards[PUN_MAX_BOARDS])
{
	size_t nr = 0;

	if (changed > 1 && !is_prefix(was[0]) && !is_conditional(was))
		return 0;
	/* What it leads to directly needs none. */
	if (changed < JUMP_BYTES)
		nr = variants(is, 1, inner, address, stub, boards);
	if (changed > 1)
		nr += variants(is, 2, inner, address, is_conditional(was) ? target_of(was, 2, address) : stub, boards + nr);
	return nr;
}

static bool have_room(const struct pun *pun, const struct pun_space *space)
{
	for (size_t i = 0; i < pun->nr; i++)
		if (!space->has_room(space->context, pun->boards[i].at))
			return false;
	return true;
}

/*
 * Nothing of the program's is behind it.  A jump already, or a return: with the file's first byte it does the same, whatever is behind
 * that.  Of two bytes: the second one stays, too, and the stub is aligned for it.
 */
static bool change_all(struct pun *pun, const struct pun_place *place, uint64_t address, uint64_t *stub)
{
	const bool keeps_second = place->own == 2 && !is_prefix(place->bytes[0]);
	const uint64_t lowest = address + JUMP_BYTES + place->bytes[1],
		       to = keeps_second ? *stub + ((lowest - *stub) & 0xff) : *stub;
	const int64_t distance = to - (address + JUMP_BYTES);
	const int32_t written = distance;

	if (!place->is_end || place->length < JUMP_BYTES || written != distance ||
	    !(keeps_second || place->bytes[0] == OPCODE_JMP || place->bytes[0] == OPCODE_RET))
		return false;
	pun->is[0] = OPCODE_JMP;
	memcpy(pun->is + 1, &written, sizeof(written));
	pun->changed = JUMP_BYTES;
	*stub = to;
	return true;
}

static bool is_possible(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t stub)
{
	pun->nr = pun__boards(pun->is, place->bytes, pun->changed, place->inner, address, stub, pun->boards);
	return have_room(pun, space);
}

/* It leads to the stub itself, which is aligned for it. */
static bool change_directly(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t *stub)
{
	const uint64_t lowest = address + JUMP_BYTES + pun->is[1], aligned = *stub + ((lowest - *stub) & 0xff);
	const int64_t upper = (int64_t)(aligned - lowest) / 256;
	bool is_possible_so = false;

	if (upper != (int32_t)((uint32_t)upper << 8) >> 8)
		return false;
	memcpy(pun->is + 2, &upper, 3);
	for (int last = 0; last < (place->length < PUN_BYTES ? 1 : 256) && !is_possible_so; last++) {
		/* The nearest first: 0, -1, 1, -2, ... */
		if (place->length >= PUN_BYTES)
			pun->is[5] = last & 1 ? -(last + 1) / 2 : last / 2;
		is_possible_so = is_possible(pun, place, address, space, aligned);
	}
	if (is_possible_so)
		*stub = aligned;
	return is_possible_so;
}

#define STEP 16		/* of what is tried: a springboard that is in the way is past then */

/*
 * Where the first byte is the file's, the others are a jump of their own: behind a prefix, one to the same place; and what is conditional
 * leads to where the file's does.  Its distance has all bytes of the first one's but one, and a last one of its own.
 */
static bool change_two(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t *stub)
{
	const bool conditional = is_conditional(place->bytes);

	if (!conditional && (!is_prefix(place->bytes[0]) || place->length < 3))
		return false;
	pun->is[0] = OPCODE_JMP;
	pun->is[1] = conditional ? place->bytes[1] : OPCODE_JMP;
	pun->changed = place->length < PUN_BYTES ? place->length : PUN_BYTES;
	if (pun->changed >= JUMP_BYTES)
		return change_directly(pun, place, address, space, stub);
	for (int low = 0; low < 256; low += STEP)
		for (int high = 0; high < (place->length > 3 ? 256 : 1); high += STEP) {
			pun->is[2] = low;
			if (place->length > 3)
				pun->is[3] = high;
			if (is_possible(pun, place, address, space, *stub))
				return true;
		}
	return false;
}

static bool change_first(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t stub)
{
	pun->is[0] = OPCODE_JMP;
	pun->changed = 1;
	return place->bytes[0] != OPCODE_JMP && is_possible(pun, place, address, space, stub);
}

static void begin(struct pun *pun, const struct pun_place *place)
{
	*pun = (struct pun){ 0 };
	memcpy(pun->is, place->bytes, PUN_BYTES);
}

bool pun__find(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t *stub)
{
	begin(pun, place);
	if (change_all(pun, place, address, stub))
		return true;
	if (place->length >= PUN_BYTES && change_two(pun, place, address, space, stub))
		return true;
	begin(pun, place);
	if (change_first(pun, place, address, space, *stub))
		return true;
	begin(pun, place);
	return place->length < PUN_BYTES && change_two(pun, place, address, space, stub);
}
