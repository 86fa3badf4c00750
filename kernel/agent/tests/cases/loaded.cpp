// SPDX-License-Identifier: GPL-2.0
/* The library that is loaded later. */
#include "throwing.h"

static int inner(int x) { return throw_if_odd(x); }

extern "C" int catching(int (*through)(int (*)(int), int), int rounds)
{
	int caught = 0;

	for (int i = 0; i < rounds; i++) {
		try {
			through(inner, i);
		} catch (const std::exception &) {
			caught++;
		}
	}
	return caught;
}
