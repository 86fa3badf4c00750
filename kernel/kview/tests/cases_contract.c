// SPDX-License-Identifier: GPL-2.0
/* What the contract tells a client: which sites became of what it named. */
#include <stdlib.h>

#include "harness.h"

/* A name that two functions have which ftrace can hook, and their addresses. */
static const char *ambiguous(uint64_t addr[2])
{
	static struct { unsigned long addr; char name[128]; } sym[4096];
	static uint8_t is_function[1 << 24];	/* by address, in units of 4 bytes */
	const uint64_t *functions;
	uint32_t n = all_functions(&functions), i, m = 0;
	unsigned long start = symbol("_text"), a;
	char line[512], name[256], type;
	FILE *f = fopen("/proc/kallsyms", "r");

	CHECK(f);
	for (i = 0; i < n; i++)
		if (functions[i] - start < sizeof(is_function) * 4)
			is_function[(functions[i] - start) / 4] =
			is_function[(functions[i] - start) / 4 - 1] = 1;	/* behind endbr64 */
	/* local ones, of few files: enough to find one twice */
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %c %255s", &a, &type, name) != 3 || type != 't' ||
		    a < start || a - start >= sizeof(is_function) * 4)
			continue;
		if (!is_function[(a - start) / 4] || strlen(name) > 20 || m == ARRAY_SIZE(sym))
			continue;
		for (i = 0; i < m && strcmp(sym[i].name, name); i++)
			;
		if (i < m && sym[i].addr != a) {
			addr[0] = sym[i].addr;
			addr[1] = a;
			fclose(f);
			return sym[i].name;
		}
		sym[m].addr = a;
		strcpy(sym[m++].name, name);
	}
	fail(__FILE__, __LINE__, "no name is ambiguous");
}

static void skip_tells(void)
{
	struct kview_site_result r[8], none;
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = r };
	struct kview_view *v = view();
	uint64_t two[2];
	const char *twice = ambiguous(two);
	const char *names[] = { "no_such_function", "vfs_read", "vfs_read", "exc_page_fault",
				twice, "ksys_read", "init_mm", "__x64_sys_lseek" };
	const uint32_t error[] = { ENOENT, 0, EEXIST, EADDRNOTAVAIL, ENOTUNIQ, 0, EADDRNOTAVAIL,
				   0 };
	struct kview_view_stat before, after;
	struct kview_set *s;
	uint32_t i, n, site = 0;

	/* few and many names are looked up in different ways */
	for (n = 1; n <= ARRAY_SIZE(names); n += n < 3 ? 1 : 5) {
		memset(r, 0x55, sizeof(r));
		errno = 0;
		s = kview_view__add_functions(v, names, n, &opts);
		CHECK(n == 1 ? !s && errno == EADDRNOTAVAIL : !!s);
		for (i = 0, site = 0; i < n; i++) {
			CHECK_EQ(r[i].error, error[i]);
			CHECK_EQ((int)r[i].site, error[i] ? -1 : (int)site++);
			CHECK_EQ(r[i].addr, error[i] ? 0 : symbol(names[i]));
		}
		if (!s)
			continue;
		CHECK_EQ(kview_set__size(s), site);
		kview_set__free(s);
	}

	/* without the flag: the errno, and which; results are filled when all is well */
	CHECK_OK(kview_view__stat(v, &before));
	opts.flags = 0;
	CHECK(!kview_view__add_functions(v, &twice, 1, &opts) && errno == ENOTUNIQ && !opts.bad);
	CHECK(!kview_view__add_functions(v, names + 4, 4, &opts) && errno == ENOTUNIQ);
	CHECK(!kview_view__add_returns(v, &twice, 1, &opts) && errno == ENOTUNIQ);
	opts.results = (void *)8;
	CHECK(!kview_view__add_functions(v, names + 1, 1, &opts) && errno == EFAULT);
	CHECK_OK(kview_view__stat(v, &after));
	CHECK(before.sets == after.sets && before.text_pages == after.text_pages);
	opts.results = r;
	s = kview_view__add_addresses(v, two, 2, &opts);
	CHECK(s);
	CHECK(r[0].addr == two[0] && r[1].addr == two[1] && r[1].site == 1 && !r[1].error);
	opts.results = &none;
	kview_set__free(s);
	kview_view__free(v);
	figure("5 of 8 left out, each with its errno; %s is two functions", twice);
}

/* Tracepoints whose code is not understood are left out, too. */
static void skip_tracepoints(void)
{
	enum { MOST = 240 };
	static const char *names[MOST];
	static struct kview_site_result r[MOST];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = r };
	FILE *f = fopen(TRACING "available_events", "r");
	struct worker a = worker_start();
	struct kview_view *v = view();
	uint32_t n = 0, i, fork_site = ~0U, used = 0;
	struct kview_attachment *att;
	struct kview_set *s;
	char line[256];

	CHECK(f);
	names[n++] = "sched_process_fork";
	names[n++] = "no_such_tracepoint";
	while (n < MOST && fgets(line, sizeof(line), f)) {
		char *event = strchr(line, ':');

		if (!event || !strncmp(line, "syscalls:", 9))
			continue;
		event[strcspn(event, "\n")] = 0;
		names[n++] = strdup(event + 1);
	}
	fclose(f);
	s = kview_view__add_tracepoints(v, names, n, &opts);
	if (!s)
		fail(__FILE__, __LINE__, "%s: %s", names[opts.bad < n ? opts.bad : 0],
		     strerror(errno));
	for (i = 0; i < n; i++) {
		CHECK(!r[i].error == (r[i].site != ~0U));
		CHECK(!r[i].addr);
		used += !r[i].error;
	}
	CHECK_EQ(r[1].error, ENOENT);
	CHECK_EQ(kview_set__size(s), used);
	fork_site = r[0].site;
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_FORKS, 5);
	CHECK_EQ(hits(s, fork_site), 5);
	kview_attachment__free(att);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("%u of %u names are sites", used, n);
}

static void return_addresses(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	uint64_t addr = symbol("vfs_read");
	struct kview_set *s = kview_view__add_return_addresses(v, &addr, 1, NULL);
	int sum = bpf_map();

	CHECK(s);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_reg(sum, 80 /* ax */), 0, NULL));
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 100);
	CHECK_EQ(bpf_map_get(sum), 100);	/* each returned 1 */
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("100 of 100");
}

const struct test_case cases_contract[] = {
	{ "skip-tells", skip_tells, PLAIN, 0, "which sites were left out and why; names that are ambiguous" },
	{ "skip-tracepoints", skip_tracepoints, PLAIN, 0, "tracepoints that cannot be sites are left out" },
	{ "return-addresses", return_addresses, PLAIN, 0, "returns of functions given by address" },
	{ 0 },
};
