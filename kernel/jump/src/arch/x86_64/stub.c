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
