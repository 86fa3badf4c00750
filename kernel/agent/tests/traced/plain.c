// SPDX-License-Identifier: GPL-2.0
/* C that never unwinds: return probes are used. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common.h"

PROBED uint64_t f_spin(uint64_t ns) { uint64_t r = spin(ns); END(); return r; }
PROBED void f_sleep(void) { usleep(2000); END(); }
#ifdef __x86_64__
/* Its second instruction is a jump that has no longer form, so it can't run elsewhere. */
int f_stays(int x);
__asm__(".text\n.globl f_stays\n.type f_stays,@function\n"
	"f_stays: .cfi_startproc\n mov %edi, %eax\n jrcxz 1f\n1: ret\n .cfi_endproc\n .size f_stays, .-f_stays\n");
#else
PROBED int f_stays(int x) { END(); return x; }
#endif
PROBED int f_empty(int x) { END(); return x + 1; }
/* Has no probe. */
PROBED int twin_empty(int x) { END(); return x + 1; }
PROBED int f_recurse(int n)
{
	int r = n > 1 ? f_recurse(n - 1) : 0;

	END();
	return r + 1;
}
PROBED int f_outer(int n)
{
	int r = 0;

	for (int i = 0; i < n; i++)
		r += f_empty(i);
	END();
	return r;
}
/* 2 ms of its own besides. */
PROBED int f_busy_outer(int n)
{
	int r = spin(2000000) & 1;

	for (int i = 0; i < n; i++)
		r += f_empty(i);
	END();
	return r;
}
/* Enters another function each millisecond, until killed. */
PROBED void f_within(void)
{
	for (int i = 0; ; i++) {
		f_empty(i);
		usleep(1000);
	}
}
PROBED void f_forever(void) { for (;;) pause(); }

#define FUNCTION(n) PROBED int g_##n(int x) { END(); return x + n; }
#define TEN(n) FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3) FUNCTION(n##4) \
	FUNCTION(n##5) FUNCTION(n##6) FUNCTION(n##7) FUNCTION(n##8) FUNCTION(n##9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
#define CALL_TEN(n) x += g_##n##0(x) + g_##n##1(x) + g_##n##2(x) + g_##n##3(x) + g_##n##4(x) + \
	g_##n##5(x) + g_##n##6(x) + g_##n##7(x) + g_##n##8(x) + g_##n##9(x)

static volatile int sink;

static void tell_of(const char *name, const char *what, uint64_t ns)
{
	char label[64];

	snprintf(label, sizeof(label), "%s.%s", name, what);
	tell(label, ns);
}

/* How often this thread gave up its CPU by itself. */
static uint64_t left_cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/*
 * Reads the clocks around all calls, and none between them.  There it asks for the waits alone: reading the CPU clock
 * makes a thread wait whose slice is over, and so between the calls.
 */
static void measure(void (*call)(void), int rounds, const char *name)
{
	struct moment begin = moment__now(), end;
	uint64_t before = begin.waits.ns, after, longest = 0, left = left_cpu();

	for (int i = 0; i < rounds; i++) {
		call();
		after = waited_ns();
		if (after - before > longest)
			longest = after - before;
		before = after;
	}
	end = moment__now();
	left = left_cpu() - left;
	tell_of(name, "left", left);
	tell_of(name, "wall", end.wall - begin.wall);
	tell_of(name, "cpu", end.cpu - begin.cpu);
	tell_of(name, "waited", end.waits.ns - begin.waits.ns);
	tell_of(name, "longest", longest);
	tell_of(name, "runs", end.waits.runs - begin.waits.runs);
}

static void spin_2ms(void) { f_spin(2000000); }

static void *calls_of_thread(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++)
		sink += f_empty(i);
	return NULL;
}

static void threads(int nr, long rounds)
{
	pthread_t *all = calloc(nr, sizeof(*all));

	for (int i = 0; i < nr; i++)
		pthread_create(&all[i], NULL, calls_of_thread, (void *)rounds);
	for (int i = 0; i < nr; i++)
		pthread_join(all[i], NULL);
	free(all);
}

/* At a rate, until killed. */
static void paced(long per_s)
{
	const struct timespec pause = { 0, 1000000 };

	for (;;) {
		for (long i = 0; i < per_s / 1000; i++)
			sink += f_empty(i);
		nanosleep(&pause, NULL);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(what, "spin")) {
		measure(spin_2ms, n, "f_spin");
	} else if (!strcmp(what, "sleep")) {
		sink += f_stays(n);
		measure(f_sleep, n, "f_sleep");
	} else if (!strcmp(what, "recurse")) {
		for (int i = 0; i < 10; i++)
			sink += f_recurse(n);
	} else if (!strcmp(what, "nested")) {
		for (int i = 0; i < 20; i++)
			sink += f_outer(n);
	} else if (!strcmp(what, "nested-busy")) {
		uint64_t begin_ns, inner_ns;

		for (int i = 0; i < 20; i++)
			sink += f_busy_outer(n);
		begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		for (long i = 0; i < 20 * n; i++)
			sink += twin_empty(i);
		inner_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		tell("inner.cpu", inner_ns);
		tell("outer.cpu", inner_ns + 20 * 2000000);
	} else if (!strcmp(what, "empty")) {
		for (long i = 0; i < n; i++)
			sink += f_empty(i);
	} else if (!strcmp(what, "renamed")) {
		sigset_t go;
		int signal;

		sigemptyset(&go);
		sigaddset(&go, SIGUSR1);
		sigprocmask(SIG_BLOCK, &go, NULL);
		sink += f_empty(1);
		sigwait(&go, &signal);
		prctl(PR_SET_NAME, "other-name");
		pause();
	} else if (!strcmp(what, "timed")) {
		uint64_t begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

		for (long i = 0; i < n; i++)
			sink += f_empty(i);
		tell("f_empty.cpu", now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
	} else if (!strcmp(what, "threads")) {
		threads(n, argc > 3 ? atol(argv[3]) : 1);
	} else if (!strcmp(what, "paced")) {
		paced(n);
	} else if (!strcmp(what, "within")) {
		puts("ready");
		if (getchar() == 'g')
			f_within();
	} else if (!strcmp(what, "many")) {
		int x = 0;

		for (long i = 0; i < n || !n; i++) {
			CALL_TEN(1); CALL_TEN(2); CALL_TEN(3); CALL_TEN(4); CALL_TEN(5);
			CALL_TEN(6); CALL_TEN(7); CALL_TEN(8); CALL_TEN(9); CALL_TEN(10);
			if (!n)
				usleep(1000);
		}
		sink += x;
	} else if (!strcmp(what, "compute")) {
		for (;;)
			sink++;
	} else if (!strcmp(what, "exit-inside")) {
		f_forever();
	} else if (!strcmp(what, "exec")) {
		/* Calls f_empty, and then is another program: the rest of the words. */
		for (long i = 0; i < n; i++)
			sink += f_empty(i);
		execv(argv[3], argv + 3);
		return 1;
#ifdef FORKS	/* else its returns may be replaced */
	} else if (!strcmp(what, "fork")) {
		sink += f_empty(1);
		if (!fork()) {
			for (int i = 0; i < 100; i++)
				sink += f_empty(i);
			_exit(0);
		}
		wait(NULL);
		sink += f_empty(2);
	} else if (!strcmp(what, "orphan")) {
		/* Leaves a grandchild that holds the pipes. */
		if (!fork()) {
			sleep(n);
			_exit(0);
		}
		puts("parent ends");
#endif
	} else if (!strcmp(what, "output")) {
		for (long i = 0; i < n; i++)
			printf("line %ld of the output, long enough to fill pipes soon\n", i);
		fprintf(stderr, "done\n");
	} else if (!strcmp(what, "status")) {
		return n;
	} else if (!strcmp(what, "signal")) {
		raise(n);
	} else if (!strcmp(what, "ticks")) {
		for (;;) {
			puts("tick");
			usleep(20000);
			sink += f_empty(1);
		}
	}
	return 0;
}
