// SPDX-License-Identifier: GPL-2.0
/* Processes come into a view and leave it, sets are switched, and there is no memory for that. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
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

/* Who executes a program comes back into the view; if that fails it is out, is counted, and poll() tells. */
static void exec_failures(void)
{
	int nth, failed = 0;
	bool over = false;

	for (nth = 1; !over && nth < 50; nth++) {
		struct worker a = worker_start();
		struct kview_view *v = view();
		struct kview_set *s = functions(v, "vfs_read", NULL);
		struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_EXEC);
		struct pollfd fd = { .fd = kview_attachment__fd(att) };
		struct kview_attach_stat st;

		fail_at(nth);
		worker_do(&a, OP_EXEC_READ, 100);
		over = !fail_over();
		CHECK_OK(kview_attachment__stat(att, &st));
		CHECK_EQ(st.joined + st.join_failed, 1);
		CHECK(st.joined ? hits(s, 0) >= 100 : hits(s, 0) < 100);
		CHECK(!st.join_failed || (poll(&fd, 1, 60000) == 1 && fd.revents == POLLHUP));
		CHECK(!over || st.joined);
		failed += st.join_failed;
		worker_quit(&a);
		kview_attachment__free(att);
		kview_set__free(s);
		kview_view__free(v);
	}
	CHECK(over && failed >= 3);
	figure("%d of %d execve out of the view, counted and told", failed, nth - 2);
}

static bool is_off(struct kview_set *s)
{
	struct kview_item item;

	CHECK_OK(kview_set__item(s, &item));
	return item.flags & KVIEW_ITEM_OFF;
}

/* Of two eBPF programs one is to go, and both go on. */
static void prog_failure(struct kview_set *s, struct worker *w)
{
	int map[2] = { bpf_map(), bpf_map() }, prog[2], i;

	for (i = 0; i < 2; i++) {
		prog[i] = bpf_prog_count(PROG_KPROBE, map[i], 0);
		CHECK_OK(kview_set__add_prog(s, prog[i], 0, NULL));
	}
	fail_at(1);
	CHECK_EQ(kview_set__del_prog(s, prog[0]), -ENOMEM);
	CHECK(fail_over());
	worker_do(w, OP_READ, 10);
	CHECK_OK(kview_set__del_prog(s, prog[0]));
	worker_do(w, OP_READ, 10);
	CHECK_EQ(bpf_map_get(map[0]), 10);
	CHECK_EQ(bpf_map_get(map[1]), 20);
	CHECK_OK(kview_set__del_prog(s, prog[1]));
	for (i = 0; i < 2; i++)
		close(prog[i]);
}

/*
 * Sets that cannot be switched are all as they were, a list that cannot be made is none, and an eBPF
 * program that cannot be taken out stays.
 */
static void ask_failures(void)
{
	struct kview_set_opts off = { .flags = KVIEW_SET_OFF };
	const char *const names[] = { "vfs_read", "ksys_read" };
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_item *items;
	struct kview_set *s[2];
	int nth, on, failed = 0;
	bool over;
	size_t n;

	for (n = 0; n < 2; n++) {
		s[n] = kview_view__add_functions(v, &names[n], 1, &off);
		CHECK(s[n]);
	}
	attach(v, a.pid, 0);
	for (on = 1; on >= 0; on--)
		for (nth = 1, over = false; !over && nth < 10; nth++) {
			uint64_t before = hits(s[0], 0);
			int err;

			fail_at(nth);
			err = kview_view__switch(v, s, 2, on);
			over = !fail_over();
			CHECK_EQ(err, over ? 0 : -ENOMEM);
			CHECK(is_off(s[0]) == (over ? !on : on) && is_off(s[1]) == is_off(s[0]));
			worker_do(&a, OP_READ, 10);
			CHECK_EQ(hits(s[0], 0) - before, is_off(s[0]) ? 0 : 10);
			CHECK_EQ(hits(s[1], 0), hits(s[0], 0));
			failed += !!err;
		}
	CHECK(failed >= 4);
	CHECK_OK(kview_view__switch(v, s, 2, 1));
	prog_failure(s[0], &a);
	fail_at(1);
	CHECK_EQ(kview__list(dev(), &items, &n), -ENOMEM);
	CHECK(fail_over());
	CHECK_OK(kview__list(dev(), &items, &n));
	free(items);
	worker_quit(&a);
	for (n = 0; n < 2; n++)
		kview_set__free(s[n]);
	kview_view__free(v);
	figure("%d switches refused, a list, and to take a program out", failed);
}

const struct test_case cases_come[] = {
	{ "move-failures", move_failures, ONCE, 0,
	  "allocations fail while a process is moved into a cgroup and out of it" },
	{ "leave-failures", leave_failures, ONCE, 0, "... and while one leaves by fork or execve" },
	{ "exec-failures", exec_failures, ONCE, 0, "... and while one is to stay across an execve" },
	{ "ask-failures", ask_failures, ONCE, 0, "... and while sets are switched, all are listed, an eBPF program is taken out" },
	{ 0 },
};
