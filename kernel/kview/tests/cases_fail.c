// SPDX-License-Identifier: GPL-2.0
/* Each allocation of the module fails in turn: a precise errno, and all is as before. */
#include "cgroups.h"
#include "harness.h"
#include "net.h"

enum { FORKS = 3 };

/* Everything a client can do, or the first error. */
static int whole_life(struct worker *a, int prog)
{
	static const uint64_t cookies[] = { 1, 2, 3, 4, 5 };
	static const char *const names[] = {
		"vfs_read", "__x64_sys_lseek", "kernel_clone", "do_exit", "vfs_write",
	};
	static const char *const tps[] = { "sched_process_fork", "sys_enter" };
	static const char *const events[] = {
		"sched:sched_process_fork", "syscalls:sys_enter_read",
	};
	struct kview_set *s = NULL, *t = NULL, *e = NULL;
	struct kview_attachment *att = NULL;
	struct kview_view *v;
	int err = -ENOMEM;

	v = kview_view__new(dev());
	if (!v)
		return -errno;
	s = kview_view__add_functions(v, names, ARRAY_SIZE(names), NULL);
	if (s)
		t = kview_view__add_tracepoints(v, tps, ARRAY_SIZE(tps), NULL);
	if (t)
		e = kview_view__add_events(v, events, ARRAY_SIZE(events), NULL);
	err = -errno;
	if (e) {
		err = kview_set__add_prog(s, prog, 0, cookies);
		if (!err) {
			att = kview_view__attach(v, a->pid, KVIEW_ATTACH_FORK);
			err = att ? 0 : -errno;
		}
	}
	if (att) {
		struct kview_attach_stat st;

		worker_do(a, OP_FORK_READ, FORKS);
		CHECK_OK(kview_attachment__stat(att, &st));
		if (st.join_failed)
			err = -ENOMEM;
		worker_do(a, OP_READ, 10);
		if (!err)
			CHECK_EQ(hits(s, 0), FORKS + 10);
		if (!err)
			err = kview_set__del_prog(s, prog);
	}
	/* closing sets with a process attached: taking hooks out needs memory, too */
	kview_set__free(s);
	kview_set__free(t);
	kview_set__free(e);
	worker_do(a, OP_READ, 10);
	kview_attachment__free(att);
	kview_view__free(v);
	return err;
}

/* One allocation of @every, always the same ones: which fail is no matter of chance. */
static void failures_of(int every)
{
	struct worker a = worker_start();
	int prog = bpf_prog_empty(PROG_KPROBE), i, ret, failures = 0, tried = 0;

	for (i = 1; i < 1000; i += every, tried++) {
		fail_at(i);
		ret = whole_life(&a, prog);
		if (!fail_over())
			break;
		/* when closing runs out of memory, nothing is reported, all is undone */
		if (ret) {
			failures++;
			if (ret != -ENOMEM && ret != -EMFILE)
				fail(__FILE__, __LINE__, "allocation %d: %s", i, strerror(-ret));
		}
		/* the next life, too, comes as far as this one did, or fails with another errno */
		if (tried % 8 == 0)
			CHECK_EQ(whole_life(&a, prog), 0);
		wait_nothing_left();
	}
	CHECK_EQ(whole_life(&a, prog), 0);
	CHECK(i > 40 && i < 1000);
	worker_quit(&a);
	figure("%d allocations failed one at a time, one of %d, %d calls returned an error", tried, every, failures);
}

static void some_failures(void)
{
	failures_of(5);
}

static void alloc_failures(void)
{
	failures_of(1);
}

/* The pool of returns alone is thousands of allocations: some of them fail. */
static void return_failures(void)
{
	static const int nth[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 2000, 2050, 2060 };
	const char *names[] = { "vfs_read", "__x64_sys_lseek" };
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s;
	size_t i, failed = 0;

	attach(v, a.pid, 0);
	for (i = 0; i < ARRAY_SIZE(nth); i++) {
		fail_at(nth[i]);
		s = kview_view__add_returns(v, names, 2, NULL);
		CHECK(s || errno == ENOMEM || errno == EMFILE);
		failed += !s;
		fail_over();
		worker_do(&a, OP_READ, 10);
		if (s)
			kview_set__free(s);
	}
	CHECK(failed >= 10);
	worker_quit(&a);
	kview_view__free(v);
	figure("%zu of %zu failed", failed, ARRAY_SIZE(nth));
}

/* What takes long to undo is no part of the whole life above. */
struct scene {
	struct worker in, out;		/* meant to be in the view, and not */
	struct flow flow, other;
	struct kview_view *v;
	struct kview_set *reads, *packets;
};

/* What a request made: one of the two. */
struct made {
	struct kview_set *s;
	struct kview_attachment *att;
};

static struct made make_events(struct scene *sc)
{
	const char *names[] = { "syscalls:sys_enter_read", "sched:sched_process_fork" };

	return (struct made){ .s = kview_view__add_events(sc->v, names, 2, NULL) };
}

static struct made make_filters(struct scene *sc)
{
	struct kview_set_opts filter = { .flags = KVIEW_SET_FILTER };
	const char *names[] = { "vfs_read", "__x64_sys_lseek" };

	return (struct made){ .s = kview_view__add_functions(sc->v, names, 2, &filter) };
}

static struct made make_cgroup(struct scene *sc)
{
	return (struct made){ .att = kview_view__attach_cgroup(sc->v, TOP) };
}

static struct made make_flow(struct scene *sc)
{
	return (struct made){ .att = kview_view__attach_napi(sc->v, sc->flow.napi_id) };
}

static const struct {
	const char *what;
	struct made (*make)(struct scene *sc);
	bool flow;
} requests[] = {
	{ "events", make_events, false },
	{ "filters", make_filters, false },
	{ "a cgroup", make_cgroup, false },
	{ "a flow", make_flow, true },
};

/* What is in the view; a page of its directory may stay for the next who needs it. */
static bool same_contents(const struct kview_view_stat *a, const struct kview_view_stat *b)
{
	return a->processes == b->processes && a->sets == b->sets && a->sites == b->sites &&
	       a->regions == b->regions && a->text_pages == b->text_pages;
}

/* Five reads and packets each; @n of each are seen. */
static void check_counts(struct scene *sc, struct kview_set *s, bool flow, uint64_t n)
{
	uint64_t before = hits(s, 0);

	if (flow) {
		flow_both(&sc->flow, &sc->other, 5);
	} else {
		worker_do(&sc->in, OP_READ, 5);
		worker_do(&sc->out, OP_READ, 5);
	}
	CHECK_EQ(hits(s, 0) - before, n);
}

/* One request, its @nth allocation failing, and then again.  False: it has fewer than that. */
static bool request_failure(struct scene *sc, size_t r, int nth, int *failures)
{
	struct kview_attachment *att = NULL;
	struct kview_view_stat before, after;
	struct kview_set *seen;
	struct made made;
	bool failed;
	int err;

	sc->v = view();
	seen = functions(sc->v, requests[r].flow ? "udp_rcv" : "vfs_read", NULL);
	CHECK_OK(kview_view__stat(sc->v, &before));
	fail_at(nth);
	made = requests[r].make(sc);
	err = errno;
	failed = fail_over();
	if (!made.s && !made.att) {
		CHECK(failed && (err == ENOMEM || err == EMFILE));
		CHECK_OK(kview_view__stat(sc->v, &after));
		if (!same_contents(&before, &after))
			fail(__FILE__, __LINE__,
			     "%s: allocation %d left: sets %d sites %d regions %d pages %d",
			     requests[r].what, nth, after.sets - before.sets,
			     after.sites - before.sites, after.regions - before.regions,
			     after.text_pages - before.text_pages);
		check_counts(sc, seen, requests[r].flow, 0);
		++*failures;
		made = requests[r].make(sc);
		CHECK(made.s || made.att);
	}
	if (made.s) {
		att = attach(sc->v, sc->in.pid, 0);
		check_counts(sc, made.s, false, 5);
		kview_set__free(made.s);
	}
	if (made.att)
		check_counts(sc, seen, requests[r].flow, 5);
	kview_attachment__free(made.att ? made.att : att);
	check_counts(sc, seen, requests[r].flow, 0);
	kview_set__free(seen);
	kview_view__free(sc->v);
	return failed;
}

/* One allocation of @every, as above. */
static void requests_fail(int every)
{
	struct scene sc = { .in = worker_start(), .out = worker_start() };
	size_t r;

	cgroups_make();
	cgroup_move(sc.in.pid, SUB);
	net_make();
	flows_find(&sc.flow, &sc.other);
	for (r = 0; r < ARRAY_SIZE(requests); r++) {
		int nth = 1, failures = 0, back;

		while (request_failure(&sc, r, nth, &failures))
			nth += every;
		/* what is left of earlier ones saves allocations: the last may have been missed */
		for (back = 3; back; back--)
			request_failure(&sc, r, nth - back, &failures);
		CHECK(failures >= 10 / every && nth < 100);
		figure("%s%s: %d of %d", r ? ", " : "", requests[r].what, failures, (nth - 1) / every + 3);
	}
	worker_quit(&sc.in);
	worker_quit(&sc.out);
	cgroups_remove();
}

static void request_failures(void)
{
	requests_fail(3);
}

static void all_request_failures(void)
{
	requests_fail(1);
}

const struct test_case cases_fail[] = {
	{ "some-failures", some_failures, ONCE, 0, "one allocation of five fails, one at a time" },
	{ "alloc-failures", alloc_failures, RARE, 0, "each allocation of the module fails in turn" },
	{ "return-failures", return_failures, ONCE, 0, "allocations for function returns fail" },
	{ "request-failures", request_failures, ONCE, 0, "one of three fails for events, filters, cgroups, flows" },
	{ "all-request-failures", all_request_failures, RARE, 0, "the same for each of theirs" },
	{ 0 },
};
