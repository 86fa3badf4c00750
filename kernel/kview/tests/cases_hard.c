// SPDX-License-Identifier: GPL-2.0
/* Rare moments: joins that come late, CPUs that come and go, memory that runs out. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness.h"

/* ---- a child that gets its first turn when attachment and view are closed ---- */

struct late {
	atomic_int ready, go, forked, closed;
};

/* As a real-time process it keeps its child from running, on the one CPU they have. */
static void late_parent(struct late *l)
{
	struct sched_param p = { .sched_priority = 10 };
	pid_t pid;

	close_range(3, ~0U, 0);
	pin_to(0, 0);
	l->ready = 1;
	while (!l->go)
		usleep(1000);
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &p));
	pid = fork();
	if (!pid)
		_exit(0);
	l->forked = 1;
	while (!l->closed)
		;
	CHECK(waitpid(pid, NULL, 0) == pid);
	_exit(0);
}

static void late_join(void)
{
	struct late *l = mmap(NULL, sizeof(*l), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			      -1, 0);
	int i, status;
	pid_t pid;

	CHECK(l != MAP_FAILED);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		figure("takes two CPUs");
		return;
	}
	pin_to(0, 1);
	for (i = 0; i < 5; i++) {
		struct kview_attachment *att;
		struct kview_view *v;
		struct kview_set *s;

		memset(l, 0, sizeof(*l));
		pid = fork();
		if (!pid)
			late_parent(l);
		while (!l->ready)
			usleep(1000);
		v = view();
		s = functions(v, "vfs_read", NULL);
		att = attach(v, pid, KVIEW_ATTACH_FORK);
		l->go = 1;
		while (!l->forked)
			usleep(1000);
		kview_attachment__free(att);
		kview_set__free(s);
		kview_view__free(v);
		l->closed = 1;
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK_EQ(status, 0);
	}
	figure("5 children ran when their view was gone");
}

/* ---- CPUs ---- */

static void cpu_hotplug(void)
{
	enum { N = 20000, ROUNDS = 6 };
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	int i;

	if (access(online, W_OK)) {
		figure("takes two CPUs");
		return;
	}
	for (i = 0; i < ROUNDS; i++) {
		/* attached with all CPUs or with one less, and the other way round later */
		write_file(online, i % 2 ? "0" : "1");
		att = attach(v, a.pid, 0);
		worker_begin(&a, OP_READ_MIGRATE, N);
		worker_begin(&b, OP_READ_MIGRATE, N);
		write_file(online, i % 2 ? "1" : "0");
		worker_wait(&a);
		worker_wait(&b);
		CHECK_EQ(hits(s, 0), (i + 1) * N);
		kview_attachment__free(att);
		worker_do(&a, OP_READ, 100);
		CHECK_EQ(hits(s, 0), (i + 1) * N);
	}
	write_file(online, "1");
	worker_quit(&a);
	worker_quit(&b);
	figure("%d of %d hits while a CPU came and went", ROUNDS * N, ROUNDS * N);
	kview_set__free(s);
	kview_view__free(v);
}

/* ---- memory ---- */

#define CGROUPS	"/sys/fs/cgroup/"
#define CGROUP	CGROUPS "kview-test/"

static long long cgroup_memory(void)
{
	FILE *f = fopen(CGROUP "memory.current", "r");
	long long n;

	CHECK(f && fscanf(f, "%lld", &n) == 1);
	fclose(f);
	return n;
}

static void enter_cgroup(void)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	write_file(CGROUP "cgroup.procs", pid);
}

/* What a view takes is its maker's, and comes back. */
static void charge(const uint64_t *addrs, uint32_t n)
{
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_view_stat st;
	struct kview_view *v;
	struct kview_set *s;
	long long before, with;

	enter_cgroup();
	before = cgroup_memory();
	v = view();
	s = kview_view__add_addresses(v, addrs, n, &skip);
	CHECK(s);
	CHECK_OK(kview_view__stat(v, &st));
	with = cgroup_memory() - before;
	/* every CPU may hold back some charges */
	if (with < (long long)st.memory * 3 / 4)
		fail(__FILE__, __LINE__, "%lld bytes charged of %llu", with,
		     (unsigned long long)st.memory);
	result(true, "memory-charged", "%lld KiB for %u sites, %llu KiB reported", with >> 10, n,
	       (unsigned long long)st.memory >> 10);
	_exit(0);
}

static int run_in_child(void (*run)(const uint64_t *, uint32_t), const uint64_t *addrs, uint32_t n)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		run(addrs, n);
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

/* Has a limit that all functions' sites do not fit in. */
static void glutton(const uint64_t *addrs, uint32_t n)
{
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };

	enter_cgroup();
	for (;;) {
		struct kview_view *v = kview_view__new(dev());

		if ((!v || !kview_view__add_addresses(v, addrs, n, &skip)) && errno != ENOMEM)
			fail(__FILE__, __LINE__, "all functions: %s", strerror(errno));
	}
}

static void memory_limit(void)
{
	enum { ROUNDS = 4 };
	char limit[16];
	const uint64_t *addrs;
	uint32_t n = all_functions(&addrs);
	int i, status;

	CHECK(n > 5000);
	write_file(CGROUPS "cgroup.subtree_control", "+memory");
	CHECK(!mkdir(CGROUP, 0755) || errno == EEXIST);
	CHECK_EQ(run_in_child(charge, addrs, 5000), 0);
	wait_nothing_left();
	for (i = 0; i < ROUNDS; i++) {
		snprintf(limit, sizeof(limit), "%dM", 3 + 2 * i);
		write_file(CGROUP "memory.max", limit);
		status = run_in_child(glutton, addrs, n);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			fail(__FILE__, __LINE__, "with %s it ended with status %#x", limit, status);
		wait_nothing_left();
	}
	rmdir(CGROUP);
	figure("%d clients killed for want of memory, nothing left", ROUNDS);
}

/* ---- each allocation of a call fails, the kernel's own included ---- */

struct nth {
	struct worker a;
	struct kview_view *v;
	struct kview_set *s;
	int prog;
};

static const char *const nth_names[] = { "vfs_read", "__x64_sys_lseek", "do_exit", "kernel_clone", "vfs_write" };
static const uint64_t nth_cookies[] = { 1, 2, 3, 4, 5 };

/* Each: 0, or an error; what it made is closed. */
static int nth_view(struct nth *n)
{
	struct kview_view *v = kview_view__new(dev());
	int err = v ? 0 : errno;

	(void)n;
	kview_view__free(v);
	return err;
}

static int nth_closed(struct kview_set *s)
{
	int err = s ? 0 : errno;

	kview_set__free(s);
	return err;
}

static int nth_functions(struct nth *n)
{
	return nth_closed(kview_view__add_functions(n->v, nth_names, ARRAY_SIZE(nth_names), NULL));
}

static int nth_tracepoint(struct nth *n)
{
	static const char *const tps[] = { "sys_enter", "sched_process_fork" };

	return nth_closed(kview_view__add_tracepoints(n->v, tps, 2, NULL));
}

static int nth_returns(struct nth *n)
{
	return nth_closed(kview_view__add_returns(n->v, nth_names, 1, NULL));
}

static int nth_program(struct nth *n)
{
	int err = -kview_set__add_prog(n->s, n->prog, 0, nth_cookies), ret;

	if (err)
		return err;
	ret = kview_set__del_prog(n->s, n->prog);
	/* removing the only one takes no memory */
	CHECK_EQ(ret, 0);
	return 0;
}

static int nth_attach(struct nth *n)
{
	struct kview_attachment *att = kview_view__attach(n->v, n->a.pid, KVIEW_ATTACH_FORK);
	int err = att ? 0 : errno;

	kview_attachment__free(att);
	return err;
}

static const struct {
	const char *name;
	int (*run)(struct nth *n);
} nth_calls[] = {
	{ "view", nth_view },
	{ "functions", nth_functions },
	{ "tracepoint", nth_tracepoint },
	{ "returns", nth_returns },
	{ "program", nth_program },
	{ "attach", nth_attach },
};

static void set_nth(int fd, int value)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", value);

	CHECK(pwrite(fd, text, len, 0) == len);
}

/* True: it has failed. */
static bool nth_failed(int fd)
{
	char text[16] = "";

	CHECK(pread(fd, text, sizeof(text) - 1, 0) > 0);
	return !atoi(text);
}

static void nth_one(struct nth *n, size_t call, int fd)
{
	struct kview_view_stat before, after;
	int i, err, failures = 0;

	CHECK_EQ(nth_calls[call].run(n), 0);
	CHECK_OK(kview_view__stat(n->v, &before));
	for (i = 1; i < 20000; i++) {
		set_nth(fd, i);
		err = nth_calls[call].run(n);
		if (!nth_failed(fd))
			break;
		failures += !!err;
		if (err && err != ENOMEM && err != EMFILE && err != ENFILE)
			fail(__FILE__, __LINE__, "%s, allocation %d: %s", nth_calls[call].name, i,
			     strerror(err));
		/* what could not be taken out for want of memory goes with the view */
		CHECK_OK(kview_view__stat(n->v, &after));
		CHECK_EQ(after.sets, before.sets);
		CHECK_EQ(after.processes, before.processes);
		/* the pool of returns is thousands of the same */
		if (i > 300)
			i += 97;
	}
	set_nth(fd, 0);
	CHECK(i < 20000);
	figure("%s%s %d (%d errors)", call ? ", " : "", nth_calls[call].name, i - 1, failures);
}

static void fail_nth(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" }, { "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" }, { "fail_page_alloc/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" }, { "fail_page_alloc/min-order", "0" },
	};
	int fd = open("/proc/thread-self/fail-nth", O_RDWR);
	char path[128];
	struct nth n;
	size_t i;

	if (fd < 0) {
		figure("this kernel has no fault injection");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", settings[i][0]);
		write_file(path, settings[i][1]);
	}
	n.a = worker_start();
	n.v = view();
	n.prog = bpf_prog_empty(PROG_KPROBE);
	n.s = functions(n.v, "vfs_read", "ksys_read", "ksys_write", "__x64_sys_lseek", "do_exit", NULL);
	for (i = 0; i < ARRAY_SIZE(nth_calls); i++)
		nth_one(&n, i, fd);
	worker_quit(&n.a);
}

const struct test_case cases_hard[] = {
	{ "late-join", late_join, ONCE, 0, "a child's first turn comes when its view is gone" },
	{ "cpu-hotplug", cpu_hotplug, ONCE, 0, "exact counts while a CPU comes and goes" },
	{ "memory-limit", memory_limit, ONCE, DMESG_ALLOC, "memory is charged; clients that exceed it" },
	{ "fail-nth", fail_nth, ONCE, DMESG_ALLOC, "each allocation of each call fails (debugging kernel)" },
	{ 0 },
};
