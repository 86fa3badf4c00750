// SPDX-License-Identifier: GPL-2.0
/* A module of the C library's for a character set, or a library that is loaded before a program's. */
#include <stdexcept>

#include "truth.h"

typedef int (*plain_fn)(int);
extern "C" int f_callback(plain_fn callee, int x) __attribute__((weak));

static int throw_if_odd(int x)
{
	if (x & 1)
		throw std::runtime_error("odd");
	return x;
}

static void throw_through()
{
	int caught = 0;

	for (int i = 0; i < 100; i++) {
		try {
			f_callback(throw_if_odd, i);
		} catch (const std::exception &) {
			caught++;
		}
	}
	printf("caught %d of 100\n", caught);
	fflush(stdout);
}

__attribute__((constructor)) static void loaded()
{
	if (getenv("LD_PRELOAD") && f_callback)
		throw_through();
}

/* What iconv_open() calls; 1: no conversion comes of it. */
extern "C" int gconv_init(void *)
{
	throw_through();
	return 1;
}

extern "C" int gconv(void *, void *, const unsigned char **, const unsigned char *, unsigned char **, size_t *, int, int)
{
	return 1;
}
