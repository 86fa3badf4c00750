// SPDX-License-Identifier: GPL-2.0
/* Maps a page of its own where it is told to, reads that, and calls a function of punned_code.S: a line of input each. */
#include <stdio.h>
#include <sys/mman.h>

long p_one(long a, long b);

int main(void)
{
	volatile unsigned char *page = NULL;
	unsigned long at;
	char line[80];

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "map %lx", &at) == 1) {
			page = mmap((void *)at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			printf("%lx\n", (unsigned long)page);
		} else {
			printf("%ld\n", line[0] == 'r' ? page[0] : p_one(0, 0));
		}
		fflush(stdout);
	}
	return 0;
}
