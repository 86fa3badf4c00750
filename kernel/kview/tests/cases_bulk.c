// SPDX-License-Identifier: GPL-2.0
/* Sites by the ten thousand. */
#include <stdlib.h>

#include "harness.h"

#define MAX_SITES	60000

static uint64_t addrs[MAX_SITES];

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* By where functions begin, or by the places of hooks, where the kernel says them. */
static uint32_t find_functions(bool begins)
{
	static char *names[MAX_SITES * 2];	/* with modules' functions */
	unsigned long start = symbol("_text"), end = symbol("_etext"), addr;
	char type, sym[256], line[512], *name = sym;
	size_t n = 0, m = 0;
	FILE *f;

	/* newer kernels say it themselves */
	f = begins ? NULL : fopen(TRACING "available_filter_functions_addrs", "r");
	while (f && fgets(line, sizeof(line), f) && m < MAX_SITES)
		if (sscanf(line, "%lx", &addr) == 1 && addr >= start && addr < end)
			addrs[m++] = addr;
	if (f)
		fclose(f);
	if (m)
		return m;
	f = fopen(TRACING "available_filter_functions", "r");
	CHECK(f);
	while (fgets(line, sizeof(line), f) && n < ARRAY_SIZE(names))
		if (!strchr(line, '[') && sscanf(line, "%255s", sym) == 1)
			names[n++] = strdup(sym);
	fclose(f);
	qsort(names, n, sizeof(names[0]), compare);
	f = symbols_open();
	CHECK(f);
	while (fgets(line, sizeof(line), f) && m < MAX_SITES)
		if (sscanf(line, "%lx %c %255s", &addr, &type, sym) == 3 && addr >= start &&
		    addr < end && bsearch(&name, names, n, sizeof(names[0]), compare))
			addrs[m++] = addr;
	fclose(f);
	return m;
}

uint32_t all_functions(const uint64_t **found)
{
	*found = addrs;
	return find_functions(false);
}

static void all_sites_within(uint64_t limit_ns)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct worker a = worker_start(), b = worker_start();
	uint32_t n = find_functions(false), used, i;
	struct kview_view *v = view();
	int prog = bpf_prog_empty(PROG_KPROBE), map = bpf_map();
	struct kview_attachment *att;
	struct kview_view_stat st;
	static uint64_t h[MAX_SITES];
	uint64_t start, add, prog_ns, del, attach_ns, read_hits = 0;
	struct kview_set *s, *t;

	start = now_ns();
	s = kview_view__add_addresses(v, addrs, n, &opts);
	CHECK(s);
	add = now_ns() - start;
	used = kview_set__size(s);
	start = now_ns();
	CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
	prog_ns = now_ns() - start;
	start = now_ns();
	att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	attach_ns = now_ns() - start;
	CHECK_OK(kview_view__stat(v, &st));

	worker_do(&b, OP_READ, 1000);
	worker_do(&a, OP_READ, 1000);
	worker_do(&a, OP_READ_MIGRATE, 5000);
	worker_do(&a, OP_FORKS, 3);
	CHECK_OK(kview_set__hits(s, 0, used, -1, h));
	/* a second set on one of them counts the same calls */
	t = functions(v, "__x64_sys_lseek", NULL);
	CHECK_OK(kview_set__add_prog(t, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	worker_do(&a, OP_LSEEK, 100);
	CHECK_EQ(bpf_map_get(map), 100);
	for (i = 0; i < used; i++)
		if (h[i] >= 6000 && h[i] < 6100)
			read_hits++;
	CHECK(read_hits >= 3);		/* the functions on read()'s way */

	kview_attachment__free(att);
	kview_set__free(t);
	start = now_ns();
	kview_set__free(s);
	del = now_ns() - start;
	worker_quit(&a);
	worker_quit(&b);
	kview_view__free(v);

	CHECK(st.regions_huge > 0);
	CHECK(!limit_ns || add + prog_ns + attach_ns < limit_ns);
	CHECK(!limit_ns || del < limit_ns);
	CHECK(st.memory <= 64ULL << 20);
	figure("%u sites of %u: add %llu ms, program %llu ms, attach %llu ms, remove %llu ms, %.1f MiB, %u of %u regions huge",
	       used, n, (unsigned long long)add / 1000000, (unsigned long long)prog_ns / 1000000,
	       (unsigned long long)attach_ns / 1000000, (unsigned long long)del / 1000000,
	       st.memory / 1048576.0, st.regions_huge, st.regions);
}

static void all_sites(void)
{
	all_sites_within(0);		/* the clock is the host's, which has other work */
}

static void all_sites_time(void)
{
	all_sites_within(1000000000ULL);
}

/* Entries and returns of all functions, and what became of each, as whoever follows calls through all functions asks for them. */
static void both_ends_time(void)
{
	static struct kview_site_result results[MAX_SITES];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = results };
	uint32_t n = find_functions(true);
	struct kview_view *v = view();
	struct kview_set *returns, *entries;
	uint64_t start, returns_ns, entries_ns;

	start = now_ns();
	opts.returns = 16384;
	returns = kview_view__add_return_addresses(v, addrs, n, &opts);
	CHECK(returns);
	returns_ns = now_ns() - start;
	start = now_ns();
	opts.returns = 0;
	entries = kview_view__add_addresses(v, addrs, n, &opts);
	CHECK(entries);
	entries_ns = now_ns() - start;
	figure("%zu returns in %llu ms, %zu entries in %llu ms", kview_set__size(returns),
	       (unsigned long long)returns_ns / 1000000, kview_set__size(entries),
	       (unsigned long long)entries_ns / 1000000);
	/* nobody else has work: the clock is the instructions */
	CHECK(returns_ns + entries_ns < 400000000ULL);
	kview_view__free(v);
	kview_set__free(returns);
	kview_set__free(entries);
}

/*
 * The same set through the kernel's own kprobe_multi, for comparison; where the
 * kernel has none (6.1), through ftrace's function tracer.
 */
static void all_by_others(void)
{
	uint32_t n = find_functions(false), m = 0, i;
	uint64_t start, add, del;
	int link;

	for (i = 0; i < n; i++)
		if (!m || addrs[m - 1] != addrs[i])
			addrs[m++] = addrs[i];
	start = now_ns();
	link = bpf_kprobe_multi_attach(addrs, m, bpf_prog_kprobe_multi());
	if (link < 0 && errno == EOPNOTSUPP) {
		write_file(TRACING "tracing_on", "0");
		write_file(TRACING "current_tracer", "function");
		add = now_ns() - start;
		start = now_ns();
		write_file(TRACING "current_tracer", "nop");
	} else {
		CHECK(link >= 0);
		add = now_ns() - start;
		start = now_ns();
		close(link);
	}
	del = now_ns() - start;
	figure("%s, %u sites: add %llu ms, remove %llu ms",
	       link < 0 ? "function tracer" : "kprobe_multi", m,
	       (unsigned long long)add / 1000000, (unsigned long long)del / 1000000);
}

static void few_sites(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_view_stat st;

	CHECK_OK(kview_view__stat(v, &st));
	CHECK_EQ(st.regions_huge, 0);
	CHECK_EQ(st.text_pages, 1);
	CHECK(st.table_pages <= 7);		/* five levels: 7 */
	figure("1 text page, %u page-table pages, %llu bytes in all", st.table_pages,
	       (unsigned long long)st.memory);
	kview_set__free(s);
	kview_view__free(v);
}

/* Names, many at once: one pass over the symbols, not one for each. */
static void by_name(void)
{
	static const char *names[5000];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_view *v = view();
	char line[512], sym[256];
	struct kview_set *s;
	uint64_t start;
	size_t n = 0;
	FILE *f = fopen(TRACING "available_filter_functions", "r");

	CHECK(f);
	while (n < ARRAY_SIZE(names) && fgets(line, sizeof(line), f))
		if (!strchr(line, '[') && sscanf(line, "%255s", sym) == 1)
			names[n++] = strdup(sym);
	fclose(f);
	start = now_ns();
	s = kview_view__add_functions(v, names, n, &opts);
	CHECK(s);
	figure("%zu of %zu names in %llu ms", kview_set__size(s), n,
	       (unsigned long long)(now_ns() - start) / 1000000);
	/* less names that several functions have, and what is no place for a hook */
	CHECK(kview_set__size(s) > n * 3 / 4);
	kview_set__free(s);
	kview_view__free(v);
}

const struct test_case cases_bulk[] = {
	{ "few-sites", few_sites, ONCE, 0, "one site takes single pages" },
	{ "by-name", by_name, ONCE, 0, "5000 names in one call" },
	{ "all-sites", all_sites, RARE, 0, "every function of the kernel image in one call" },
	{ "all-sites-time", all_sites_time, COST, 0, "the same, timed: 1 ns an instruction" },
	{ "both-ends-time", both_ends_time, COST, 0, "the same at entries and returns" },
	{ "all-by-others", all_by_others, BENCH, 0, "the same by kprobe_multi or ftrace, to compare" },
	{ 0 },
};
