// SPDX-License-Identifier: GPL-2.0
#include "decide/pun.h"

#include <string.h>

#define OPCODE_JMP 0xe9
#define OPCODE_RET 0xc3
#define TRAP 0xcc
#define MOST_BOARDS 16	/* of one jump: each has pages of its own */

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

/* Adds the first of some distances with another value of a byte. */
static void with_byte(uint32_t *distances, size_t first, size_t *nr, unsigned int byte, uint8_t value)
{
	for (size_t i = 0; i < first; i++)
		distances[(*nr)++] = (distances[i] & ~(0xffu << 8 * byte)) | (uint32_t)value << 8 * byte;
}

/*
 * A jump whose distance begins at is[from], as it is, and with what others may write at each inner byte of it: a trap, and then the file's
 * byte.  What leads to where it is to lead needs no springboard.
 */
static size_t variants(const uint8_t *is, const uint8_t *was, unsigned int from, uint8_t inner, uint64_t address, uint64_t to, struct board *boards)
{
	uint32_t distances[PUN_MAX_BOARDS / 2];
	size_t nr = 1, nr_boards = 0;

	memcpy(distances, is + from, sizeof(*distances));
	for (unsigned int i = from; i < from + 4; i++) {
		size_t before = nr;

		if (!(inner >> i & 1))
			continue;
		if (is[i] != TRAP)
			with_byte(distances, before, &nr, i - from, TRAP);
		if (was[i] != is[i] && was[i] != TRAP)
			with_byte(distances, before, &nr, i - from, was[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		uint64_t at = address + from + 4 + (int32_t)distances[i];

		if (at != to)
			boards[nr_boards++] = (struct board){ at, to };
	}
	return nr_boards;
}

size_t pun__boards(const uint8_t is[PUN_BYTES], const uint8_t was[PUN_BYTES], uint8_t changed, uint8_t inner, uint64_t address, uint64_t stub,
		   struct board boards[PUN_MAX_BOARDS])
{
	size_t nr = variants(is, was, 1, inner, address, stub, boards);

	if (changed > 1 && (is_prefix(was[0]) || is_conditional(was)))
		nr += variants(is, was, 2, inner, address, is_conditional(was) ? target_of(was, 2, address) : stub, boards + nr);
	return nr;
}

static bool have_room(const struct pun *pun, const struct pun_space *space)
{
	if (pun->nr > MOST_BOARDS)
		return false;
	for (size_t i = 0; i < pun->nr; i++)
		if (!space->has_room(space->context, pun->boards[i].at))
			return false;
	return true;
}

static bool is_possible(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t stub)
{
	pun->nr = pun__boards(pun->is, place->bytes, pun->changed, place->inner, address, stub, pun->boards);
	return have_room(pun, space);
}

#define STEP 16		/* of what is tried: a springboard that is in the way is past then */

/* A jump already: with the file's first byte it does the same. */
static bool change_jump(struct pun *pun, const struct pun_place *place, uint64_t address, uint64_t stub)
{
	const int64_t distance = stub - (address + JUMP_BYTES);
	const int32_t written = distance;

	if (!place->is_end || place->bytes[0] != OPCODE_JMP || written != distance)
		return false;
	pun->is[0] = OPCODE_JMP;
	memcpy(pun->is + 1, &written, sizeof(written));
	pun->changed = JUMP_BYTES;
	return true;
}

/*
 * A return before one long piece of filler.  With the file's first byte it is one, whatever is behind that.  Where the filler begins it has
 * what a trap is, so that only the file's byte there leads elsewhere: 256 bytes before the stub at most, where a springboard is put.
 */
static bool change_return(struct pun *pun, const struct pun_place *place, uint64_t address, uint64_t *stub)
{
	const uint64_t lowest = address + JUMP_BYTES + place->bytes[1], board = *stub + ((lowest - *stub) & 0xff),
		       to = board + TRAP - place->bytes[1];
	const int64_t distance = to - (address + JUMP_BYTES);
	const int32_t written = distance;

	if (!place->is_end || place->own != 1 || place->length < JUMP_BYTES || place->bytes[0] != OPCODE_RET ||
	    (place->inner & 0x1e) != 2 || place->bytes[1] > TRAP - BOARD_BYTES || written != distance)
		return false;
	pun->is[0] = OPCODE_JMP;
	memcpy(pun->is + 1, &written, sizeof(written));
	pun->changed = JUMP_BYTES;
	pun->boards[0] = (struct board){ board, to };
	pun->nr = 1;
	*stub = to;
	return true;
}

/*
 * Before other filler the same, but that it leads to springboards elsewhere.  So it is for an instruction of two bytes, of which the second
 * one stays.
 */
static bool change_filler(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t stub)
{
	const bool keeps_second = place->own == 2 && !is_prefix(place->bytes[0]);
	uint8_t unused[PUN_BYTES], *bytes[2] = { unused, unused };

	if (!place->is_end || place->length < JUMP_BYTES || !(keeps_second || (place->own == 1 && place->bytes[0] == OPCODE_RET)))
		return false;
	pun->is[0] = OPCODE_JMP;
	pun->changed = JUMP_BYTES;
	/* Where none begins each byte will do: the upper two are tried. */
	for (unsigned int i = place->own; i < JUMP_BYTES; i++) {
		pun->is[i] = TRAP;
		if (place->inner >> i & 1)
			continue;
		bytes[0] = bytes[1];
		bytes[1] = &pun->is[i];
	}
	for (int low = 0; low < (bytes[0] == unused ? 1 : 256); low += STEP)
		for (int high = 0; high < (bytes[1] == unused ? 1 : 256); high += STEP) {
			*bytes[0] = low;
			*bytes[1] = high;
			if (is_possible(pun, place, address, space, stub))
				return true;
		}
	return false;
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
	for (int last = 0; last < (place->own < PUN_BYTES ? 1 : 256) && !is_possible_so; last++) {
		/* The nearest first: 0, -1, 1, -2, ... */
		if (place->own >= PUN_BYTES)
			pun->is[5] = last & 1 ? -(last + 1) / 2 : last / 2;
		is_possible_so = is_possible(pun, place, address, space, aligned);
	}
	if (is_possible_so)
		*stub = aligned;
	return is_possible_so;
}

/*
 * Where the first byte is the file's, the others are a jump of their own: behind a prefix, one to the same place; and what is conditional
 * leads to where the file's does.  Its distance has all bytes of the first one's but one, and a last one of its own.
 */
static bool change_two(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t *stub)
{
	const bool conditional = is_conditional(place->bytes);

	if (!conditional && (!is_prefix(place->bytes[0]) || place->own < 3))
		return false;
	pun->is[0] = OPCODE_JMP;
	pun->is[1] = conditional ? place->bytes[1] : OPCODE_JMP;
	pun->changed = place->own < PUN_BYTES ? place->own : PUN_BYTES;
	if (pun->changed >= JUMP_BYTES)
		return change_directly(pun, place, address, space, stub);
	for (int low = 0; low < 256; low += STEP)
		for (int high = 0; high < (place->own > 3 ? 256 : 1); high += STEP) {
			pun->is[2] = low;
			if (place->own > 3)
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
	if (change_jump(pun, place, address, *stub) || change_return(pun, place, address, stub) ||
	    change_filler(pun, place, address, space, *stub))
		return true;
	begin(pun, place);
	if (place->own >= PUN_BYTES && change_two(pun, place, address, space, stub))
		return true;
	begin(pun, place);
	if (change_first(pun, place, address, space, *stub))
		return true;
	begin(pun, place);
	return place->own < PUN_BYTES && change_two(pun, place, address, space, stub);
}
