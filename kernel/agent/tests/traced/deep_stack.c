// SPDX-License-Identifier: GPL-2.0
/* One thread rests with 2 MiB of its stack in use, beside a worker of io_uring's that waits, where there is io_uring; the other calls f_work for each line that it reads. */
#include <linux/io_uring.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "common.h"

static struct io_uring_params params;
static int ends[2];
static char byte;

PROBED int f_work(int x) { END(); return x + 1; }

static void *rest(void *unused)
{
	volatile char much[2 << 20];

	much[0] = much[sizeof(much) - 1] = 1;
	for (;;)
		pause();
	return unused;
}

/* A read that waits in a worker of the kernel's. */
static int begin_read(void)
{
	int ring = syscall(SYS_io_uring_setup, 8, &params);
	char *queue;
	struct io_uring_sqe *entry;

	if (ring < 0 || pipe(ends))
		return 0;
	queue = mmap(NULL, params.sq_off.array + params.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	entry = mmap(NULL, params.sq_entries * sizeof(*entry), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	if (queue == MAP_FAILED || entry == MAP_FAILED)
		return 0;
	*entry = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = ends[0], .addr = (uintptr_t)&byte, .len = 1, .flags = IOSQE_ASYNC, .off = -1 };
	*(unsigned int *)(queue + params.sq_off.array) = 0;
	__atomic_store_n((unsigned int *)(queue + params.sq_off.tail), 1, __ATOMIC_RELEASE);
	return syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1;
}

int main(void)
{
	pthread_t thread;
	char line[64];
	int sum = 0;

	pthread_create(&thread, NULL, rest, NULL);
	printf("%d\n", begin_read());
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		sum = f_work(sum);
		printf("%d\n", sum);
		fflush(stdout);
	}
	_exit(0);
}
