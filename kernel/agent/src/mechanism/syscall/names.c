// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include <asm/unistd.h>

#include "mechanism/syscall/names.h"

static const struct { const char *name; int number; } names[] = {
#include "syscall_names.h"
};

int syscall__number(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].number;
	return -1;
}

int syscall__find_names(struct point_names *found)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (point_names__offer(found, names[i].name))
			return -1;
	return 0;
}

bool syscall__creates(int number)
{
	switch (number) {
	case __NR_clone:
#ifdef __NR_clone3
	case __NR_clone3:
#endif
#ifdef __NR_fork
	case __NR_fork:
	case __NR_vfork:
#endif
		return true;
	default:
		return false;
	}
}
