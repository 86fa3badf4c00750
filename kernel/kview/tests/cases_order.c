// SPDX-License-Identifier: GPL-2.0
/*
 * Waits and flushes, each of which must come before what it makes safe.  What would go wrong without
 * them takes a moment, or a processor, that is not to be had here: so the order of the calls by the
 * module is judged.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* By this process or, with @anybody, by whichever. */
static bool is_call(const char *line, const char *function, bool anybody)
{
	char call[64], mark[32];

	snprintf(call, sizeof(call), ": %s <-kview_", function);
	snprintf(mark, sizeof(mark), "-%d ", getpid());
	return strstr(line, call) && (anybody || strstr(line, mark));
}

static int calls(const char *function, bool anybody)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[512];
	int n = 0;

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		n += is_call(line, function, anybody);
	fclose(f);
	return n;
}

/* Are these what is called first, one after the other? */
static bool in_this_order(const char *const *function, int n, bool anybody)
{
	FILE *f = fopen(TRACING "trace", "r");
	bool in_order = true;
	int i, next = 0;
	char line[512];

	CHECK(f);
	while (next < n && fgets(line, sizeof(line), f))
		for (i = 0; i < n; i++)
			if (is_call(line, function[i], anybody))
				in_order &= i == next++;
	fclose(f);
	return in_order && next == n;
}

/* A CPU that comes up meanwhile would keep the Global entries that it has loaded. */
static void flush_all_cpus(void)
{
	static const char *const order[] = { "cpus_read_lock", "flush_tlb_all", "cpus_read_unlock" };
	struct kview_view *v = view();
	struct kview_set *s;

	tracer_start(order, ARRAY_SIZE(order));
	s = functions(v, "vfs_read", NULL);
	CHECK(in_this_order(order, ARRAY_SIZE(order), false));
	tracer_off();
	kview_set__free(s);
	kview_view__free(v);
	figure("no CPU comes or goes while all are flushed");
}

/* By way of the base's memory in small pages; that each step changes the one or the other is checked by the module. */
static void come_and_go(void)
{
	static const char flush[] = "flush_tlb_mm_range";
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;

	worker_sleeps(&a);
	tracer_on(flush);
	att = attach(v, a.pid, 0);
	CHECK_EQ(calls(flush, false), 2);
	kview_attachment__free(att);
	CHECK_EQ(calls(flush, false), 4);
	tracer_off();
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("a process comes by two steps, and goes by two, each with a flush");
}

/* The idle loop may have come upon the place's code; only this one of the waits is for it, too. */
static void free_place(void)
{
	static const char *const order[] = { "synchronize_rcu_tasks_rude", "kview_thunk_put" };
	struct kview_view *v;
	struct kview_set *s;

	/* loaded here: nothing of the case before is still to be freed */
	module_load("");
	v = view();
	s = functions(v, "vfs_read", NULL);
	tracer_start(order, ARRAY_SIZE(order));
	kview_set__free(s);
	kview_view__free(v);
	AWAIT(calls(order[1], true), 1000);
	CHECK(in_this_order(order, ARRAY_SIZE(order), true));
	tracer_off();
	check_nothing_left();
	module_unload();
	figure("a place's code is free after a wait for the idle loop");
}

/* While its process runs in their hooks: of a view that is closed first the sets and the attachment wait for nothing. */
static void close_view_first(void)
{
	static const char rcu[] = "synchronize_rcu", *const name[] = { "vfs_read", "ksys_read" };
	struct worker a = worker_start();
	int prog = bpf_prog_empty(PROG_KPROBE), by_view, in_all, i;

	for (i = 0; i < 10; i++) {
		struct kview_view *v = view();
		struct kview_set *entries = kview_view__add_functions(v, name, ARRAY_SIZE(name), NULL);
		struct kview_set *returns = kview_view__add_returns(v, name, ARRAY_SIZE(name), NULL);
		struct kview_set *switches = tracepoint(v, "sched_switch");
		struct kview_attachment *att;

		CHECK(entries && returns);
		CHECK_OK(kview_set__add_prog(entries, prog, 0, NULL));
		CHECK_OK(kview_set__add_prog(returns, prog, 0, NULL));
		att = attach(v, a.pid, KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC);
		worker_begin(&a, OP_READ_THREADS, 2000);
		AWAIT(hits(returns, 0) > 100, 0);
		tracer_on(rcu);
		kview_view__free(v);
		by_view = calls(rcu, false);
		kview_attachment__free(att);
		kview_set__free(entries);
		kview_set__free(returns);
		kview_set__free(switches);
		in_all = calls(rcu, false);
		tracer_off();
		worker_wait(&a);
		CHECK_EQ(by_view, 1);
		CHECK_EQ(in_all, by_view);
	}
	worker_quit(&a);
	figure("%d times: %d grace period for a view, and none for what was in it", i, by_view);
}

const struct test_case cases_order[] = {
	{ "order-flush", flush_all_cpus, ONCE, 0, "no CPU comes or goes while all CPUs' entries are flushed" },
	{ "order-pages", come_and_go, ONCE, 0,
	  "a page of text changes its size, and then its memory, with a flush after each" },
	{ "order-close", close_view_first, ONCE, 0, "a view that is closed before its sets waits for all of them at once" },
	{ "order-free", free_place, ONCE, LOAD_NOT, "a place's code is freed after a wait for the idle loop, too" },
	{ 0 },
};
