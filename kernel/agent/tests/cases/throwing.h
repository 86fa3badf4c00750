/* SPDX-License-Identifier: GPL-2.0 */
/* Throws through f_through(), which a program or a library loaded later has. */
#include <stdexcept>

#include "truth.h"

typedef int (*inner_fn)(int);

PROBED int f_through(inner_fn inner, int x)
{
	int result = inner(x);

	END();
	return result + 1;
}

static inline int throw_if_odd(int x)
{
	if (x & 1)
		throw std::runtime_error("odd");
	return x;
}

static inline int catch_all(int rounds, inner_fn inner)
{
	int caught = 0;

	for (int i = 0; i < rounds; i++) {
		try {
			f_through(inner, i);
		} catch (const std::exception &) {
			caught++;
		}
	}
	return caught;
}
