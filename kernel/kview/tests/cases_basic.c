// SPDX-License-Identifier: GPL-2.0
/* Who is counted, and how exactly. */
#include <stdlib.h>

#include "harness.h"

#define N 20000

/* A is in a view, B is not; both change CPUs all the time. */
static void exact_migrate(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);

	attach(v, a.pid, 0);
	worker_begin(&a, OP_READ_MIGRATE, N);
	worker_begin(&b, OP_READ_MIGRATE, N);
	worker_wait(&a);
	worker_wait(&b);
	CHECK_EQ(hits(s, 0), N);
	worker_quit(&a);
	worker_quit(&b);
	figure("%d of %d hits, 0 of the other process's %d", N, N, N);
	kview_view__free(v);
	kview_set__free(s);
}

static void exact_threads(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	uint64_t sum = 0, cpu_hits;
	int cpu;

	attach(v, a.pid, 0);
	worker_do(&a, OP_READ_THREADS, N / 4);
	CHECK_EQ(hits(s, 0), N);
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		CHECK_OK(kview_set__hits(s, 0, 1, cpu, &cpu_hits));
		sum += cpu_hits;
	}
	CHECK_EQ(sum, N);
	worker_quit(&a);
	figure("%d of %d hits, the sum over CPUs as well", N, N);
	kview_view__free(v);
	kview_set__free(s);
}

/* Two views with different sites, and two processes in one of them. */
static void two_views(void)
{
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = functions(w, "vfs_read", "ksys_read", "__x64_sys_lseek", NULL);

	attach(v, a.pid, 0);
	attach(w, b.pid, 0);
	attach(w, c.pid, 0);
	worker_begin(&a, OP_READ, 1000);
	worker_begin(&b, OP_READ, 2000);
	worker_begin(&c, OP_READ, 3000);
	worker_wait(&a);
	worker_wait(&b);
	worker_wait(&c);
	worker_do(&c, OP_LSEEK, 10);
	CHECK_EQ(hits(s, 0), 1000);
	CHECK_EQ(hits(t, 0), 5000);
	CHECK_EQ(hits(t, 1), 5000);
	CHECK_EQ(hits(t, 2), 10);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	figure("1000; 5000, 5000, 10");
	kview_set__free(s);
	kview_view__free(v);
	kview_view__free(w);
	kview_set__free(t);
}

/* Views with the same sites share their copies of text. */
static void shared_text(void)
{
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", "kernel_clone", NULL);
	uint32_t copies = stat_now().text_copies;
	struct kview_set *t = functions(w, "kernel_clone", "vfs_read", NULL);
	struct kview_view_stat st;

	CHECK_EQ(stat_now().text_copies, copies);
	CHECK_OK(kview_view__stat(w, &st));
	CHECK_EQ(st.text_pages_shared, st.text_pages);
	figure("%u text pages, %u shared, %u page-table pages", st.text_pages,
	       st.text_pages_shared, st.table_pages);
	kview_set__free(t);
	CHECK_EQ(stat_now().text_copies, copies);
	kview_view__free(v);
	kview_view__free(w);
	kview_set__free(s);
}

/* Sites come and go while the process runs. */
static void live_edit(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s, *t;
	int i;

	attach(v, a.pid, 0);
	for (i = 0; i < 20; i++) {
		worker_begin(&a, OP_READ, 2000);
		s = functions(v, "vfs_read", NULL);
		t = functions(v, "vfs_read", "ksys_read", "__x64_sys_lseek", NULL);
		worker_wait(&a);
		CHECK_EQ(hits(t, 2), 0);
		worker_do(&a, OP_LSEEK, 7);
		CHECK_EQ(hits(t, 2), 7);
		CHECK(hits(s, 0) >= hits(t, 0));
		worker_begin(&a, OP_READ, 2000);
		kview_set__free(s);
		kview_set__free(t);
		worker_wait(&a);
	}
	s = functions(v, "vfs_read", NULL);
	worker_do(&a, OP_READ, 500);
	CHECK_EQ(hits(s, 0), 500);
	worker_quit(&a);
	figure("20 rounds");
	kview_view__free(v);
	kview_set__free(s);
}

static void two_sets(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", "__x64_sys_lseek", NULL);
	struct kview_set *t = functions(v, "ksys_read", "vfs_read", NULL);

	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 100);
	CHECK_EQ(hits(t, 1), 100);
	kview_set__free(s);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(t, 1), 200);
	CHECK_EQ(hits(t, 0), 200);
	worker_quit(&a);
	figure("the same site in two sets");
	kview_set__free(t);
	kview_view__free(v);
}

static void bpf_programs(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", "ksys_read", NULL);
	int map = bpf_map(), raw_map = bpf_map(), arg_map = bpf_map();
	int kprobe = bpf_prog_count(PROG_KPROBE, map, 0);
	int raw = bpf_prog_count(PROG_RAW_TRACEPOINT, raw_map, 0);
	int arg = bpf_prog_sum_arg(arg_map, 16);	/* the third: a byte count */

	attach(v, a.pid, 0);
	CHECK_OK(kview_set__add_prog(s, kprobe, 0, NULL));
	CHECK_OK(kview_set__add_prog(s, raw, 0, NULL));
	CHECK_OK(kview_set__add_prog(s, arg, 0, NULL));
	CHECK_EQ(kview_set__add_prog(s, kprobe, 0, NULL), -EEXIST);
	worker_begin(&a, OP_READ, 5000);
	worker_begin(&b, OP_READ, 5000);
	worker_wait(&a);
	worker_wait(&b);
	CHECK_EQ(bpf_map_get(map), 10000);
	CHECK_EQ(bpf_map_get(raw_map), 10000);
	CHECK_EQ(bpf_map_get(arg_map), 10000);	/* one byte, at two sites */

	CHECK_OK(kview_set__del_prog(s, kprobe));
	CHECK_EQ(kview_set__del_prog(s, kprobe), -ENOENT);
	close(raw);		/* attached programs live on */
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(bpf_map_get(map), 10000);
	CHECK_EQ(bpf_map_get(raw_map), 10200);
	worker_quit(&a);
	worker_quit(&b);
	figure("kprobe 10000, raw_tracepoint 10200");
	kview_view__free(v);
	kview_set__free(s);
}

static void bpf_cookies(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", "__x64_sys_lseek", NULL);
	const uint64_t each[] = { 3, 1000000 };
	int map = bpf_map(), one_map = bpf_map();

	attach(v, a.pid, 0);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_cookies(map), 0, each));
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_cookies(one_map), 5, NULL));
	worker_do(&a, OP_READ, 10);
	worker_do(&a, OP_LSEEK, 2);
	CHECK_EQ(bpf_map_get(map), 2000030);
	CHECK_EQ(bpf_map_get(one_map), 60);
	worker_quit(&a);
	figure("by site and by set");
	kview_view__free(v);
	kview_set__free(s);
}

/* Kernel threads, interrupts and what the tracing itself calls do not count. */
static void rejected(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "update_process_times", NULL);
	struct kview_set *t = functions(v, "vfs_read", "array_map_update_elem", NULL);
	uint64_t before = stat_now().rejected_irq;

	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 300000);
	CHECK_EQ(hits(s, 0), 0);
	CHECK_EQ(hits(t, 0), 300000);
	CHECK(stat_now().rejected_irq > before);
	worker_quit(&a);
	figure("%llu calls from interrupts rejected",
	       (unsigned long long)(stat_now().rejected_irq - before));
	kview_view__free(v);
	kview_set__free(s);
	kview_set__free(t);
}

/* Two processes take turns on one CPU: each switch leaves translations behind. */
static uint64_t taking_turns(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	uint64_t n;
	int i;

	worker_do(&a, OP_READ, 100);
	worker_do(&b, OP_READ, 100);
	attach(v, a.pid, 0);
	for (i = 0; i < 50; i++) {
		worker_do(&b, OP_READ, 40);
		worker_do(&a, OP_READ, 40);
	}
	n = hits(s, 0);
	worker_quit(&a);
	worker_quit(&b);
	kview_view__free(v);
	kview_set__free(s);
	return n;
}

/* The same in two views, either of which shows the base where the other one differs. */
static void two_views_taking_turns(uint64_t n[2])
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = functions(w, "read_zero", NULL);
	int i;

	CHECK(symbol("vfs_read") >> 21 != symbol("read_zero") >> 21);
	attach(v, a.pid, 0);
	attach(w, b.pid, 0);
	for (i = 0; i < 50; i++) {
		worker_do(&a, OP_READ, 40);
		worker_do(&b, OP_READ, 40);
	}
	n[0] = hits(s, 0);
	n[1] = hits(t, 0);
	worker_quit(&a);
	worker_quit(&b);
	kview_view__free(v);
	kview_view__free(w);
	kview_set__free(s);
	kview_set__free(t);
}

static void tlb(void)
{
	uint64_t n[2];

	CHECK_EQ(taking_turns(), 2000);
	figure("2000 of 2000 hits, 0 of the other process's 2000");
	two_views_taking_turns(n);
	CHECK_EQ(n[0], 2000);
	CHECK_EQ(n[1], 2000);
	figure("; in two views 2000 of 2000 each");
}

static void unsafe_keep_global(void)
{
	/* with isolation and PCID the kernel maps no text Global to begin with */
	bool never_global = count_lines("/proc/cpuinfo", " pti", " pcid", NULL);
	uint64_t n;

	module_load("unsafe_keep_global=1");
	n = taking_turns();
	check_nothing_left();
	module_unload();
	if (never_global) {
		CHECK_EQ(n, 2000);
		figure("not Global on this CPU, so there is nothing to keep: ");
	} else if (n == 2000) {
		fail(__FILE__, __LINE__, "with Global text nothing was lost: tlb proves nothing");
	}
	figure("with the base's text left Global %d of 2000 hits", (int)n);
}

const struct test_case cases_basic[] = {
	{ "exact-migrate", exact_migrate, PLAIN, 0, "one process in a view, one not, both migrating" },
	{ "exact-threads", exact_threads, ONCE, 0, "four threads; counters by CPU" },
	{ "two-views", two_views, ONCE, 0, "different sites; two processes in one view" },
	{ "two-sets", two_sets, ONCE, 0, "one site in two sets of a view" },
	{ "shared-text", shared_text, ONCE, 0, "views with the same sites share memory" },
	{ "live-edit", live_edit, ONCE, 0, "sites come and go under a running process" },
	{ "bpf-programs", bpf_programs, PLAIN, 0, "kprobe and raw_tracepoint programs, exact maps" },
	{ "bpf-cookies", bpf_cookies, ONCE, 0, "attach cookies by site and by set" },
	{ "tlb", tlb, TLB, 0, "no stale translation when processes take turns" },
	{ "unsafe-keep-global", unsafe_keep_global, TLB, LOAD_NOT, "... and some, with Global kept" },
	{ "rejected", rejected, PLAIN, 0, "interrupts in a view are not counted" },
	{ 0 },
};
