// SPDX-License-Identifier: GPL-2.0
/* Grace periods: who waits for one must not make others wait, and many wait for one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness.h"
#include "text.h"

static void *close_set(void *set)
{
	kview_set__free(set);
	return NULL;
}

static struct kview_set *a_set(struct kview_view *v)
{
	return functions(v, "vfs_write", NULL);
}

static struct kview_set *a_filter(struct kview_view *v)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER };
	const char *name = "vfs_write";
	struct kview_set *s = kview_view__add_functions(v, &name, 1, &opts);

	CHECK(s);
	return s;
}

/* The slow program's CPU is its alone: who shares it could not go on, whoever waits. */
static void apart(const struct worker *slow, const struct worker *other)
{
	pin_to(slow->pid, 0);
	pin_to(other->pid, 1);
	pin_to(0, 1);
}

/* A grace period cannot end while a hook runs, and this hook's program takes long. */
static void others_wait_for(struct kview_set *(*add)(struct kview_view *v))
{
	struct worker slow = worker_start(), other = worker_start();
	struct kview_view *v = view(), *theirs = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = add(theirs);
	struct kview_attachment *att;
	struct kview_set *u;
	pthread_t closer;
	int i, early = 0;

	apart(&slow, &other);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	attach(v, slow.pid, 0);
	for (i = 0; i < 3; i++) {
		worker_begin(&slow, OP_READ, 1);
		while (hits(s, 0) < (uint64_t)i + 1)
			;
		CHECK(!pthread_create(&closer, NULL, close_set, t));
		usleep(20000);
		/* of another client: a view, sites, a process */
		u = functions(theirs, "vfs_read", NULL);
		att = attach(theirs, other.pid, 0);
		early += !worker_idle(&slow);
		worker_wait(&slow);
		CHECK(!pthread_join(closer, NULL));
		kview_attachment__free(att);
		kview_set__free(u);
		t = add(theirs);
	}
	worker_quit(&slow);
	worker_quit(&other);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(theirs);
	kview_view__free(v);
	figure("another client went on while a set was being closed: %d of 3", early);
	CHECK_EQ(early, 3);
}

static void others_wait(void)
{
	others_wait_for(a_set);
}

/* To take a hook out of the base ftrace waits for RCU tasks. */
static void others_wait_filter(void)
{
	others_wait_for(a_filter);
}

static struct kview_view *adds_to;

static void *add_and_close(void *unused)
{
	kview_set__free(a_set(adds_to));
	return unused;
}

/*
 * Others make a kprobe a jump: with text_mutex they wait for RCU tasks, which a slow program holds
 * up.  A client waits for that, with nothing that a fork in another view needs.
 */
static void others_wait_kprobe(void)
{
	enum { ROUNDS = 6 };
	static const char jumps_allowed[] = "/proc/sys/debug/kprobes-optimization";
	struct worker slow = worker_start(), forker = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = functions(w, "vfs_read", NULL);
	struct text *base = text_read();
	int i, early = 0, jumps = 0;
	struct place place;
	char event[200];
	uint64_t begin;
	pthread_t adder;

	apart(&slow, &forker);
	adds_to = view();
	CHECK(text_find_load(base, "sched_process_fork", &place));
	free(base);
	snprintf(event, sizeof(event), "p:kv_wait %s", place.name);
	write_file(TRACING "kprobe_events", event);
	write_file(TRACING "events/kprobes/kv_wait/enable", "1");
	for (i = 0; i < 3; i++)
		CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	attach(v, slow.pid, 0);
	attach(w, forker.pid, KVIEW_ATTACH_FORK);
	for (i = 0; i < ROUNDS && !early; i++) {
		write_file(jumps_allowed, "0");
		/* whoever is on the slow one's CPU with a lock of ours is held up, too: none shall be */
		usleep(300000);
		worker_begin(&slow, OP_READ, 1);
		while (hits(s, 0) < (uint64_t)i + 1)
			;
		write_file(jumps_allowed, "1");
		/* it begins after five ticks, on this CPU as long as that is awake */
		for (begin = now_ns(); now_ns() < begin + 100000000;)
			;
		CHECK(!pthread_create(&adder, NULL, add_and_close, NULL));
		usleep(20000);
		worker_do(&forker, OP_FORKS, 1);
		early += !worker_idle(&slow);
		worker_wait(&slow);
		CHECK(!pthread_join(adder, NULL));
		jumps += kprobe_optimised(place.addr, 20000);
	}
	write_file(TRACING "events/kprobes/kv_wait/enable", "0");
	write_file(TRACING "kprobe_events", "");
	worker_quit(&slow);
	worker_quit(&forker);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(adds_to);
	kview_view__free(w);
	kview_view__free(v);
	figure("forks went on while a kprobe became a jump, in round %d", i);
	CHECK_EQ(jumps, i);
	CHECK(early);
}

/* The line of a trace that tells of the first call of a function; -1: none does. */
static int call_of(const char *function)
{
	FILE *f = fopen(TRACING "trace", "re");
	int line = 0, found = -1;
	char text[1024], mark[64];

	CHECK(f);
	snprintf(mark, sizeof(mark), ": %s ", function);
	for (; found < 0 && fgets(text, sizeof(text), f); line++)
		if (strstr(text, mark))
			found = line;
	fclose(f);
	return found;
}

/*
 * perf's buffers: whoever takes or gives them back waits for others who do, and they for RCU.
 * So it is done before anything that needs the module's lock is begun, and after it is over.
 */
static void perf_outside(void)
{
	static const char *const function[] = {
		"perf_event_create_kernel_counter", "kview_set_prepare", "kview_set_bury",
		"kview_view_put", "perf_event_release_kernel",
	};
	const char *event = "sched:sched_process_fork";
	struct kview_view *v = view();
	struct kview_set *s;
	int call[ARRAY_SIZE(function)];
	size_t i;

	tracer_start(function, ARRAY_SIZE(function));
	s = kview_view__add_events(v, &event, 1, NULL);
	CHECK(s);
	kview_set__free(s);
	for (i = 0; i < ARRAY_SIZE(function); i++)
		call[i] = call_of(function[i]);
	tracer_off();
	kview_view__free(v);
	for (i = 0; i < ARRAY_SIZE(function); i++) {
		CHECK(call[i] >= 0);
		CHECK(!i || call[i] > call[i - 1]);
	}
	figure("taken before, given back after");
}

static void *detach(void *att)
{
	kview_attachment__free(att);
	return NULL;
}

/*
 * Who leaves a view with a tracepoint that others have just begun to use must wait for a
 * grace period, which a slow program holds up; who enters another view need not.
 */
static void others_enter(void)
{
	struct worker slow = worker_start(), leaver = worker_start(), other = worker_start();
	struct kview_view *v = view(), *w = view(), *theirs = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = tracepoint(w, "sched_process_fork");
	struct kview_set *u = functions(theirs, "vfs_write", NULL);
	struct kview_attachment *left, *entered;
	pthread_t leaving;
	int i, link, early = 0;

	apart(&slow, &other);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	attach(v, slow.pid, 0);
	for (i = 0; i < 3; i++) {
		left = attach(w, leaver.pid, 0);
		link = bpf_raw_tracepoint_attach("sched_process_fork",
						 bpf_prog_empty(PROG_RAW_TRACEPOINT));
		worker_begin(&slow, OP_READ, 1);
		while (hits(s, 0) < (uint64_t)i + 1)
			;
		CHECK(!pthread_create(&leaving, NULL, detach, left));
		usleep(20000);
		entered = attach(theirs, other.pid, 0);
		early += !worker_idle(&slow);
		worker_wait(&slow);
		CHECK(!pthread_join(leaving, NULL));
		worker_do(&leaver, OP_FORKS, 3);
		kview_attachment__free(entered);
		close(link);
	}
	worker_quit(&slow);
	worker_quit(&leaver);
	worker_quit(&other);
	kview_set__free(u);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(theirs);
	kview_view__free(w);
	kview_view__free(v);
	figure("another client entered while one waited to leave: %d of 3", early);
	CHECK_EQ(early, 3);
}

enum { FORKS = 100, MOST = 300 };

/* A process with many children, all in the view. */
static pid_t family(volatile int *go)
{
	int i, many = repeats(100, MOST);
	pid_t root = fork(), child[MOST];

	CHECK(root >= 0);
	if (root)
		return root;
	while (!*go)
		usleep(500);
	for (i = 0; i < many; i++) {
		child[i] = fork();
		if (!child[i])
			for (;;)
				pause();
	}
	*go = 0;
	while (!*go)
		usleep(1000);
	for (i = 0; i < many; i++) {
		kill(child[i], SIGKILL);
		waitpid(child[i], NULL, 0);
	}
	_exit(0);
}

static void close_many(void)
{
	volatile int *go = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);
	pid_t root = family(go);
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, root, KVIEW_ATTACH_FORK);
	struct kview_attach_stat st;
	char pid[16], mark[16];
	uint64_t ms;
	int rcu, srcu, all = repeats(100, MOST) + 1;

	*go = 1;
	while (*go)
		usleep(1000);
	do {
		usleep(1000);
		CHECK_OK(kview_attachment__stat(att, &st));
	} while (st.processes < (uint32_t)all);
	snprintf(pid, sizeof(pid), "%d", getpid());
	snprintf(mark, sizeof(mark), "-%d ", getpid());
	tracer_on("synchronize_rcu", "synchronize_srcu");
	ms = now_ns();
	kview_attachment__free(att);
	ms = (now_ns() - ms) / 1000000;
	rcu = count_lines(TRACING "trace", mark, ": synchronize_rcu ", NULL);
	srcu = count_lines(TRACING "trace", mark, ": synchronize_srcu ", NULL);
	tracer_off();
	*go = 1;
	CHECK(waitpid(root, NULL, 0) == root);
	kview_set__free(s);
	kview_view__free(v);
	figure("%d processes: %d grace periods of RCU and %d of SRCU, %llu ms", all, rcu,
	       srcu, (unsigned long long)ms);
	CHECK(rcu + srcu <= 2 && rcu >= 1);
}

/* The kernel makes an exit wait for SRCU when somebody has an mmu notifier on its memory. */
static void exits(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_attach_stat st;
	int waits;

	tracer_on("synchronize_srcu");
	worker_do(&a, OP_FORKS, FORKS);
	waits = count_lines(TRACING "trace", "kview-test-", ": synchronize_srcu ", NULL);
	tracer_off();
	CHECK_OK(kview_attachment__stat(att, &st));
	CHECK_EQ(st.joined, FORKS);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("%d exits of processes in a view waited %d times for SRCU", FORKS, waits);
	CHECK_EQ(waits, 0);
}

const struct test_case cases_wait[] = {
	{ "wait-others", others_wait, ONCE, 0,
	  "a client that waits for a grace period holds up no other" },
	{ "wait-filter", others_wait_filter, ONCE, 0,
	  "... nor one that closes a filtered set" },
	{ "wait-kprobe", others_wait_kprobe, ONCE, 0,
	  "... nor one that waits for who makes a kprobe a jump" },
	{ "wait-perf", perf_outside, ONCE, 0,
	  "perf is waited for by who adds or closes events alone" },
	{ "wait-enter", others_enter, ONCE, 0,
	  "a client that must wait before it leaves a view holds up nobody who enters one" },
	{ "wait-close-many", close_many, ONCE, 0,
	  "closing with many processes waits for one grace period" },
	{ "wait-exit", exits, ONCE, 0,
	  "the exit of a process in a view waits for no grace period" },
	{ 0 },
};
