// SPDX-License-Identifier: GPL-2.0
/*
 * Touches known numbers of fresh pages within functions, and tells what the kernel counted of these calls by its own account of
 * the thread.
 *
 * usage: faults CALLS FILE; FILE is read through a mapping, from where it lies
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "common.h"

#define PAGE	4096

static long calls;
static const char *path;
static volatile long sink;

/* By the calls of a function, those within them included. */
struct truth {
	const char *name;
	uint64_t minor, major;
};
static struct truth touch_truth = { .name = "f_touch" }, outer_truth = { .name = "f_outer" }, none_truth = { .name = "f_none" },
		    deep_truth = { .name = "f_deep" }, read_truth = { .name = "f_read" }, tail_truth = { .name = "f_tail" },
		    moves_truth = { .name = "f_moves" };

static struct rusage usage(void)
{
	struct rusage now;

	if (getrusage(RUSAGE_THREAD, &now))
		abort();
	return now;
}

/* Of threads as well. */
static void truth__add(struct truth *truth, const struct rusage *before)
{
	struct rusage now = usage();

	__sync_fetch_and_add(&truth->minor, now.ru_minflt - before->ru_minflt);
	__sync_fetch_and_add(&truth->major, now.ru_majflt - before->ru_majflt);
}

#define COUNTED(truth, call) do {		\
	struct rusage before_ = usage();	\
	call;					\
	truth__add(&(truth), &before_);		\
} while (0)

static char *fresh(long pages)
{
	char *memory = mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise(memory, (pages + 1) * PAGE, MADV_NOHUGEPAGE))
		abort();
	return memory;
}

PROBED void f_touch(char *memory, long pages)
{
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	END();
}
PROBED void f_none(long x) { sink += x; END(); }
PROBED void f_outer(char *memory, long pages)
{
	f_touch(memory, pages);
	memory[pages * PAGE] = 1;
	END();
}
/* Each level touches one page. */
PROBED void f_deep(char *memory, long depth)
{
	memory[depth * PAGE] = 1;
	if (depth)
		f_deep(memory, depth - 1);
	END();
}
/* Ends where f_after does. */
PROBED long f_after(char *memory) { memory[PAGE] = 1; END(); return 1; }
PROBED long f_tail(char *memory) { memory[0] = 1; return f_after(memory); }
PROBED void f_read(const char *file, long bytes)
{
	for (long i = 0; i < bytes; i += PAGE)
		sink += file[i];
	END();
}
/* On one CPU after the other, and off them in between. */
PROBED void f_moves(char *memory, long pages)
{
	struct timespec short_time = { .tv_nsec = 100000 };
	cpu_set_t one;

	for (long i = 0; i < pages; i++) {
		CPU_ZERO(&one);
		CPU_SET(i % sysconf(_SC_NPROCESSORS_ONLN), &one);
		sched_setaffinity(0, sizeof(one), &one);
		memory[i * PAGE] = 1;
		nanosleep(&short_time, NULL);
	}
	END();
}
static jmp_buf back;
PROBED void f_left(char *memory) { memory[0] = 1; longjmp(back, 1); }

static void read_mapped(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	long bytes = lseek(fd, 0, SEEK_END);
	char *file;

	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	file = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		abort();
	COUNTED(read_truth, f_read(file, bytes));
	munmap(file, bytes);
	close(fd);
}

static void *work(__attribute__((unused)) void *none)
{
	for (long i = 0; i < calls; i++) {
		char *memory = fresh(i % 10);

		COUNTED(touch_truth, f_touch(memory, i % 10));
		COUNTED(none_truth, f_none(i));
		munmap(memory, (i % 10 + 1) * PAGE);
		if (i % 10)
			continue;
		memory = fresh(7);
		COUNTED(moves_truth, f_moves(memory, 7));
		munmap(memory, 8 * PAGE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	calls = argc > 1 ? atol(argv[1]) : 100;
	path = argc > 2 ? argv[2] : argv[0];
	/* What the first calls need besides. */
	f_none(0);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (long i = 0; i < 10; i++) {
		char *memory = fresh(200);

		COUNTED(outer_truth, f_outer(memory, i));
		munmap(memory, 201 * PAGE);
		memory = fresh(200);
		COUNTED(deep_truth, f_deep(memory, 10 * i));
		munmap(memory, 201 * PAGE);
		memory = fresh(2);
		COUNTED(tail_truth, sink += f_tail(memory));
		munmap(memory, 3 * PAGE);
		memory = fresh(1);
		if (!setjmp(back))
			f_left(memory);
		munmap(memory, 2 * PAGE);
		read_mapped();
	}
	for (size_t i = 0; i < 7; i++) {
		const struct truth *all[] = {
			&touch_truth, &outer_truth, &none_truth, &deep_truth, &read_truth, &tail_truth, &moves_truth,
		};
		char name[40];

		snprintf(name, sizeof(name), "%s.minor", all[i]->name);
		tell(name, all[i]->minor);
		snprintf(name, sizeof(name), "%s.major", all[i]->name);
		tell(name, all[i]->major);
	}
	return 0;
}
