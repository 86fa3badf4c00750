// SPDX-License-Identifier: GPL-2.0
/* The filter before eBPF: hooks in the base, for everybody. */
#include <stdlib.h>

#include "harness.h"

#define FUNC	"__x64_sys_lseek"
#define N	100

static struct kview_set *filtered(struct kview_view *v, const char *a, const char *b)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER };
	const char *names[] = { a, b };
	struct kview_set *s = kview_view__add_functions(v, names, b ? 2 : 1, &opts);

	CHECK(s);
	return s;
}

static int traced(struct worker *w)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "-%d ", w->pid);
	return count_lines(TRACING "trace", pid, ": " FUNC, NULL);
}

static void three_seek(struct worker *a, struct worker *b, struct worker *c)
{
	worker_begin(a, OP_LSEEK, N);
	worker_begin(b, OP_LSEEK, N);
	worker_begin(c, OP_LSEEK, N);
	worker_wait(a);
	worker_wait(b);
	worker_wait(c);
}

/* A in a view with filtered sites, C in another such view, B in none. */
static void filter(void)
{
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_set *s = filtered(v, FUNC, "vfs_read"), *t, *u;
	int map = bpf_map();
	uint64_t before;

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	u = filtered(w, "__x64_sys_getppid", NULL);
	before = stat_now().rejected_left;
	attach(w, c.pid, 0);
	three_seek(&a, &b, &c);
	CHECK_EQ(hits(s, 0), N);
	CHECK_EQ(bpf_map_get(map), N);
	worker_do(&a, OP_FORK_READ, N);
	worker_do(&b, OP_READ, N);
	worker_do(&c, OP_READ, N);
	CHECK_EQ(hits(s, 1), N);
	/* C is let through the filter, and then is not one of theirs; B is not let through */
	CHECK_EQ(stat_now().rejected_left - before, 2 * N);
	CHECK_EQ(hits(u, 0), 0);

	/* private text at the same place, and another tracer there */
	t = functions(v, FUNC, NULL);
	three_seek(&a, &b, &c);
	CHECK_EQ(hits(s, 0), 2 * N);
	CHECK_EQ(hits(t, 0), N);
	tracer_on(FUNC);
	three_seek(&a, &b, &c);
	CHECK_EQ(traced(&a), N);
	CHECK_EQ(traced(&b), N);
	CHECK_EQ(traced(&c), N);
	tracer_off();
	CHECK_EQ(hits(s, 0), 3 * N);
	CHECK_EQ(hits(t, 0), 2 * N);

	kview_attachment__free(att);
	before = stat_now().rejected_left;
	three_seek(&a, &b, &c);
	CHECK_EQ(hits(s, 0), 3 * N);
	CHECK_EQ(stat_now().rejected_left - before, N);		/* C's */
	att = attach(v, a.pid, 0);
	kview_set__free(s);
	/* A's view has no filter any more: another view's turns it away */
	kview_set__free(u);
	u = filtered(w, FUNC, NULL);
	before = stat_now().rejected_left;
	three_seek(&a, &b, &c);
	CHECK_EQ(hits(t, 0), 3 * N);
	CHECK_EQ(hits(u, 0), N);
	CHECK_EQ(stat_now().rejected_left - before, 0);
	kview_attachment__free(att);
	kview_view__free(w);
	kview_set__free(u);
	CHECK_EQ(count_lines(TRACING "enabled_functions", FUNC, NULL, NULL), 0);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	figure("%d of %d, with private text and ftrace at the same place", 3 * N, 3 * N);
	kview_set__free(t);
	kview_view__free(v);
}

/*
 * A function that the scheduler calls between two threads: the one that it leaves there, which has ended, has
 * no address space any more, not even a borrowed one.  (Of kernel threads it is not called.)
 */
static void between_threads(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = filtered(v, "save_fpregs_to_fpstate", NULL);

	attach(v, a.pid, 0);
	worker_do(&b, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), 0);
	worker_do(&a, OP_FORKS, N);
	CHECK(hits(s, 0) >= N);
	figure("%d processes of another one ended meanwhile", N);
	worker_quit(&a);
	worker_quit(&b);
	kview_view__free(v);
	kview_set__free(s);
}

static void bad(void)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER };
	const char *const func[] = { "vfs_read" }, *const tp[] = { "sched_switch" };
	const char *const entry[] = { "exc_page_fault" };
	struct kview_view *v = view(), *w = view();
	struct kview_set *s;

	CHECK(!kview_view__add_returns(v, func, 1, &opts) && errno == EINVAL);
	CHECK(!kview_view__add_tracepoints(v, tp, 1, &opts) && errno == EINVAL);
	CHECK(!kview_view__add_functions(v, entry, 1, &opts) && errno == EADDRNOTAVAIL);
	/* ftrace has one direct call for a function */
	s = filtered(v, "vfs_read", NULL);
	CHECK(!kview_view__add_functions(w, func, 1, &opts) && errno == EBUSY);
	kview_set__free(s);
	kview_set__free(filtered(w, "vfs_read", NULL));
	kview_view__free(v);
	kview_view__free(w);
	figure("4 refused");
}

const struct test_case cases_filter[] = {
	{ "filter", filter, PLAIN, 0, "hooks in the base, behind a flag" },
	{ "filter-between", between_threads, PLAIN, 0, "filtered hooks within a context switch" },
	{ "bad-filters", bad, ONCE, 0, "what cannot be filtered" },
	{ 0 },
};
