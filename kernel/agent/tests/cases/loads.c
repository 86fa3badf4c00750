// SPDX-License-Identifier: GPL-2.0
/*
 * Plain C, nothing in it unwinds, until it loads a library that throws: through f_callback(),
 * which was probed when all of that was still unknown.
 *
 * usage: loads LIBRARY
 */
#include <dlfcn.h>

#include "truth.h"

typedef int (*plain_fn)(int);

/* Its unwind tables are there, as in any code of Debian's, so an exception passes through it. */
PROBED int f_callback(plain_fn callee, int x)
{
	int result = callee(x);

	END();
	return result + 1;
}

static int plain(int x) { return x; }

int main(int argc, char **argv)
{
	int sum = 0, caught;
	void *library;
	int (*catching)(int (*)(plain_fn, int), int);

	for (int i = 0; i < 100; i++)
		sum += f_callback(plain, i);
	printf("plain %d\n", sum);
	fflush(stdout);
	library = dlopen(argv[1], RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	catching = (int (*)(int (*)(plain_fn, int), int))dlsym(library, "catching");
	caught = catching(f_callback, 100);
	printf("caught %d of 100\n", caught);
	tell("f_callback.returned", 150);
	tell("f_callback.left", 50);
	return 4;
}
