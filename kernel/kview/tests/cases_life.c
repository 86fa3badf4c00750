// SPDX-License-Identifier: GPL-2.0
/* Fork, execve, exit, detach, and clients that die. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness.h"

/* One order under one policy; returns the hits at vfs_read. */
static uint64_t with_policy(enum op op, uint32_t flags, struct kview_attach_stat *st)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, flags);
	uint64_t n;
	int i;

	worker_do(&a, op, 1000);
	n = hits(s, 0);
	/* an address space that ended is taken apart a moment later */
	for (i = 0; i < PATIENCE; i++) {
		CHECK_OK(kview_attachment__stat(att, st));
		if (st->processes <= (op != OP_EXEC_READ || flags))
			break;
		usleep(10000);
	}
	CHECK_EQ(st->join_failed, 0);
	/* who forks stays */
	if (op == OP_FORK_READ || op == OP_VFORK_EXEC_READ) {
		worker_do(&a, OP_READ, 100);
		CHECK_EQ(hits(s, 0), n + 100);
	}
	worker_quit(&a);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
	return n;
}

static void fork_policy(void)
{
	struct kview_attach_stat st;

	CHECK_EQ(with_policy(OP_FORK_READ, 0, &st), 0);
	CHECK_EQ(st.joined, 0);
	CHECK_EQ(with_policy(OP_FORK_READ, KVIEW_ATTACH_FORK, &st), 1000);
	CHECK_EQ(st.joined, 1);
	figure("not inherited: 0 of 1000, inherited: 1000 of 1000");
}

static void exec_policy(void)
{
	struct kview_attach_stat st;
	uint64_t n;

	/* what execve itself reads comes on top */
	n = with_policy(OP_EXEC_READ, 0, &st);
	CHECK(n < 100);
	CHECK_EQ(st.joined, 0);
	CHECK_EQ(st.processes, 0);
	n = with_policy(OP_EXEC_READ, KVIEW_ATTACH_EXEC, &st);
	CHECK(n >= 1000 && n < 1100);
	CHECK_EQ(st.joined, 1);
	CHECK_EQ(st.processes, 1);
	figure("kept: %d of 1000 and what execve reads", (int)n);
}

static void vfork_exec_policy(void)
{
	enum { BOTH = KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC };
	static const uint32_t flags[] = { 0, KVIEW_ATTACH_FORK, KVIEW_ATTACH_EXEC, BOTH };
	struct kview_attach_stat st;
	struct kview_info info;
	uint64_t n = 0;
	size_t i;

	CHECK_OK(kview__info(dev(), &info));
	CHECK(info.features & KVIEW_FEATURE_VFORK);
	/* until its execve the child shares the memory, so it is in the view; then as one of fork is */
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		n = with_policy(OP_VFORK_EXEC_READ, flags[i], &st);
		CHECK(flags[i] == BOTH ? n >= 1000 && n < 1100 : n < 100);
		CHECK_EQ(st.joined, flags[i] == BOTH);
		CHECK_EQ(st.processes, 1);
	}
	figure("a child stays with both flags alone: %d of 1000 and what execve reads", (int)n);
}

static void many_forks(void)
{
	int forks = repeats(100, 300);
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_attach_stat st;

	worker_do(&a, OP_FORKS, forks);
	CHECK_OK(kview_attachment__stat(att, &st));
	CHECK_EQ(st.joined, forks);
	CHECK_EQ(st.join_failed, 0);
	worker_quit(&a);
	figure("%d children joined and left", forks);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
}

static void detach_running(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	uint64_t n;
	int i;

	for (i = 0; i < 20; i++) {
		worker_begin(&a, OP_READ_MIGRATE, 30000);
		att = attach(v, a.pid, 0);
		kview_attachment__free(att);
		n = hits(s, 0);
		worker_wait(&a);
		CHECK_EQ(hits(s, 0), n);	/* none after the detach */
	}
	worker_quit(&a);
	figure("20 rounds; the last detach took %llu us",
	       (unsigned long long)stat_now().detach_ns / 1000);
	kview_set__free(s);
	kview_view__free(v);
}

static void exit_attached(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	struct kview_attach_stat st;
	struct worker a;
	int i;

	for (i = 0; i < 20; i++) {
		a = worker_start();
		att = attach(v, a.pid, 0);
		if (i % 2) {
			worker_begin(&a, OP_READ, 100000000);
			kill(a.pid, SIGKILL);
			CHECK(waitpid(a.pid, NULL, 0) == a.pid);
		} else {
			worker_quit(&a);
		}
		if (i % 3) {
			kview_attachment__free(att);
			continue;
		}
		do {
			CHECK_OK(kview_attachment__stat(att, &st));
		} while (st.processes && !usleep(1000));
		kview_attachment__free(att);
	}
	figure("20 processes ended or were killed");
	kview_set__free(s);
	kview_view__free(v);
}

/* Every order of closing the three kinds of fd, with the process running. */
static void close_orders(void)
{
	static const int order[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	struct worker a = worker_start();
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		struct kview_view *v = view();
		struct kview_set *s = functions(v, "vfs_read", NULL);
		int prog = bpf_prog_empty(PROG_KPROBE);
		struct kview_attachment *att;

		CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
		close(prog);
		worker_begin(&a, OP_READ, 20000);
		att = attach(v, a.pid, KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC);
		for (j = 0; j < 3; j++)
			switch (order[i][j]) {
			case 0:
				kview_view__free(v);
				break;
			case 1:
				kview_set__free(s);
				break;
			case 2:
				kview_attachment__free(att);
				break;
			}
		worker_wait(&a);
	}
	worker_quit(&a);
	figure("6 orders");
}

static void closed_view(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, 0);
	struct kview_attach_stat st;
	uint64_t n = hits(s, 0);

	kview_view__free(v);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), n);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, NULL), -ENODEV);
	CHECK_OK(kview_attachment__stat(att, &st));
	CHECK_EQ(st.processes, 0);
	worker_quit(&a);
	figure("detached at once, sets answer ENODEV");
	kview_set__free(s);
	kview_attachment__free(att);
}

/* The kernel tells of changes to all of the memory, too: they are not its end. */
static void invalidated(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, 0);
	struct kview_attach_stat st;
	char path[64];
	pid_t other;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/clear_refs", a.pid);
	for (i = 0; i < 20; i++)
		write_file(path, "4");	/* soft-dirty bits */
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 100);
	CHECK_OK(kview_attachment__stat(att, &st));
	CHECK_EQ(st.processes, 1);
	kview_attachment__free(att);
	other = fork();
	if (!other)
		for (;;)
			write_file(path, "4");
	for (i = 0; i < 100; i++) {
		att = attach(v, a.pid, 0);
		worker_do(&a, OP_READ, 1);
		kview_attachment__free(att);
	}
	kill(other, SIGKILL);
	CHECK(waitpid(other, NULL, 0) == other);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 200);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("100 times attached and detached meanwhile: 200 of 200");
}

/* A client that is killed at any moment leaves nothing behind. */
static void client_killed(void)
{
	struct worker a = worker_start();
	unsigned int seed = 1, i;
	pid_t pid;

	for (i = 0; i < 40; i++) {
		pid = fork();
		if (!pid)
			for (;;) {
				struct kview_view *v = kview_view__new(kview__open());
				const char *names[] = { "vfs_read", "ksys_read" };
				struct kview_set *s = kview_view__add_functions(v, names, 2, NULL);

				kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, NULL);
				kview_view__attach(v, a.pid, KVIEW_ATTACH_FORK);
				usleep(2000);
				kview_view__free(v);
				kview_set__free(s);
			}
		worker_begin(&a, OP_READ, 3000);
		usleep(rand_r(&seed) % 60000);
		kill(pid, SIGKILL);
		CHECK(waitpid(pid, NULL, 0) == pid);
		worker_wait(&a);
	}
	worker_quit(&a);
	figure("40 clients killed");
}

#define SUID_COPY	"/tmp/kview-suid"

static void copy_of_this(mode_t mode)
{
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(SUID_COPY, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	char buf[65536];
	ssize_t n;

	CHECK(in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		CHECK(write(out, buf, n) == n);
	CHECK(!fchmod(out, mode));
	close(in);
	close(out);
}

static void set_caps(uint32_t high)
{
	struct __user_cap_header_struct hdr = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { { 0 }, { high, high, 0 } };

	CHECK(!syscall(SYS_capset, &hdr, caps));
}

/* What a user with CAP_BPF and CAP_PERFMON sees of its child's program; its exit code. */
static int plain_user(void)
{
	uint32_t caps = 1U << (CAP_BPF - 32) | 1U << (CAP_PERFMON - 32);
	struct kview_attach_stat st;
	struct kview_attachment *a;
	struct kview_view *v;
	struct kview_set *s;
	int ready[2], go[2], status;
	uint64_t n;
	pid_t pid;
	char c;

	CHECK(!prctl(PR_SET_KEEPCAPS, 1) && !setresgid(1000, 1000, 1000) &&
	      !setresuid(1000, 1000, 1000) && !pipe(ready) && !pipe(go));
	set_caps(caps);
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
	pid = fork();
	if (!pid) {
		set_caps(0);
		prctl(PR_SET_DUMPABLE, 1);
		CHECK(write(ready[1], "", 1) == 1);
		CHECK(read(go[0], &c, 1) == 1);
		execl(SUID_COPY, "kview-test", "--reads", "5000", NULL);
		_exit(9);
	}
	CHECK(read(ready[0], &c, 1) == 1);	/* it has the caller's capabilities no more */
	v = view();
	s = functions(v, "vfs_read", NULL);
	a = attach(v, pid, KVIEW_ATTACH_EXEC);
	CHECK(write(go[1], "", 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	n = hits(s, 0);
	CHECK_OK(kview_attachment__stat(a, &st));
	return n >= 5000 ? 1 : st.join_failed == 1 ? 2 : 3;
}

static int in_plain_user(void)
{
	pid_t pid = fork();
	int status;

	CHECK(pid >= 0);
	if (!pid)
		_exit(plain_user());
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void setuid_program(void)
{
	copy_of_this(0755);
	CHECK_EQ(in_plain_user(), 1);
	copy_of_this(04755);
	CHECK_EQ(in_plain_user(), 2);
	unlink(SUID_COPY);
	figure("a plain program is followed, a setuid one is not");
}

const struct test_case cases_life[] = {
	{ "setuid-program", setuid_program, ONCE, 0,
	  "execve of a program with other rights leaves the view of who may not trace it" },
	{ "fork", fork_policy, PLAIN, 0, "a child inherits the view only when asked to" },
	{ "exec", exec_policy, PLAIN, 0, "execve leaves the view unless asked to keep it" },
	{ "vfork-exec", vfork_exec_policy, ONCE, 0, "the same by way of vfork" },
	{ "many-forks", many_forks, ONCE, 0, "many short-lived children" },
	{ "detach-running", detach_running, ONCE, 0, "no hit after a detach returned" },
	{ "exit-attached", exit_attached, ONCE, 0, "processes end or are killed in a view" },
	{ "close-orders", close_orders, ONCE, 0, "fds closed in every order" },
	{ "closed-view", closed_view, ONCE, 0, "closing the view fd detaches everybody" },
	{ "invalidated", invalidated, ONCE, 0,
	  "changes to all of a process's memory are not its end" },
	{ "client-killed", client_killed, ONCE, 0, "the tracing client is killed at random moments" },
	{ 0 },
};
