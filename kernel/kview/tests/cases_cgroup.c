// SPDX-License-Identifier: GPL-2.0
/* Whole cgroups: who is in the view, from when on, until when. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "cgroups.h"
#include "harness.h"

static struct kview_attachment *attach_cgroup(struct kview_view *v, const char *path)
{
	struct kview_attachment *att = kview_view__attach_cgroup(v, path);

	CHECK(att);
	return att;
}

static struct kview_attach_stat stat_of(struct kview_attachment *att)
{
	struct kview_attach_stat st;

	CHECK_OK(kview_attachment__stat(att, &st));
	return st;
}

/* The next @n reads of @w hit so often. */
static uint64_t new_hits(struct kview_set *s, struct worker *w, enum op op, long n)
{
	uint64_t before = hits(s, 0);

	worker_do(w, op, n);
	return hits(s, 0) - before;
}

static void members(void)
{
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	struct kview_attach_stat st;

	cgroups_make();
	cgroup_move(a.pid, TOP);
	cgroup_move(b.pid, SUB);		/* a descendant counts */
	cgroup_move(c.pid, OTHER);
	att = attach_cgroup(v, TOP);
	st = stat_of(att);
	CHECK_EQ(st.processes, 2);
	CHECK_EQ(st.joined, 0);
	CHECK_EQ(new_hits(s, &a, OP_READ_MIGRATE, 3000), 3000);
	CHECK_EQ(new_hits(s, &b, OP_READ, 1000), 1000);
	CHECK_EQ(new_hits(s, &c, OP_READ, 1000), 0);
	CHECK_EQ(new_hits(s, &a, OP_READ_THREADS, 500), 2000);
	CHECK_EQ(new_hits(s, &b, OP_FORK_READ, 1000), 1000);
	CHECK_EQ(new_hits(s, &c, OP_FORK_READ, 1000), 0);
	CHECK_EQ(stat_of(att).joined, 1);

	/* in, within, out */
	cgroup_move(c.pid, SUB);
	CHECK_EQ(new_hits(s, &c, OP_READ, 1000), 1000);
	CHECK_EQ(new_hits(s, &c, OP_FORK_READ, 1000), 1000);
	cgroup_move(c.pid, TOP);
	CHECK_EQ(stat_of(att).left, 0);
	CHECK_EQ(new_hits(s, &c, OP_READ, 1000), 1000);
	cgroup_move(a.pid, ROOT);
	cgroup_move(b.pid, OTHER);
	CHECK_EQ(new_hits(s, &a, OP_READ, 1000), 0);
	CHECK_EQ(new_hits(s, &b, OP_FORK_READ, 1000), 0);
	st = stat_of(att);
	CHECK_EQ(st.left, 2);
	CHECK_EQ(st.processes, 1);
	CHECK_EQ(st.join_failed, 0);
	/* and once more, while it runs */
	worker_begin(&a, OP_READ_MIGRATE, 20000);
	cgroup_move(a.pid, TOP);
	cgroup_move(a.pid, OTHER);
	worker_wait(&a);
	cgroup_move(a.pid, TOP);
	CHECK_EQ(new_hits(s, &a, OP_READ, 1000), 1000);

	kview_attachment__free(att);
	CHECK_EQ(new_hits(s, &a, OP_READ, 1000), 0);
	CHECK_EQ(new_hits(s, &c, OP_READ, 1000), 0);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	cgroups_remove();
	figure("members, threads, children, descendants, moved in and out: all exact");
	kview_view__free(v);
	kview_set__free(s);
}

/* A process in the cgroup whose main thread has ended: its last one reads when told to. */
struct headless {
	int ready, go;
};

static void *headless_thread(void *arg)
{
	struct headless *h = arg;

	__atomic_store_n(&h->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&h->go, __ATOMIC_SEQ_CST))
		usleep(1000);
	reads(100);
	_exit(0);
}

static pid_t headless_start(struct headless *h)
{
	pthread_t thread;
	char path[64];
	pid_t pid;

	memset(h, 0, sizeof(*h));
	pid = fork();
	if (!pid) {
		cgroup_move(getpid(), TOP);
		CHECK(!pthread_create(&thread, NULL, headless_thread, h));
		syscall(SYS_exit, 0);
	}
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (!__atomic_load_n(&h->ready, __ATOMIC_SEQ_CST) ||
	       !count_lines(path, ") Z ", NULL, NULL))
		usleep(1000);
	return pid;
}

/* execve in the cgroup, vfork, and processes created in it from outside. */
static void arrivals(void)
{
	struct headless *h = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				  -1, 0);
	struct worker a = worker_start(), born;
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	uint64_t n;
	pid_t pid;
	int fd, i;

	CHECK(h != MAP_FAILED);
	cgroups_make();
	cgroup_move(a.pid, TOP);
	att = attach_cgroup(v, TOP);
	n = new_hits(s, &a, OP_EXEC_READ, 1000);
	CHECK(n >= 1000 && n < 1100);
	worker_do(&a, OP_LSEEK, 1);	/* it still read a file after its reads */
	CHECK_EQ(new_hits(s, &a, OP_READ, 1000), 1000);
	n = new_hits(s, &a, OP_VFORK_EXEC_READ, 1000);
	CHECK(n >= 1000 && n < 1100);

	/* by clone3(CLONE_INTO_CGROUP) of a process that is not in it */
	fd = open(SUB, O_RDONLY | O_DIRECTORY);
	CHECK(fd >= 0);
	born = worker_start_in(fd);
	close(fd);
	CHECK_EQ(new_hits(s, &born, OP_READ, 1000), 1000);
	worker_quit(&born);

	/* moves itself while it shares this process's memory, then calls execve */
	n = hits(s, 0);
	pid = vfork();
	if (!pid) {
		fd = open(TOP "/cgroup.procs", O_WRONLY);
		if (fd < 0 || write(fd, "0", 1) != 1)
			_exit(1);
		execl("/proc/self/exe", "kview-test", "--reads", "1000", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	n = hits(s, 0) - n;
	CHECK(n >= 1000 && n < 1100);
	n = hits(s, 0);
	reads(100);			/* this process was drawn in, and has left again */
	CHECK_EQ(hits(s, 0), n);
	pid = vfork();			/* the same, with no execve */
	if (!pid) {
		fd = open(TOP "/cgroup.procs", O_WRONLY);
		_exit(fd < 0 || write(fd, "0", 1) != 1);
	}
	waitpid(pid, NULL, 0);
	CHECK(stat_of(att).left >= 2);
	reads(100);
	CHECK_EQ(hits(s, 0), n);

	/* the process is there as long as one of its threads is */
	kview_attachment__free(att);
	pid = headless_start(h);
	att = attach_cgroup(v, TOP);
	n = hits(s, 0);
	__atomic_store_n(&h->go, 1, __ATOMIC_SEQ_CST);
	waitpid(pid, NULL, 0);
	CHECK_EQ(hits(s, 0) - n, 100);

	worker_quit(&a);
	cgroups_remove();		/* an attachment is no obstacle */
	for (i = 0; i < PATIENCE && stat_of(att).processes; i++)
		usleep(10000);
	CHECK_EQ(stat_of(att).processes, 0);
	figure("execve, vfork, CLONE_INTO_CGROUP, no main thread; the cgroup removed");
	kview_attachment__free(att);
	kview_view__free(v);
	kview_set__free(s);
}

/*
 * Processes fork all the time while the cgroup is attached.  Whoever starts when
 * it is attached does ten reads and says so; who starts earlier does none.
 */
struct storm {
	int go, attached, stop;
	long expected;
};

static void storm_leaf(struct storm *s)
{
	int zero = open("/dev/zero", O_RDONLY), i;
	char b;

	for (i = 0; i < 3; i++)
		sched_yield();
	if (__atomic_load_n(&s->attached, __ATOMIC_SEQ_CST)) {
		for (i = 0; i < 10; i++)
			if (read(zero, &b, 1) != 1)
				_exit(1);
		__atomic_add_fetch(&s->expected, 10, __ATOMIC_SEQ_CST);
	}
	_exit(0);
}

/* Two generations, so that a parent can be anywhere when it is attached. */
static void storm_parent(struct storm *s)
{
	pid_t child, leaf;

	while (!__atomic_load_n(&s->go, __ATOMIC_SEQ_CST))
		usleep(1000);
	while (!__atomic_load_n(&s->stop, __ATOMIC_SEQ_CST)) {
		child = fork();
		if (!child) {
			leaf = fork();
			if (!leaf)
				storm_leaf(s);
			waitpid(leaf, NULL, 0);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	_exit(0);
}

static void fork_races(void)
{
	enum { ROUNDS = 8, PARENTS = 3 };
	struct storm *storm = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	pid_t parent[PARENTS];
	int round, i;
	long sum = 0;

	CHECK(storm != MAP_FAILED);
	cgroups_make();
	for (round = 0; round < ROUNDS; round++) {
		uint64_t before = hits(s, 0);

		memset(storm, 0, sizeof(*storm));
		for (i = 0; i < PARENTS; i++) {
			parent[i] = fork();
			if (!parent[i])
				storm_parent(storm);
			cgroup_move(parent[i], TOP);
		}
		__atomic_store_n(&storm->go, 1, __ATOMIC_SEQ_CST);
		usleep(20000);
		att = attach_cgroup(v, TOP);
		__atomic_store_n(&storm->attached, 1, __ATOMIC_SEQ_CST);
		usleep(100000);
		__atomic_store_n(&storm->stop, 1, __ATOMIC_SEQ_CST);
		for (i = 0; i < PARENTS; i++)
			waitpid(parent[i], NULL, 0);
		CHECK_EQ(stat_of(att).join_failed, 0);
		CHECK_EQ(hits(s, 0) - before, storm->expected);
		sum += storm->expected;
		kview_attachment__free(att);
	}
	CHECK(sum > 0);
	cgroups_remove();
	figure("%d rounds of attaching during forks: %ld of %ld", ROUNDS, sum, sum);
	kview_view__free(v);
	kview_set__free(s);
}

/* A member that another attachment has in the same view stays there. */
static void elsewhere(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *w = view();
	struct kview_set *t = functions(w, "vfs_read", NULL);
	struct kview_attachment *att, *of_a = attach(w, a.pid, 0);

	cgroups_make();
	cgroup_move(a.pid, TOP);
	att = attach_cgroup(w, TOP);
	CHECK_EQ(stat_of(att).processes, 0);
	CHECK_EQ(stat_of(att).elsewhere, 1);
	cgroup_move(b.pid, TOP);
	CHECK_EQ(new_hits(t, &a, OP_READ, 100), 100);
	CHECK_EQ(new_hits(t, &b, OP_READ, 100), 100);
	CHECK_EQ(stat_of(att).processes, 1);
	/* free for the cgroup's attachment from the next look on */
	kview_attachment__free(of_a);
	cgroup_move(b.pid, SUB);
	CHECK_EQ(new_hits(t, &a, OP_READ, 100), 100);
	CHECK_EQ(stat_of(att).elsewhere, 0);
	/* closing the view puts everybody out */
	kview_view__free(w);
	CHECK_EQ(new_hits(t, &b, OP_READ, 100), 0);
	cgroup_move(b.pid, OTHER);
	cgroup_move(b.pid, TOP);
	CHECK_EQ(new_hits(t, &b, OP_READ, 100), 0);
	kview_attachment__free(att);
	worker_quit(&a);
	worker_quit(&b);
	cgroups_remove();
	figure("another attachment's process, then free; a closed view");
	kview_set__free(t);
}

/* All threads of the machine are looked at once for a whole cgroup, not for each process in it. */
static void flagged_once(void)
{
	enum { MANY = 20 };
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, "sys_enter");
	struct kview_attachment *att;
	struct worker w[MANY];
	int i, looks;

	cgroups_make();
	for (i = 0; i < MANY; i++) {
		w[i] = worker_start();
		cgroup_move(w[i].pid, TOP);
	}
	tracer_on("kview_syscalls_entered");
	att = attach_cgroup(v, TOP);
	looks = count_lines(TRACING "trace", ": kview_syscalls_entered ", NULL, NULL);
	tracer_off();
	CHECK_EQ(stat_of(att).processes, MANY);
	kview_attachment__free(att);
	for (i = 0; i < MANY; i++)
		worker_quit(&w[i]);
	cgroups_remove();
	kview_set__free(s);
	kview_view__free(v);
	figure("%d looks at all threads for %d processes", looks, MANY);
	CHECK(looks >= 1 && looks <= 2);
}

const struct test_case cases_cgroup[] = {
	{ "cgroup", members, PLAIN, 0, "processes of a cgroup, moved in and out" },
	{ "cgroup-arrivals", arrivals, ONCE, 0, "execve, vfork, CLONE_INTO_CGROUP" },
	{ "cgroup-fork-races", fork_races, ONCE, 0, "attaching a cgroup whose processes fork" },
	{ "cgroup-elsewhere", elsewhere, ONCE, 0, "members that another attachment of the view has" },
	{ "cgroup-flagged-once", flagged_once, ONCE, 0,
	  "attaching a cgroup looks through all threads once" },
	{ 0 },
};
