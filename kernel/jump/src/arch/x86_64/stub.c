// SPDX-License-Identifier: GPL-2.0
#include "place/image.h"

#include <string.h>

/* The 128 bytes below the stack pointer are the program's; no instruction here changes a flag. */
void emit__stamp(struct emitter *to, uint64_t stamp, uint32_t function)
{
	static const uint8_t skip[] = { 0x48, 0x8d, 0x64, 0x24, 0x80 },			/* lea -128(%rsp), %rsp */
			     back[] = { 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0 };	/* lea 128(%rsp), %rsp */
	uint8_t number[5] = { 0xb8 };							/* mov $function, %eax */

	memcpy(number + 1, &function, sizeof(function));
	emit__bytes(to, skip, sizeof(skip));
	emit__bytes(to, &(uint8_t){ 0x50 }, 1);						/* push %rax */
	emit__bytes(to, number, sizeof(number));
	emit__call(to, stamp);
	emit__bytes(to, &(uint8_t){ 0x58 }, 1);						/* pop %rax */
	emit__bytes(to, back, sizeof(back));
}

void emit__return(struct emitter *to)
{
	emit__bytes(to, &(uint8_t){ 0xc3 }, 1);
}
