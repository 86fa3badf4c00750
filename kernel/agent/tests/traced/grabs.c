// SPDX-License-Identifier: GPL-2.0
/*
 * Maps memory where others put code that they map into it.  It reads letters, and writes a line for each: n notes where such code is, m maps
 * memory there, u takes that away, g does m at the moment that something is mapped for such code, e ends g, c calls the functions.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "common.h"

#define MOST 4096
#define CALLS 1000

struct range {
	uintptr_t start, end;
};

static struct range noted[MOST];	/* pages of code by themselves */
static size_t nr;
static uintptr_t first;			/* what is mapped before any of them: data and code side by side */
static bool is_mapped[MOST];
static atomic_bool is_wanted;
static atomic_size_t taken;
static pthread_t thread;
static volatile int sink;

PROBED int f_one(int x) { END(); return x + 1; }
PROBED int f_two(int x)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += f_one(x + i);
	END();
	return sum;
}
PROBED int f_three(int x)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%d", x);

	END();
	return length ? f_two(x) + text[0] : 0;
}

static size_t note(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct range range, last = { 0 };
	char line[512], rights[5];
	unsigned long long inode;

	nr = first = 0;
	while (maps && nr < MOST && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s %*x %*s %llu", &range.start, &range.end, rights, &inode) != 4)
			continue;
		if (!strcmp(rights, "r-xp") && !inode && !strchr(line, '[') && range.start != last.end)
			noted[nr++] = range;
		else if (!strcmp(rights, "r-xp") && !inode && !strchr(line, '['))
			first = last.start;
		last = range;
	}
	if (maps)
		fclose(maps);
	return nr;
}

static size_t map(void)
{
	size_t mapped = 0;

	for (size_t i = 0; i < nr; i++) {
		is_mapped[i] = mmap((void *)noted[i].start, noted[i].end - noted[i].start, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void *)noted[i].start;
		mapped += is_mapped[i];
	}
	return mapped;
}

static size_t unmap(void)
{
	size_t unmapped = 0;

	for (size_t i = 0; i < nr; i++)
		unmapped += is_mapped[i] && !munmap((void *)noted[i].start, noted[i].end - noted[i].start);
	memset(is_mapped, 0, sizeof(is_mapped));
	return unmapped;
}

static void *grabs(void *unused)
{
	unsigned char in_memory;

	(void)unused;
	while (is_wanted && mincore((void *)first, 4096, &in_memory))
		;
	if (is_wanted)
		taken = map();
	return NULL;
}

static size_t begin_grabbing(void)
{
	is_wanted = true;
	return pthread_create(&thread, NULL, grabs, NULL);
}

static size_t end_grabbing(void)
{
	is_wanted = false;
	pthread_join(thread, NULL);
	return atomic_exchange(&taken, 0);
}

static size_t call(void)
{
	for (int i = 0; i < CALLS; i++)
		sink += f_three(i);
	return CALLS;
}

int main(void)
{
	int letter;

	printf("ready\n");
	fflush(stdout);
	while ((letter = getchar()) != EOF) {
		printf("%zu\n", letter == 'n' ? note() : letter == 'm' ? map() : letter == 'u' ? unmap() : letter == 'g' ? begin_grabbing() :
		       letter == 'e' ? end_grabbing() : call());
		fflush(stdout);
	}
	return 0;
}
