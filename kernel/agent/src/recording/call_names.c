// SPDX-License-Identifier: GPL-2.0
#include "recording/call_names.h"

#include <stddef.h>
#include <stdio.h>

#include <asm/unistd.h>

#include "bpf/causes-layout.h"

static const struct { const char *name; unsigned int number; } names[] = {
#include "syscall_names.h"
};

const char *call_name__of(unsigned int number)
{
	/* By number, from the first time on. */
	static const char *known[XP_SYSCALLS];
	static char numbers[XP_SYSCALLS][8];
	size_t i;

	if (number >= XP_SYSCALLS)
		return "";
	for (i = 0; !known[number] && i < sizeof(names) / sizeof(*names); i++)
		if (names[i].number == number)
			known[number] = names[i].name;
	if (!known[number]) {
		snprintf(numbers[number], sizeof(numbers[number]), "%u", number);
		known[number] = numbers[number];
	}
	return known[number];
}
