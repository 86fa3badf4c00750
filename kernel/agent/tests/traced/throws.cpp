// SPDX-License-Identifier: GPL-2.0
/* Exceptions through probed frames. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define PROBED extern "C" __attribute__((noinline, noclone, used))

PROBED int f_inner(int x)
{
	if (x % 2)
		throw std::runtime_error("odd");
	__asm__ volatile("" : : : "memory");
	return x;
}

PROBED int f_middle(int x)
{
	int r = f_inner(x);

	__asm__ volatile("" : : : "memory");
	return r + 1;
}

PROBED int f_catcher(int x)
{
	int r = 0;

	try {
		r = f_middle(x);
	} catch (const std::exception &) {
		r = -1;
	}
	__asm__ volatile("" : : : "memory");
	return r;
}

int main(int argc, char **argv)
{
	int caught = 0, n = argc > 1 ? atoi(argv[1]) : 10;

	for (int i = 0; i < n; i++)
		caught += f_catcher(i) < 0;
	printf("caught %d\n", caught);
}
