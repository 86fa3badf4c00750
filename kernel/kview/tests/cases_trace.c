// SPDX-License-Identifier: GPL-2.0
/* Static tracepoints. */
#include <stdlib.h>

#include "harness.h"

#define TP	"sched_process_fork"
#define EVENT	TRACING "events/sched/" TP "/enable"
#define N	20

static int traced(struct worker *w)
{
	char comm[32];

	snprintf(comm, sizeof(comm), "-%d ", w->pid);
	return count_lines(TRACING "trace", comm, TP, NULL);
}

static void both_fork(struct worker *a, struct worker *b)
{
	worker_begin(a, OP_FORKS, N);
	worker_begin(b, OP_FORKS, N);
	worker_wait(a);
	worker_wait(b);
}

static void in_view_only(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, TP);
	int map = bpf_map();

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_RAW_TRACEPOINT, map, 0), 0, NULL));
	attach(v, a.pid, 0);
	both_fork(&a, &b);
	CHECK_EQ(hits(s, 0), N);
	CHECK_EQ(bpf_map_get(map), N);
	worker_quit(&a);
	worker_quit(&b);
	figure("%d of %d, 0 of the other process's", N, N);
	kview_view__free(v);
	kview_set__free(s);
}

/* Others enable and disable the same tracepoint, as if the view were not there. */
static void with_others(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, TP);
	struct kview_attachment *att = attach(v, a.pid, 0);
	int map = bpf_map(), link;

	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(EVENT, "1");		/* one probe: a direct call */
	both_fork(&a, &b);
	CHECK_EQ(traced(&a), N);
	CHECK_EQ(traced(&b), N);
	CHECK_EQ(hits(s, 0), N);

	/* two probes: through the iterator */
	link = bpf_raw_tracepoint_attach(TP, bpf_prog_count(PROG_RAW_TRACEPOINT, map, 0));
	both_fork(&a, &b);
	CHECK_EQ(bpf_map_get(map), 2 * N);
	CHECK_EQ(traced(&a), 2 * N);
	CHECK_EQ(hits(s, 0), 2 * N);

	/* leaving and coming back while they are there */
	kview_attachment__free(att);
	both_fork(&a, &b);
	CHECK_EQ(hits(s, 0), 2 * N);
	att = attach(v, a.pid, 0);
	both_fork(&a, &b);
	CHECK_EQ(hits(s, 0), 3 * N);
	CHECK_EQ(bpf_map_get(map), 6 * N);

	write_file(EVENT, "0");
	close(link);
	write_file(TRACING "trace", "");
	both_fork(&a, &b);
	CHECK_EQ(traced(&a), 0);
	CHECK_EQ(hits(s, 0), 4 * N);
	worker_quit(&a);
	worker_quit(&b);
	figure("one probe, two probes, none: all exact");
	kview_attachment__free(att);
	kview_view__free(v);
	kview_set__free(s);
}

#define SYSCALLS	TRACING "events/raw_syscalls/sys_enter/enable"

/*
 * The others' last probe is gone, and calls are missed until the module has set the flag again.
 * Returns how many were counted: from the first one on all are.
 */
static long wait_flagged(struct worker *w, int map)
{
	uint64_t before = bpf_map_get(map);
	int i;

	for (i = 0; i < PATIENCE && bpf_map_get(map) == before; i++) {
		usleep(10000);
		worker_do(w, OP_LSEEK, 1);
	}
	return bpf_map_get(map) - before;
}

/* Does the thread take the slow way through system calls?  Its cost would show it. */
static void syscalls(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	int map = bpf_map(), i;
	struct kview_attachment *att = attach(v, a.pid, 0);
	struct kview_set *s = tracepoint(v, "sys_enter"), *t = tracepoint(v, "sys_exit");
	uint64_t n;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count_syscall(map, 8 /* lseek */), 0, NULL));
	worker_begin(&a, OP_LSEEK, 1000);
	worker_begin(&b, OP_LSEEK, 1000);
	worker_wait(&a);
	worker_wait(&b);
	CHECK_EQ(bpf_map_get(map), 1000);
	CHECK(hits(s, 0) >= 1000 && hits(s, 0) < 1010);
	CHECK(hits(t, 0) >= 1000 && hits(t, 0) < 1010);

	/* threads are in, children that do not inherit are not */
	n = hits(t, 0);
	worker_do(&a, OP_READ_THREADS, 1000);
	CHECK(hits(t, 0) >= n + 4000);
	n = hits(t, 0);
	worker_do(&a, OP_FORK_READ, 1000);
	CHECK(hits(t, 0) < n + 50);

	/* others come and go */
	for (i = 0; i < 3; i++) {
		write_file(SYSCALLS, "1");
		worker_do(&a, OP_LSEEK, 100);
		CHECK_EQ(bpf_map_get(map), 1000 + (2 * i + 1) * 100);
		write_file(SYSCALLS, "0");
		n = wait_flagged(&a, map);
		worker_do(&a, OP_LSEEK, 100 - n);
		CHECK_EQ(bpf_map_get(map), 1000 + (2 * i + 2) * 100);
	}
	kview_attachment__free(att);
	n = hits(s, 0);		/* not before: the worker may be on its way to its next read() */
	worker_do(&a, OP_LSEEK, 1000);
	CHECK_EQ(hits(s, 0), n);
	worker_quit(&a);
	worker_quit(&b);
	figure("1000 of 1000 system calls, 0 of the other process's; others come and go");
	kview_view__free(v);
	kview_set__free(s);
	kview_set__free(t);
}

/* How many of the kernel's tracepoints have a form that is understood. */
static void coverage(void)
{
	static const char *const common[] = {
		"sched_switch", "sched_waking", "sched_wakeup", "sched_process_fork",
		"sched_migrate_task", "signal_deliver", "signal_generate", "kmalloc", "kfree",
		"mm_page_alloc", "mm_page_free", "block_rq_issue", "net_dev_xmit", "netif_rx",
		"sock_exceed_buf_limit", "tcp_probe", "page_fault_user", "softirq_raise",
		"timer_start", "hrtimer_start", "task_newtask", "cgroup_attach_task",
		"contention_begin", "contention_end", "vmscan_throttled",
	};
	struct kview_view *v = view();
	char missed[512] = "";
	size_t i, ok = 0;

	for (i = 0; i < ARRAY_SIZE(common); i++) {
		struct kview_set *s = kview_view__add_tracepoints(v, &common[i], 1, NULL);

		if (s) {
			ok++;
			kview_set__free(s);
			continue;
		}
		if (errno != ENOENT && errno != EADDRNOTAVAIL)
			fail(__FILE__, __LINE__, "%s: %s", common[i], strerror(errno));
		snprintf(missed + strlen(missed), sizeof(missed) - strlen(missed), " %s(%s)",
			 common[i], errno == ENOENT ? "no such" : "form");
	}
	CHECK(ok >= 18);
	figure("%zu of %zu%s%s", ok, ARRAY_SIZE(common), *missed ? "; not:" : "", missed);
	kview_view__free(v);
}

const struct test_case cases_trace[] = {
	{ "tracepoint", in_view_only, PLAIN, 0, "a tracepoint fires in the view only" },
	{ "tracepoint-others", with_others, PLAIN, 0, "... while others use the same tracepoint" },
	{ "syscalls", syscalls, PLAIN, 0, "sys_enter and sys_exit in the view only" },
	{ "tracepoint-forms", coverage, ONCE, 0, "which tracepoints can be used" },
	{ 0 },
};
