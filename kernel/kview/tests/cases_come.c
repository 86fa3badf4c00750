// SPDX-License-Identifier: GPL-2.0
/* Processes come into a view and leave it, and there is no memory for that. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "cgroups.h"
#include "harness.h"

static struct kview_attach_stat wait_for_move(struct kview_attachment *att, uint32_t processes,
					      uint32_t join_failed)
{
	struct kview_attach_stat st;
	int i;

	for (i = 0; i < PATIENCE; i++) {
		CHECK_OK(kview_attachment__stat(att, &st));
		if (st.processes == processes || st.join_failed != join_failed)
			break;
		usleep(10000);
	}
	return st;
}

/* A process is moved into the cgroup and out of it: nobody is there to be told of an error. */
static void move_failures(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	struct kview_attach_stat st = { 0 };
	uint32_t failures = 0;
	bool failed;
	int nth = 1;

	cgroups_make();
	att = kview_view__attach_cgroup(v, TOP);
	CHECK(att);
	do {
		/* when it left, a look that was still going on may have been the one without memory */
		CHECK_OK(kview_attachment__stat(att, &st));
		failures = st.join_failed;
		fail_at(nth);
		cgroup_move(a.pid, TOP);
		st = wait_for_move(att, 1, failures);
		failed = fail_over();
		if (st.processes != 1) {
			/* counted, and made good at the next look */
			CHECK_EQ(st.join_failed, failures + 1);
			cgroup_move(a.pid, SUB);
			st = wait_for_move(att, 1, failures + 1);
		}
		/* or by a look that was still going on */
		CHECK_EQ(st.processes, 1);
		CHECK(st.join_failed <= failures + 1);
		failures = st.join_failed;
		worker_do(&a, OP_READ, 10);
		CHECK_EQ(hits(s, 0), 10 * nth);
		/* leaving takes no memory, but for being told at once that somebody left */
		fail_at(1);
		cgroup_move(a.pid, OTHER);
		st = wait_for_move(att, 0, failures);
		fail_over();
		CHECK_EQ(st.processes, 0);
		worker_do(&a, OP_READ, 10);
		CHECK_EQ(hits(s, 0), 10 * nth);
		nth++;
	} while (failed && nth < 50);
	CHECK(failures >= 2 && nth < 50);
	kview_attachment__free(att);
	worker_quit(&a);
	cgroups_remove();
	figure("%d allocations, %u counted as failed to join", nth - 2, failures);
	kview_set__free(s);
	kview_view__free(v);
}

/* A child that stays outside has its parent's flag, by which system calls are slow. */
static void leave_by_fork(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, "sys_enter");
	int map = bpf_map(), probe, i;

	probe = bpf_kprobe_attach("vfs_read", bpf_prog_sum_flag(map));
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 10);
	CHECK(bpf_map_get(map) >= 10);		/* else nothing is proved below */
	for (i = 0; i < 3; i++) {
		uint64_t flagged = bpf_map_get(map);

		fail_at(1);
		worker_do(&a, OP_FORK_READ, 50);
		CHECK(fail_over());
		CHECK_EQ(bpf_map_get(map), flagged);
	}
	close(probe);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
}

/* Moves itself into the cgroup while it shares this process's memory, and leaves that. */
static void leave_by_vfork(bool exec)
{
	pid_t pid = vfork();

	if (!pid) {
		cgroup_move(getpid(), TOP);
		fail_at(1);
		if (exec)
			execl("/proc/self/exe", "kview-test", "--reads", "10", NULL);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(fail_over());
}

/* To leave a view takes work for the process, and that memory. */
static void leave_failures(void)
{
	struct kview_attachment *att;
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	int i;

	leave_by_fork();
	cgroups_make();
	att = kview_view__attach_cgroup(v, TOP);
	CHECK(att);
	for (i = 0; i < 4; i++) {
		uint64_t seen;

		leave_by_vfork(i & 1);
		seen = hits(s, 0);
		reads(100);			/* of this process, which was drawn in */
		CHECK_EQ(hits(s, 0), seen);
	}
	CHECK(!kernel_log_has("no memory to let"));
	kview_attachment__free(att);
	cgroups_remove();
	kview_set__free(s);
	kview_view__free(v);
	figure("3 children outside are not slow, 4 times who shared memory is out again");
}

const struct test_case cases_come[] = {
	{ "move-failures", move_failures, ONCE, 0,
	  "allocations fail while a process is moved into a cgroup and out of it" },
	{ "leave-failures", leave_failures, ONCE, 0, "... and while one leaves by fork or execve" },
	{ 0 },
};
