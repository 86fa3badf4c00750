// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the file of its own program through a mapping, and tells the sum of its bytes at each line
 * of standard input.
 *
 * usage: reads private|writable|shared|none
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common.h"

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }

int main(int argc, char **argv)
{
	int fd = open("/proc/self/exe", O_RDONLY), i;
	unsigned char *bytes = NULL;
	unsigned long sum;
	struct stat st;

	(void)argc;
	fstat(fd, &st);
	if (strcmp(argv[1], "none"))
		bytes = mmap(NULL, st.st_size, PROT_READ | (*argv[1] == 'w' ? PROT_WRITE : 0),
			     *argv[1] == 's' ? MAP_SHARED : MAP_PRIVATE, fd, 0);
	do {
		sum = 0;
		for (i = 0; i < 100; i++)
			f_work(i);
		for (i = 0; bytes && i < st.st_size; i++)
			sum += bytes[i];
		printf("sum %lu\n", sum);
		fflush(stdout);
	} while (getchar() != EOF);
	return 0;
}
