// SPDX-License-Identifier: GPL-2.0
/*
 * Calls functions whose code is chosen when they are loaded: 1000 times strcspn, and its own
 * own_choice as often, which stands for own_second.
 *
 * Says so once beforehand and waits for a byte, so that a recording can begin in between.
 */
#include "common.h"

PROBED int own_first(int x) { END(); return x + 1; }
PROBED int own_second(int x) { END(); return x + 2; }

static int (*choose(void))(int)
{
	return own_second;
}

int own_choice(int x) __attribute__((ifunc("choose")));

int main(void)
{
	static volatile char text[] = "where is it?";
	volatile size_t sum = 0;
	char byte;

	sum += strcspn((const char *)text, "?") + own_choice(1);
	sum += time(NULL);	/* is in the kernel's own code */
	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) < 0)
		return 1;
	for (int i = 0; i < 1000; i++)
		sum += strcspn((const char *)text, "?") + own_choice(i);
	return sum == 0;
}
