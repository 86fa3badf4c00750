// SPDX-License-Identifier: GPL-2.0
/*
 * Calls with known arguments and results, and tells how many there are of each kind: of threads with names of their own, of
 * functions that call each other, and of one that is left.  With JUMPS, ends of calls are seen by probes of their own.
 *
 * usage: conditions CALLS
 */
#include <pthread.h>
#ifdef JUMPS
#include <setjmp.h>
#endif
#include <sys/prctl.h>

#include "common.h"

static volatile long sink;
static long calls;

PROBED long f_six(long a, long b, long c, long d, long e, long f) { sink += a + b + c + d + e + f; END(); return a; }
/* As many as there are conditions on arguments, so that one recording tries them all.  Alike, the compiler would make them one. */
#define SIX(n) \
	PROBED long six_##n(long a, long b, long c, long d, long e, long f) { sink += a + b + c + d + e + f + n; END(); return a; }
SIX(0) SIX(1) SIX(2) SIX(3) SIX(4) SIX(5) SIX(6) SIX(7) SIX(8) SIX(9) SIX(10) SIX(11) SIX(12) SIX(13)
static long (*const six[])(long, long, long, long, long, long) = {
	f_six, six_0, six_1, six_2, six_3, six_4, six_5, six_6, six_7, six_8, six_9, six_10, six_11, six_12, six_13
};
/* As an int, which leaves the upper half of the register 0. */
PROBED int f_int(int x) { sink += x; END(); return x % 3 ? x : -1; }
PROBED long f_long(long x) { sink += x; END(); return x % 4 ? x << 33 : -x - 1; }
/* Computes for a known time, with calls within it. */
PROBED long f_outer(long nr)
{
	uint64_t end_ns;

	for (long i = 0; i < nr; i++)
		sink += f_int(i);
	end_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + 2000000;
	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		sink++;
	END();
	return nr;
}
PROBED int twin_int(int x) { sink += x; END(); return x % 3 ? x : -1; }
PROBED long f_deep(long depth) { long x = depth ? f_deep(depth - 1) : 0; END(); return x + 1; }
PROBED long f_deeper(long depth) { long x = depth ? f_deeper(depth - 1) : 0; END(); return x + 1; }
PROBED long f_after(long x) { sink += x; END(); return -x; }
/* A tail call, which -O2 makes a jump. */
PROBED long f_rest(long x) { sink += x; return f_after(x + 1); }
#ifdef JUMPS
static jmp_buf back;
PROBED long f_left(long x) { sink += x; if (x & 1) longjmp(back, 1); END(); return -1; }
static void leave(long x) { if (!setjmp(back)) sink += f_left(x); }
#else
PROBED long f_left(long x) { sink += x; END(); return -1; }
static void leave(long x) { sink += f_left(x); }
#endif
PROBED long f_waits(long us) { usleep(us); END(); return us; }

/* Each fourth one fails. */
static void seek(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (long i = 0; i < calls; i++)
		sink += lseek(i % 4 ? fd : -1, i, SEEK_SET);
	close(fd);
}

static void *work(void *name)
{
	prctl(PR_SET_NAME, name);
	for (long i = 0; i < calls; i++)
		sink += f_int(i);
	return NULL;
}

static uint64_t nested(void)
{
	uint64_t begin_ns;

	for (int i = 0; i < 20; i++)
		sink += f_outer(calls);
	begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	for (long i = 0; i < 20 * calls; i++)
		sink += twin_int(i);
	return now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
}

int main(int argc, char **argv)
{
	static char *const names[] = { "worker-1", "worker-2" };
	pthread_t threads[2];

	calls = argc > 1 ? atol(argv[1]) : 1000;
	for (long i = 0; i < calls; i++) {
		for (size_t k = 0; k < sizeof(six) / sizeof(six[0]); k++)
			sink += six[k](i, -i, i & 0xff, i << 32, 0xffffffff00000000 | i, i % 10);
		sink += f_int(i) + f_long(i) + f_rest(i);
	}
	for (long i = 0; i < 100; i++)
		leave(i);
	seek();
	for (long i = 0; i < 10; i++)
		sink += f_deep(i);
	sink += f_deeper(299);
	for (long i = 0; i < 10; i++)
		sink += f_waits(i * 1000);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, names[i]))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tell("inner.cpu", nested());
	return 0;
}
