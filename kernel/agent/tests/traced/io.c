// SPDX-License-Identifier: GPL-2.0
/*
 * Reads and writes known numbers of bytes of a file within functions, past the page cache and within it.
 *
 * usage: io FILE BLOCKS; FILE has to lie on a block device, and holds BLOCKS of 64 KiB afterwards
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>

#include "common.h"

#define BLOCK	(64 << 10)

static char *buffer;
static int direct, cached;
static jmp_buf before;
static long blocks;
static volatile long sink;

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(2);
}

PROBED void f_write(long block) { check(pwrite(direct, buffer, BLOCK, block * BLOCK) == BLOCK, "write"); END(); }
PROBED void f_read(long block) { check(pread(direct, buffer, BLOCK, block * BLOCK) == BLOCK, "read"); END(); }
/* Of one block twice. */
PROBED void f_twice(long block) { f_read(block); f_read(block); END(); }
PROBED void f_cached(long block) { sink += pread(cached, buffer, BLOCK, block * BLOCK); END(); }
/* Hands over nothing but flushes, if the device has a cache of its own. */
PROBED void f_flush(long x) { sink += x; check(!fdatasync(cached), "flush"); END(); }
PROBED void f_left(long x) { sink += x; longjmp(before, 1); END(); }
PROBED void f_none(long x) { sink += x; END(); }

static void *work(__attribute__((unused)) void *none)
{
	char *own = aligned_alloc(4096, BLOCK);

	/* In no measured function. */
	for (long i = 0; i < blocks; i++)
		check(pread(direct, own, BLOCK, i * BLOCK) == BLOCK, "read");
	f_none(1);
	for (long i = 0; i < blocks; i++)
		check(pread(direct, own, BLOCK, i * BLOCK) == BLOCK, "read");
	free(own);
	return NULL;
}

/* What is read after a call was left by a jump is in no function. */
static void leave(void)
{
	if (!setjmp(before))
		f_left(1);
	for (long i = 0; i < blocks; i++)
		check(pread(direct, buffer, BLOCK, i * BLOCK) == BLOCK, "read");
	f_none(1);
}

static void flush(void)
{
	for (long i = 0; i < blocks; i++) {
		check(pwrite(cached, buffer, BLOCK, i * BLOCK) == BLOCK, "write");
		check(!sync_file_range(cached, i * BLOCK, BLOCK, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER), "write back");
		f_flush(i);
	}
}

int main(int argc, char **argv)
{
	pthread_t thread;

	blocks = argc > 2 ? atol(argv[2]) : 10;
	direct = open(argv[1], O_RDWR | O_DIRECT | O_CLOEXEC | O_CREAT, 0600);
	cached = open(argv[1], O_RDWR | O_CLOEXEC);
	check(direct >= 0 && cached >= 0, argv[1]);
	buffer = aligned_alloc(4096, BLOCK);
	memset(buffer, 1, BLOCK);
	/* So that it has its place. */
	for (long i = 0; i < blocks; i++)
		check(pwrite(direct, buffer, BLOCK, i * BLOCK) == BLOCK, "write");
	fsync(direct);
	check(!pthread_create(&thread, NULL, work, NULL), "thread");
	for (long i = 0; i < blocks; i++) {
		f_write(i);
		f_read(i);
		f_twice(i);
		f_none(i);
	}
	pthread_join(thread, NULL);
	sink += pread(cached, buffer, BLOCK, 0);
	for (long i = 0; i < blocks; i++)
		f_cached(0);
	leave();
	flush();
	return 0;
}
