// SPDX-License-Identifier: GPL-2.0
/* Moments that are short: a hook, a fork, an execve, and what others do meanwhile. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "cgroups.h"
#include "harness.h"

/* Until the first of the set's sites was reached, n times in all. */
static void wait_for_hits(struct kview_set *s, uint64_t n)
{
	while (hits(s, 0) < n)
		;
}

/*
 * The process leaves the view while it is in a hook there.  The module's own site at
 * the same place has its turn after ours, which takes long.
 */
static void detach_in_hook(void)
{
	enum { ROUNDS = 3 };
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_set *s = functions(v, "wake_up_new_task", NULL);
	int i;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	for (i = 0; i < ROUNDS; i++) {
		if (!att)
			att = attach(v, a.pid, KVIEW_ATTACH_FORK);
		worker_begin(&a, OP_FORKS, 1);
		wait_for_hits(s, i + 1);
		kview_attachment__free(att);
		att = NULL;
		worker_wait(&a);
	}
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("%d times detached in the hook at a fork", ROUNDS);
}

/*
 * ... while it forks: its child has copied the flag that makes system calls slow, and
 * is to be woken when the view's hook there is gone.
 */
static void detach_in_fork(void)
{
	enum { ROUNDS = 3 };
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "cgroup_post_fork", NULL);
	struct kview_set *t = tracepoint(v, "sys_enter");
	struct kview_attachment *att;
	int i, map = bpf_map(), seen = bpf_map(), slow, fast;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	slow = bpf_kprobe_attach("vfs_read", bpf_prog_sum_flag(map));
	fast = bpf_kprobe_attach("vfs_read", bpf_prog_count(PROG_KPROBE, seen, 0));
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 10);
	CHECK(bpf_map_get(map) >= 10);		/* else nothing is proved below */
	kview_attachment__free(att);
	for (i = 0; i < ROUNDS; i++) {
		uint64_t flagged = bpf_map_get(map), reads = bpf_map_get(seen);

		att = attach(v, a.pid, 0);
		worker_begin(&a, OP_FORK_READ, 50);
		wait_for_hits(s, i + 1);
		kview_attachment__free(att);
		worker_wait(&a);
		CHECK(bpf_map_get(seen) >= reads + 50);
		CHECK_EQ(bpf_map_get(map), flagged);
	}
	close(slow);
	close(fast);
	worker_quit(&a);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(v);
	figure("%d times detached in a fork: the children's system calls are fast", ROUNDS);
}

/* Children that have a signal before their first instruction. */
static void fork_signalled(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_attach_stat st;

	worker_do(&a, OP_FORK_SIGNAL_READ, 50);
	CHECK_OK(kview_attachment__stat(att, &st));
	CHECK_EQ(st.join_failed, 0);
	CHECK_EQ(st.joined, 20);
	CHECK_EQ(hits(s, 0), 20 * 50);
	worker_quit(&a);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
	figure("20 children, signalled when they were forked: 1000 of 1000 hits");
}

/* Attached at any moment of one execve after the other. */
static void attach_exec(void)
{
	enum { ROUNDS = 8 };
	int i, before, after = 0, execs = repeats(20, 40);

	for (i = 0; i < ROUNDS; i++) {
		struct worker a = worker_start();
		struct kview_view *v = view();
		struct kview_set *s = functions(v, "begin_new_exec", NULL);
		struct kview_attachment *att;

		worker_begin(&a, OP_EXECS, execs);
		while (worker_done(&a) < 2)
			;
		att = attach(v, a.pid, KVIEW_ATTACH_EXEC);
		before = worker_done(&a);
		worker_wait(&a);
		/* one may have passed the site before it was there */
		if ((int)hits(s, 0) < execs - before - 1)
			fail(__FILE__, __LINE__, "%d hits of %d", (int)hits(s, 0), execs - before);
		after += execs - before;
		worker_quit(&a);
		kview_attachment__free(att);
		kview_set__free(s);
		kview_view__free(v);
	}
	CHECK(after > ROUNDS);
	figure("%d times attached, then %d execve", ROUNDS, after);
}

/*
 * The cgroup is attached while execve waits for another thread to go: past the place where the
 * view would have seen it, and still in the old memory.  We trace that thread, so it goes when
 * we have waited for it.
 */
static void attach_cgroup_exec(void)
{
	enum { READS = 3 };
	struct worker a = worker_start();
	struct kview_attachment *att;
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	siginfo_t ended = { 0 };

	cgroups_make();
	cgroup_move(a.pid, TOP);
	worker_begin(&a, OP_THREAD_EXEC_READ, READS);
	/* execve has ended it */
	CHECK(!waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT | __WALL));
	CHECK(ended.si_pid != a.pid);
	att = kview_view__attach_cgroup(v, TOP);
	CHECK(att);
	CHECK_EQ(hits(s, 0), 0);
	CHECK(waitpid(ended.si_pid, NULL, __WALL) == ended.si_pid);
	worker_wait(&a);
	CHECK(hits(s, 0) >= READS);
	worker_quit(&a);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
	cgroups_remove();
	figure("a cgroup attached in the middle of an execve: %d of %d hits", READS, READS);
}

static struct kview_view *edited;
static struct kview_set *added;

/* All of a region's pages become one: its text is changed in several steps. */
static void *add_to_region(void *unused)
{
	module_param_set("huge_min", "1");
	added = functions(edited, "kernel_clone", NULL);
	module_param_set("huge_min", "513");
	return unused;
}

/*
 * ... and others have just begun to use a tracepoint of the view: for that a grace period must
 * pass, which a slow program holds up.  A client of another view does not wait with it.
 */
static void edit_waits(void)
{
	struct worker slow = worker_start(), stays = worker_start(), other = worker_start();
	struct kview_view *v = view(), *theirs = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t;
	struct kview_set *u = functions(theirs, "vfs_write", NULL);
	struct kview_attachment *entered;
	int i, link, early = 0;
	pthread_t adder;

	module_param_set("huge_min", "513");
	edited = view();
	t = tracepoint(edited, "sched_process_fork");
	pin_to(slow.pid, 0);
	pin_to(stays.pid, 1);
	pin_to(other.pid, 1);
	pin_to(0, 1);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_slow(), 0, NULL));
	attach(v, slow.pid, 0);
	attach(edited, stays.pid, 0);
	for (i = 0; i < 3; i++) {
		link = bpf_raw_tracepoint_attach("sched_process_fork",
						 bpf_prog_empty(PROG_RAW_TRACEPOINT));
		worker_begin(&slow, OP_READ, 1);
		wait_for_hits(s, i + 1);
		CHECK(!pthread_create(&adder, NULL, add_to_region, NULL));
		usleep(20000);
		entered = attach(theirs, other.pid, 0);
		early += !worker_idle(&slow);
		worker_wait(&slow);
		CHECK(!pthread_join(adder, NULL));
		worker_do(&stays, OP_FORKS, 3);
		CHECK_EQ(hits(added, 0), 3);
		CHECK_EQ(hits(t, 0), 3 * (i + 1));
		kview_attachment__free(entered);
		kview_set__free(added);
		close(link);
	}
	worker_quit(&slow);
	worker_quit(&stays);
	worker_quit(&other);
	kview_set__free(u);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(theirs);
	kview_view__free(edited);
	kview_view__free(v);
	figure("another client entered while one waited to edit: %d of 3", early);
	CHECK_EQ(early, 3);
}

static struct kview_view *joining_view;
static struct kview_attachment *joining_att;

static void attach_cgroup_held(void)
{
	joining_att = kview_view__attach_cgroup(joining_view, TOP);
}

static void *move_out(void *pid)
{
	cgroup_move(*(pid_t *)pid, OTHER);
	return pid;
}

/*
 * Who joins waits for the lock of his memory, for as long as its holder likes: meanwhile processes are
 * moved between cgroups, into and out of views.
 */
static void cgroup_joining(void)
{
	struct worker joins = worker_start(), moved = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t;
	struct kview_attachment *other;
	struct kview_attach_stat st;
	pthread_t mover;
	struct held h;
	int i, still = 0;

	cgroups_make();
	cgroup_move(joins.pid, TOP);
	joining_view = view();
	t = functions(joining_view, "vfs_read", NULL);
	other = kview_view__attach_cgroup(v, OTHER);
	CHECK(other);
	held_begin_joining(&h, attach_cgroup_held);
	CHECK(!pthread_create(&mover, NULL, move_out, &moved.pid));
	for (i = 0; i < PATIENCE && pthread_tryjoin_np(mover, NULL); i++)
		usleep(10000);
	still = i < PATIENCE;
	if (still) {
		worker_do(&moved, OP_READ, 100);
		CHECK_EQ(hits(s, 0), 100);
	}
	held_end(&h);
	CHECK(still && joining_att);
	worker_do(&joins, OP_READ, 100);
	CHECK_EQ(hits(t, 0), 100);
	CHECK_OK(kview_attachment__stat(joining_att, &st));
	CHECK_EQ(st.processes, 1);
	worker_quit(&joins);
	worker_quit(&moved);
	kview_attachment__free(joining_att);
	kview_attachment__free(other);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(joining_view);
	kview_view__free(v);
	cgroups_remove();
	figure("moved into another view meanwhile: 100 of 100, and who waited: 100 of 100");
}

const struct test_case cases_race[] = {
	{ "detach-in-hook", detach_in_hook, ONCE, 0,
	  "a process leaves the view while it is in a hook" },
	{ "detach-in-fork", detach_in_fork, ONCE, 0,
	  "... while it forks: its child is as if never traced" },
	{ "fork-signalled", fork_signalled, ONCE, 0,
	  "a signal keeps no child from following" },
	{ "attach-exec", attach_exec, ONCE, 0,
	  "attached during execve, still in the view after it" },
	{ "attach-cgroup-exec", attach_cgroup_exec, ONCE, 0,
	  "... and so is a cgroup's process" },
	{ "cgroup-joining", cgroup_joining, ONCE, 0,
	  "who joins by a cgroup, and waits for that, holds up nobody who is moved" },
	{ "wait-edit", edit_waits, ONCE, 0,
	  "a client that must wait before it edits a view's text holds up no other" },
	{ 0 },
};
