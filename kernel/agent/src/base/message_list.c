// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/message_list.h"

void *message_list__new(size_t nr, size_t size)
{
	void **list = calloc(nr + 1, sizeof(*list) + size);
	char *messages = (char *)(list + nr);
	size_t i;

	for (i = 0; list && i < nr; i++)
		list[i] = messages + i * size;
	return list;
}
