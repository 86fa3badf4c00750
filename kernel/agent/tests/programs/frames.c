// SPDX-License-Identifier: GPL-2.0
/*
 * C whose frames are of all the kinds that compilers make, and none of which leaves its
 * stack: arrays of variable length, alloca, realigned stacks, longjmp, threads.
 */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
static jmp_buf back;
static volatile int sum;

APART void fill(char *to, int length)
{
	memset(to, length, length);
	sum += to[length / 2];
}

APART void variable(int n)
{
	for (int i = 1; i < n; i++) {
		char array[i];

		fill(array, i);
	}
}

APART void several(int n, const char *text)
{
	for (const char *c = text; *c; c++) {
		char one[n], two[2 * n];

		fill(one, n);
		if (*c == 'b')
			continue;
		fill(two, 2 * n);
		for (int i = 1; i < 3; i++) {
			char three[n * i];

			fill(three, n * i);
		}
	}
}

APART void allocated(int n)
{
	char *some = alloca(n);

	fill(some, n);
	if (n > 3)
		allocated(n - 1);
}

APART void aligned(int n)
{
	alignas(128) char array[256];
	char more[n];

	fill(array, 128);
	fill(more, n);
}

APART void large(void)
{
	char array[200000];

	fill(array, 100);
	fill(array + 199000, 100);
}

APART void leaves(int n)
{
	if (n)
		leaves(n - 1);
	longjmp(back, 1);
}

static void *run(void *unused)
{
	variable(10);
	return unused;
}

int main(void)
{
	pthread_t thread;
	char c;

	variable(20);
	several(7, "abcabc");
	allocated(40);
	aligned(9);
	large();
	if (!setjmp(back))
		leaves(3);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	puts("ready");
	return read(0, &c, 1) < 0;
}
