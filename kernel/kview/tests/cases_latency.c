// SPDX-License-Identifier: GPL-2.0
/*
 * What a client and a traced process wait for: forks, execs, many programs on one hook,
 * closing with many processes, attaching while another client works.  One emulated CPU
 * whose time counts instructions, so that what is compared is the same on any machine.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <x86intrin.h>

#include "harness.h"

enum { BATCHES = 5, ROUNDS = 40, PROGRAMS = 8, MANY = 300, ATTACHES = 41 };

static double *shared;

static double forks(void)
{
	unsigned long long best = ~0ULL, t;
	int i, j;

	for (i = 0; i < BATCHES; i++) {
		t = __rdtsc();
		for (j = 0; j < ROUNDS; j++) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			CHECK(waitpid(pid, NULL, 0) == pid);
		}
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	return (double)best / ROUNDS;
}

static void one_exec(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/proc/self/exe", "kview-test", "--reads", "0", NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static double execs(void)
{
	unsigned long long best = ~0ULL, t;
	int i, j;

	for (i = 0; i < BATCHES; i++) {
		t = __rdtsc();
		for (j = 0; j < ROUNDS; j++) {
			one_exec();
		}
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	return (double)best / ROUNDS;
}

static double reading(void)
{
	int fd = open("/dev/zero", O_RDONLY), i, j;
	unsigned long long best = ~0ULL, t;
	char b;

	for (i = 0; i < 60; i++) {
		t = __rdtsc();
		for (j = 0; j < 500; j++)
			CHECK(read(fd, &b, 1) == 1);
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	close(fd);
	return (double)best / 500;
}

/* In a child, in the views unless they are NULL. */
static double in_child(double (*what)(void), struct kview_view *v, struct kview_view *w)
{
	enum { FLAGS = KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC };
	struct kview_attachment *a = NULL, *second = NULL;
	int go[2], status;
	pid_t pid;
	char b;

	CHECK(!pipe(go));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &b, 1) == 1);
		*shared = what();
		_exit(0);
	}
	if (v)
		a = attach(v, pid, FLAGS);
	if (w)
		second = attach(w, pid, FLAGS);
	CHECK(write(go[1], "", 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	kview_attachment__free(second);
	kview_attachment__free(a);
	close(go[0]);
	close(go[1]);
	return *shared;
}

static double min_of(double a, double b)
{
	return a < b ? a : b;
}

static void compare(const char *name, double (*what)(void), struct kview_view *v,
		    struct kview_view *w)
{
	double alone = in_child(what, NULL, NULL), traced = in_child(what, v, w);

	/* by turns: what else the kernel has to do at one time must not be in one of them alone */
	alone = min_of(alone, in_child(what, NULL, NULL));
	traced = min_of(traced, in_child(what, v, w));
	result(w || traced <= 1.2 * alone, name, "%.0f, untraced %.0f (x %.2f)", traced, alone,
	       traced / alone);
}

static void programs(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	double none = in_child(reading, NULL, NULL), one, all;
	int i;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, NULL));
	one = in_child(reading, v, NULL) - none;
	for (i = 1; i < PROGRAMS; i++)
		CHECK_OK(kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, NULL));
	all = in_child(reading, v, NULL) - none;
	result(all <= PROGRAMS * one, "latency-programs-8", "a read %.0f, with one %+.0f, with %d %+.0f",
	       none, one, PROGRAMS, all);
	kview_set__free(s);
	kview_view__free(v);
}

/* A process that has children when it is told to; they end with it. */
static pid_t family(int *go)
{
	int ready[2], i;
	pid_t pid;
	char b;

	CHECK(!pipe(ready));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		CHECK(read(ready[0], &b, 1) == 1);
		for (i = 0; i < MANY; i++)
			if (!fork()) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				for (;;)
					pause();
			}
		for (;;)
			pause();
	}
	close(ready[0]);
	*go = ready[1];
	return pid;
}

static void close_many(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attach_stat st;
	struct kview_attachment *a;
	pid_t root;
	uint64_t ns;
	int go;

	root = family(&go);
	a = attach(v, root, KVIEW_ATTACH_FORK);
	CHECK(write(go, "", 1) == 1);
	close(go);
	do {
		usleep(1000);
		CHECK_OK(kview_attachment__stat(a, &st));
	} while (st.processes < MANY + 1);
	ns = now_ns();
	kview_attachment__free(a);
	ns = now_ns() - ns;
	kill(root, SIGKILL);
	CHECK(waitpid(root, NULL, 0) == root);
	result(ns <= 50000000, "latency-close-300", "%.1f ms", ns / 1e6);
	kview_set__free(s);
	kview_view__free(v);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double attaching(struct kview_view *v, pid_t pid)
{
	double ns[ATTACHES];
	int i;

	for (i = 0; i < ATTACHES; i++) {
		uint64_t t = now_ns();
		struct kview_attachment *a = attach(v, pid, 0);

		ns[i] = now_ns() - t;
		kview_attachment__free(a);
	}
	qsort(ns, ATTACHES, sizeof(*ns), by_value);
	return ns[ATTACHES / 2];
}

/* Another client adds sets and closes them, while a tracepoint of theirs is others', too. */
static pid_t churn(void)
{
	pid_t pid = fork();

	if (!pid) {
		struct kview *k = kview__open();
		struct kview_view *w = kview_view__new(k);
		struct worker own = worker_start();

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		attach(w, own.pid, 0);
		for (;;) {
			struct kview_set *s = functions(w, "vfs_write", "vfs_read", NULL);
			struct kview_set *t = tracepoint(w, "sched_process_fork");

			kview_set__free(s);
			kview_set__free(t);
		}
	}
	return pid;
}

static void attach_during(void)
{
	struct worker w = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	int link = bpf_raw_tracepoint_attach("sched_process_fork",
					     bpf_prog_empty(PROG_RAW_TRACEPOINT));
	double alone, busy;
	pid_t other;

	attaching(v, w.pid);
	alone = attaching(v, w.pid);
	other = churn();
	usleep(200000);
	busy = attaching(v, w.pid);
	kill(other, SIGKILL);
	CHECK(waitpid(other, NULL, 0) == other);
	result(busy <= 2 * alone, "latency-attach-churn", "%.0f us, alone %.0f us (x %.2f)",
	       busy / 1e3, alone / 1e3, busy / alone);
	close(link);
	worker_quit(&w);
	kview_set__free(s);
	kview_view__free(v);
}

static void latency(void)
{
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "vfs_write", NULL);

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(shared != MAP_FAILED);
	/* after its boot the kernel is busy for a while, on the same CPU; sleeping takes no time here */
	sleep(60);
	compare("latency-fork", forks, v, NULL);
	compare("latency-exec", execs, v, NULL);
	compare("latency-fork-two-clients", forks, v, w);
	compare("latency-exec-two-clients", execs, v, w);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
	programs();
	close_many();
	attach_during();
}

const struct test_case cases_latency[] = {
	{ "latency", latency, BENCH, 0, "fork, exec, many programs, closing, attaching: instructions" },
	{ 0 },
};
