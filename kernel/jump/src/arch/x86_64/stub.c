// SPDX-License-Identifier: GPL-2.0
#include "place/image.h"

#include <string.h>

#define RED_ZONE 128	/* bytes below the stack pointer that are the program's */

static void emit_move_stack(struct emitter *to, int32_t by)
{
	uint8_t near[] = { 0x48, 0x8d, 0x64, 0x24, by },	/* lea by(%rsp), %rsp */
		far[8] = { 0x48, 0x8d, 0xa4, 0x24 };

	memcpy(far + 4, &by, sizeof(by));
	emit__bytes(to, by == (int8_t)by ? near : far, by == (int8_t)by ? sizeof(near) : sizeof(far));
}

/*
 * No instruction here changes a flag.  A stamp finds the return address as far above it as at the function's entry, where the red zone
 * is empty but for what the first instruction put there.
 */
void emit__stamp(struct emitter *to, uint64_t stamp, uint32_t function, uint32_t pushed)
{
	uint8_t number[5] = { 0xb8 };				/* mov $function, %eax */

	memcpy(number + 1, &function, sizeof(function));
	emit_move_stack(to, (int32_t)pushed - RED_ZONE);
	emit__bytes(to, &(uint8_t){ 0x50 }, 1);						/* push %rax */
	emit__bytes(to, number, sizeof(number));
	emit__call(to, stamp);
	emit__bytes(to, &(uint8_t){ 0x58 }, 1);						/* pop %rax */
	emit_move_stack(to, RED_ZONE - (int32_t)pushed);
}

void emit__return(struct emitter *to)
{
	emit__bytes(to, &(uint8_t){ 0xc3 }, 1);
}

/* As emit_move_stack writes it: its length, or 0. */
static size_t take_move_stack(const uint8_t *at, size_t left, int32_t *by)
{
	static const uint8_t near[] = { 0x48, 0x8d, 0x64, 0x24 }, far[] = { 0x48, 0x8d, 0xa4, 0x24 };

	if (left >= 5 && !memcmp(at, near, sizeof(near))) {
		*by = (int8_t)at[4];
		return 5;
	}
	if (left < 8 || memcmp(at, far, sizeof(far)))
		return 0;
	memcpy(by, at + 4, sizeof(*by));
	return 8;
}

#define TO_CALL 11	/* bytes from a stamp's first move of the stack to behind its call */
#define OVER 6		/* of a conditional jump over it */

/* What emit__stamp writes: its length, or 0; where the first move of the stack ends, and by how much it moves. */
static size_t take_stamp(const uint8_t *at, size_t left, size_t *moved, int32_t *by)
{
	int32_t back;
	size_t length;

	*moved = take_move_stack(at, left, by);
	if (!*moved || left < *moved + TO_CALL + 1 || at[*moved] != 0x50 || at[*moved + 1] != 0xb8 || at[*moved + 6] != 0xe8)
		return 0;
	length = take_move_stack(at + *moved + TO_CALL + 1, left - *moved - TO_CALL - 1, &back);
	return length ? *moved + TO_CALL + 1 + length : 0;
}

/* An entry's, an end's, or both in turn; before the end of a conditional one there is a jump over it. */
int64_t stub__pushed(const uint8_t *piece, size_t nr, size_t at)
{
	size_t begin = 0, moved, length;
	int32_t by;

	for (; begin < nr; begin += length) {
		begin += piece[begin] == 0x0f && nr - begin > OVER ? OVER : 0;
		length = take_stamp(piece + begin, nr - begin, &moved, &by);
		if (!length || at < begin + moved)
			return 0;
		if (at < begin + length)
			return at == begin + moved || at == begin + moved + TO_CALL + 1 ? -(int64_t)by : 8 - (int64_t)by;
	}
	return 0;
}
