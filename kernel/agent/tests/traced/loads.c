// SPDX-License-Identifier: GPL-2.0
/*
 * Loads a library when it is told, and calls its f_late 1000 times, the first time at once.
 *
 * usage: loads LIBRARY
 */
#include <dlfcn.h>

#include "common.h"

int main(int argc, char **argv)
{
	int (*late)(int);
	void *library;
	char byte;

	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1 || argc < 2)
		return 1;
	library = dlopen(argv[1], RTLD_NOW);
	late = library ? (int (*)(int))dlsym(library, "f_late") : NULL;
	for (int i = 0; late && i < 1000; i++)
		late(i);
	return !late;
}
