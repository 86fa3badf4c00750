// SPDX-License-Identifier: GPL-2.0
/* Several clients of one process: each has its own sites, counts and end. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cgroups.h"
#include "harness.h"

static struct kview_attach_stat stat_of(struct kview_attachment *att)
{
	struct kview_attach_stat st;

	CHECK_OK(kview_attachment__stat(att, &st));
	return st;
}

/*
 * Calls in text that has a place which no view of the process has: what a client that has gone
 * would leave behind.
 */
static uint64_t calls_left_behind(struct worker *a, enum op op)
{
	uint64_t before = stat_now().rejected_elsewhere;

	worker_do(a, op, 100);
	return stat_now().rejected_elsewhere - before;
}

/*
 * A second pair of clients has a text of its own, which is not that of the first pair; of three
 * clients one goes, and his place with him.
 */
static void joint_texts(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view(), *w = view(), *x = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "read_zero", NULL);
	struct kview_set *u = functions(x, "__x64_sys_lseek", NULL);
	struct kview_attachment *third;

	attach(v, a.pid, 0);
	attach(w, a.pid, 0);
	attach(v, b.pid, 0);
	third = attach(x, b.pid, 0);
	worker_do(&a, OP_READ, 100);
	worker_do(&b, OP_READ, 100);
	worker_do(&b, OP_LSEEK, 100);
	CHECK_EQ(hits(s, 0), 200);
	CHECK_EQ(hits(t, 0), 100);
	CHECK_EQ(hits(u, 0), 100);
	attach(w, b.pid, 0);
	worker_do(&b, OP_LSEEK, 100);
	CHECK_EQ(hits(u, 0), 200);
	kview_attachment__free(third);
	CHECK_EQ(calls_left_behind(&b, OP_LSEEK), 0);
	worker_do(&b, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 300);
	CHECK_EQ(hits(t, 0), 200);
	CHECK_EQ(hits(u, 0), 200);
	kview_view__free(v);
	CHECK_EQ(calls_left_behind(&b, OP_LSEEK) + calls_left_behind(&b, OP_READ), 0);
	CHECK_EQ(hits(t, 0), 300);
	worker_quit(&a);
	worker_quit(&b);
	figure("two pairs of clients, three of a process, and nothing left of those who went");
}

/* Different places, and one that both have; who is in the views of both, of one, of none. */
static void two_clients(void)
{
	struct worker both = worker_start(), one = worker_start(), none = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", "__x64_sys_lseek", NULL);
	struct kview_set *t = functions(w, "vfs_read", "read_zero", NULL);
	struct kview_attachment *a = attach(v, both.pid, 0), *b = attach(w, both.pid, 0);
	struct kview_attachment *c = attach(w, one.pid, 0);
	int map = bpf_map(), of_w = bpf_map();
	struct kview_set_stat lost;
	struct kview_set *u;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_cookies(map), 3, NULL));
	CHECK_OK(kview_set__add_prog(t, bpf_prog_sum_cookies(of_w), 5, NULL));
	worker_do(&both, OP_READ_MIGRATE, 5000);
	worker_do(&both, OP_READ_THREADS, 500);
	worker_do(&both, OP_LSEEK, 300);
	worker_do(&one, OP_READ, 1000);
	worker_do(&none, OP_READ, 1000);
	CHECK_EQ(hits(s, 0), 7000);
	CHECK_EQ(hits(s, 1), 300);
	CHECK_EQ(hits(t, 0), 8000);
	CHECK_EQ(hits(t, 1), 8000);
	CHECK_EQ(bpf_map_get(map), 3 * 7300);
	CHECK_EQ(bpf_map_get(of_w), 5 * 16000);
	CHECK_EQ(stat_of(a).processes, 1);
	CHECK_EQ(stat_of(b).processes, 1);
	/* one more place of the one client's, for whoever is in his view, and without it again */
	u = functions(w, "ksys_read", NULL);
	worker_do(&both, OP_READ, 100);
	worker_do(&one, OP_READ, 100);
	CHECK_EQ(hits(u, 0), 200);
	kview_set__free(u);
	worker_do(&both, OP_READ, 900);
	worker_do(&one, OP_READ, 900);
	CHECK_EQ(hits(s, 0), 8000);
	CHECK_EQ(hits(t, 0), 10000);
	/* the first one goes, then the second stays alone */
	kview_attachment__free(a);
	worker_do(&both, OP_READ, 1000);
	CHECK_EQ(hits(s, 0), 8000);
	CHECK_EQ(hits(t, 0), 11000);
	kview_attachment__free(b);
	worker_do(&both, OP_READ, 1000);
	CHECK_EQ(hits(s, 0), 8000);
	CHECK_EQ(hits(t, 0), 11000);
	CHECK_OK(kview_set__stat(s, &lost));
	CHECK(!lost.lost_nested && !lost.lost_borrowed);
	worker_quit(&both);
	worker_quit(&one);
	worker_quit(&none);
	figure("8000 of 8000 and 11000 of 11000, a third process 0");
	kview_attachment__free(c);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
}

static void *others_sets(void *view)
{
	struct kview_set *s;
	int i;

	for (i = 0; i < 20; i++) {
		s = functions(view, "ksys_read", "kernel_clone", NULL);
		kview_set__free(s);
	}
	return NULL;
}

/*
 * While one client counts each read of a process that runs, another comes and goes, and sets come
 * and go, in this order of those that stay and in the other; @huge: with pages of two sizes.
 */
static void disturb(const char *huge, bool first_stays)
{
	enum { READS = 60000, ROUNDS = 10 };
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t;
	struct kview_attachment *stays = NULL, *goes;
	pthread_t sets;
	int i;

	module_param_set("huge_min", huge);
	t = functions(w, "vfs_read", "do_exit", NULL);
	module_param_set("huge_min", "256");
	if (first_stays)
		stays = attach(v, a.pid, 0);
	goes = attach(w, a.pid, 0);
	if (!stays)
		stays = attach(v, a.pid, 0);
	worker_begin(&a, OP_READ_MIGRATE, READS);
	CHECK(!pthread_create(&sets, NULL, others_sets, first_stays ? v : w));
	for (i = 0; i < ROUNDS; i++) {
		kview_attachment__free(goes);
		goes = attach(w, a.pid, 0);
	}
	CHECK(!pthread_join(sets, NULL));
	worker_wait(&a);
	CHECK_EQ(hits(s, 0), READS);
	worker_quit(&a);
	kview_attachment__free(goes);
	kview_attachment__free(stays);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
}

static void undisturbed(void)
{
	disturb("513", true);
	disturb("513", false);
	disturb("1", true);
	disturb("1", false);
	figure("4 times 60000 of 60000 while the other client came, went and changed its sets");
}

/* A client that is killed at any moment leaves the other as it was. */
static void other_killed(void)
{
	enum { READS = 20000 };
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	unsigned int seed = 1;
	int i;

	for (i = 1; i <= 10; i++) {
		pid_t pid = fork();

		if (!pid) {
			close_range(3, ~0U, 0);
			for (;;) {
				struct kview_view *w = kview_view__new(kview__open());
				const char *names[] = { "vfs_read", "ksys_read" };

				kview_view__add_functions(w, names, 2, NULL);
				kview_view__attach(w, a.pid, KVIEW_ATTACH_FORK);
				usleep(2000);
				kview_view__free(w);
			}
		}
		worker_begin(&a, OP_READ_MIGRATE, READS);
		usleep(rand_r(&seed) % 60000);
		kill(pid, SIGKILL);
		CHECK(waitpid(pid, NULL, 0) == pid);
		worker_wait(&a);
		CHECK_EQ(hits(s, 0), (long)i * READS);
	}
	worker_quit(&a);
	figure("10 clients killed, %d of %d hits", 10 * READS, 10 * READS);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
}

/* One order under the policies of two clients; the hits at a place of its own for each. */
static void under(enum op op, uint32_t flags, uint32_t flags2, uint64_t *n, uint64_t *m)
{
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "read_zero", NULL);
	struct kview_attachment *b = attach(v, a.pid, flags), *c = attach(w, a.pid, flags2);

	worker_do(&a, op, 1000);
	*n = hits(s, 0);
	*m = hits(t, 0);
	CHECK_EQ(stat_of(b).join_failed, 0);
	CHECK_EQ(stat_of(c).join_failed, 0);
	worker_quit(&a);
	kview_attachment__free(b);
	kview_attachment__free(c);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
}

/* What becomes of children and programs is for each client to say. */
static void joint_policies(void)
{
	enum { FORK = KVIEW_ATTACH_FORK, EXEC = KVIEW_ATTACH_EXEC };
	static const uint32_t flags[][2] = { { FORK, 0 }, { 0, FORK }, { FORK, FORK },
					     { EXEC, 0 }, { 0, EXEC }, { EXEC, EXEC },
					     { FORK | EXEC, EXEC }, { FORK, EXEC } };
	uint64_t n, m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		const uint32_t *f = flags[i];

		under(OP_FORK_READ, f[0], f[1], &n, &m);
		CHECK_EQ(n, f[0] & FORK ? 1000 : 0);
		CHECK_EQ(m, f[1] & FORK ? 1000 : 0);
		under(OP_EXEC_READ, f[0], f[1], &n, &m);
		/* what execve itself reads comes on top */
		CHECK(f[0] & EXEC ? n >= 1000 && n < 1100 : n < 100);
		CHECK_EQ(m, f[1] & EXEC ? 1000 : 0);
	}
	/* a child by vfork stays where both are asked for */
	under(OP_VFORK_EXEC_READ, FORK | EXEC, EXEC, &n, &m);
	CHECK(n >= 1000 && n < 1100);
	CHECK_EQ(m, 0);
	figure("%zu pairs of flags, by fork and by execve", ARRAY_SIZE(flags));
}

/* A process that one client has by its number and another by its cgroup. */
static void joint_cgroup(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "vfs_read", NULL);
	struct kview_attachment *of_a = attach(v, a.pid, KVIEW_ATTACH_FORK), *att;

	cgroups_make();
	cgroup_move(a.pid, TOP);
	att = kview_view__attach_cgroup(w, TOP);
	CHECK(att);
	CHECK_EQ(stat_of(att).processes, 1);
	CHECK_EQ(stat_of(att).elsewhere, 0);
	cgroup_move(b.pid, TOP);
	worker_do(&a, OP_READ, 100);
	worker_do(&b, OP_READ, 100);
	worker_do(&a, OP_FORK_READ, 100);
	CHECK_EQ(hits(s, 0), 200);
	CHECK_EQ(hits(t, 0), 300);
	/* moved out of the one, it stays in the other */
	cgroup_move(a.pid, OTHER);
	CHECK_EQ(stat_of(att).left, 1);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 300);
	CHECK_EQ(hits(t, 0), 300);
	cgroup_move(a.pid, SUB);
	kview_attachment__free(of_a);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 300);
	CHECK_EQ(hits(t, 0), 400);
	kview_attachment__free(att);
	worker_quit(&a);
	worker_quit(&b);
	cgroups_remove();
	figure("300 of 300 by number, 400 of 400 by cgroup");
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
}

/* Returns, tracepoints, trace events, system calls and filters of two clients. */
static void joint_kinds(void)
{
	static const char *const read[] = { "vfs_read" }, *const seek[] = { "__x64_sys_lseek" };
	static const char *const event[] = { "sched:sched_process_fork" }, *const clone[] = { "kernel_clone" };
	struct kview_set_opts filter = { .flags = KVIEW_SET_FILTER };
	struct worker a = worker_start(), b = worker_start();
	struct kview_attachment *att[2];
	struct kview_set *ret[2], *fork[2], *ev[2], *call[2], *seeks;
	struct kview_view *v[2];
	int map[2], i;

	for (i = 0; i < 2; i++) {
		v[i] = view();
		map[i] = bpf_map();
		ret[i] = kview_view__add_returns(v[i], read, 1, NULL);
		fork[i] = tracepoint(v[i], "sched_process_fork");
		ev[i] = kview_view__add_events(v[i], event, 1, NULL);
		call[i] = tracepoint(v[i], "sys_enter");
		CHECK(ret[i] && ev[i]);
		CHECK_OK(kview_set__add_prog(ret[i], bpf_prog_sum_reg(map[i], 80 /* ax */), 0, NULL));
		CHECK_OK(kview_set__add_prog(call[i], bpf_prog_count_syscall(map[i], 8 /* lseek */),
					     0, NULL));
	}
	seeks = kview_view__add_functions(v[1], seek, 1, &filter);
	CHECK(seeks && kview_view__add_functions(v[0], clone, 1, &filter));
	for (i = 0; i < 2; i++)
		att[i] = attach(v[i], a.pid, 0);
	worker_do(&a, OP_READ_MIGRATE, 2000);
	worker_do(&a, OP_FORKS, 20);
	worker_do(&a, OP_LSEEK, 300);
	worker_do(&b, OP_READ, 300);
	worker_do(&b, OP_LSEEK, 300);
	for (i = 0; i < 2; i++) {
		CHECK_EQ(hits(ret[i], 0), 2000);
		CHECK_EQ(hits(fork[i], 0), 20);
		CHECK_EQ(hits(ev[i], 0), 20);
		CHECK_EQ(bpf_map_get(map[i]), 2300);
	}
	CHECK_EQ(hits(seeks, 0), 300);
	/* the flag for system calls and the filter's mark are for who stays */
	kview_attachment__free(att[0]);
	worker_do(&a, OP_LSEEK, 100);
	CHECK_EQ(bpf_map_get(map[0]), 2300);
	CHECK_EQ(bpf_map_get(map[1]), 2400);
	CHECK_EQ(hits(seeks, 0), 400);
	att[0] = attach(v[0], a.pid, 0);
	kview_attachment__free(att[1]);
	worker_do(&a, OP_LSEEK, 100);
	CHECK_EQ(bpf_map_get(map[0]), 2400);
	CHECK_EQ(bpf_map_get(map[1]), 2400);
	CHECK_EQ(hits(seeks, 0), 400);
	worker_quit(&a);
	worker_quit(&b);
	figure("returns, tracepoints, events, system calls and a filter exact for two");
	for (i = 0; i < 2; i++)
		kview_view__free(v[i]);
	kview_attachment__free(att[0]);
}

const struct test_case cases_joint[] = {
	{ "two-clients", two_clients, ONCE, 0, "one process in two views: each counts its own sites" },
	{ "two-clients-texts", joint_texts, ONCE, 0,
	  "each combination of clients has its own text, without the places of who has gone" },
	{ "two-clients-undisturbed", undisturbed, ONCE, 0,
	  "no call is lost while the other client comes, goes and changes its sets" },
	{ "two-clients-killed", other_killed, ONCE, 0, "the other client is killed at random moments" },
	{ "two-clients-policies", joint_policies, ONCE, 0, "fork and execve under the flags of two" },
	{ "two-clients-cgroup", joint_cgroup, ONCE, 0, "one by number, the other by cgroup" },
	{ "two-clients-kinds", joint_kinds, ONCE, 0, "sites of all kinds, in both" },
	{ 0 },
};
