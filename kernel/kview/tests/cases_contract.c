// SPDX-License-Identifier: GPL-2.0
/* What the contract tells a client: what became of what it named, what was lost, where it is. */
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
	FILE *f = symbols_open();

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

/* The next names of tracepoints, up to @most in all. */
static uint32_t read_tracepoints(FILE *f, const char **names, uint32_t n, uint32_t most)
{
	char line[256];

	while (n < most && fgets(line, sizeof(line), f)) {
		char *event = strchr(line, ':');

		if (!event || !strncmp(line, "syscalls:", 9))
			continue;
		event[strcspn(event, "\n")] = 0;
		names[n++] = strdup(event + 1);
	}
	return n;
}

/* Tracepoints whose code is not understood are left out, too; and there are 256 at most. */
static void skip_tracepoints(void)
{
	enum { MOST = 240, MORE = 120 };
	static const char *names[MOST], *more[MORE];
	static struct kview_site_result r[MOST];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = r };
	FILE *f = fopen(TRACING "available_events", "r");
	struct worker a = worker_start();
	struct kview_view *v = view();
	uint32_t n = 0, i, fork_site = ~0U, used = 0;
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_view_stat before, after;
	struct kview_attachment *att;
	struct kview_set *s;

	CHECK(f);
	names[n++] = "sched_process_fork";
	names[n++] = "no_such_tracepoint";
	n = read_tracepoints(f, names, n, MOST);
	CHECK_EQ(read_tracepoints(f, more, 0, MORE), MORE);
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
	CHECK_OK(kview_view__stat(v, &before));
	CHECK(!kview_view__add_tracepoints(v, more, MORE, &skip) && errno == ENOSPC);
	CHECK_OK(kview_view__stat(v, &after));
	CHECK(before.sets == after.sets && before.sites == after.sites && before.text_pages == after.text_pages);
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_FORKS, 5);
	CHECK_EQ(hits(s, fork_site), 5);
	kview_attachment__free(att);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("%u of %u names are sites; more than 256: ENOSPC", used, n);
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

static struct kview_site_losses losses(struct kview_set *s, size_t site)
{
	struct kview_site_losses l;

	CHECK_OK(kview_set__losses(s, site, 1, &l));
	return l;
}

/* What is not counted is, as what it is. */
static void losses_told(void)
{
	static const char *const wait_name[] = { "futex_wait" };
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *irq = functions(v, "update_process_times", "vfs_read", NULL);
	struct kview_set *twice = functions(v, "copy_from_kernel_nofault", NULL);
	struct kview_set *waits = kview_view__add_returns(v, wait_name, 1, NULL);
	struct kview_set *other = functions(w, "update_process_times", NULL);
	struct kview_stat before = stat_now(), after;
	struct kview_attachment *att;
	struct kview_set_stat st;
	struct kview_site_losses l;

	CHECK(waits);
	CHECK_OK(kview_set__add_prog(irq, bpf_prog_read_kernel(), 0, NULL));
	att = attach(v, a.pid, 0);
	attach(w, b.pid, 0);
	worker_do(&a, OP_READ, 200000);
	/* it sleeps in a call that is watched, and leaves the view */
	worker_sleeps(&a);
	CHECK_OK(kview_set__stat(waits, &st));
	CHECK_EQ(st.lost_returns, 0);
	kview_attachment__free(att);
	worker_do(&a, OP_READ, 1);
	after = stat_now();

	CHECK_EQ(hits(irq, 0), 0);
	CHECK_EQ(hits(irq, 1), 200000);
	l = losses(irq, 0);
	CHECK(l.irq > 0 && !l.nested && !l.borrowed && !l.missed && !l.returns);
	CHECK_EQ(l.irq + losses(other, 0).irq, after.rejected_irq - before.rejected_irq);
	CHECK_OK(kview_set__stat(irq, &st));
	CHECK_EQ(st.lost_irq, l.irq);
	l = losses(irq, 1);
	CHECK(!l.irq && !l.nested);
	l = losses(twice, 0);
	CHECK_EQ(l.nested, 200000);
	CHECK_EQ(after.rejected_nested - before.rejected_nested, 200000);
	CHECK_OK(kview_set__stat(twice, &st));
	CHECK(st.lost_nested == 200000 && !st.lost_irq && !st.missed);
	CHECK_EQ(losses(waits, 0).returns, 1);
	CHECK_EQ(kview_set__losses(irq, 1, 2, &l), -ERANGE);
	CHECK_EQ(kview_set__losses(irq, 0, 2, (void *)8), -EFAULT);
	worker_quit(&a);
	worker_quit(&b);
	figure("%llu in interrupts, 200000 nested, 1 return after leaving",
	       (unsigned long long)losses(irq, 0).irq);
	kview_set__free(irq);
	kview_set__free(twice);
	kview_set__free(waits);
	kview_set__free(other);
	kview_view__free(v);
	kview_view__free(w);
}

/* All counters of a large set by one call, as a client shows them live. */
static void hits_at_once(void)
{
	static uint64_t h[60000];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct worker a = worker_start();
	struct kview_view *v = view();
	const uint64_t *addrs;
	uint32_t n = all_functions(&addrs), i, hit = 0;
	struct kview_set *s = kview_view__add_addresses(v, addrs, n, &opts);
	struct kview_attachment *att;
	uint64_t start, one;

	CHECK(s);
	n = kview_set__size(s);
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 1000);
	kview_attachment__free(att);
	start = now_ns();
	CHECK_OK(kview_set__hits(s, 0, n, -1, h));
	start = now_ns() - start;
	for (i = 0; i < n; i++) {
		hit += !!h[i];
		if (!h[i] && i % 1000)
			continue;
		CHECK_OK(kview_set__hits(s, i, 1, -1, &one));
		CHECK_EQ(one, h[i]);
	}
	CHECK(hit > 3);
	CHECK_EQ(kview_set__hits(s, 1, n, -1, h), -ERANGE);
	/* across the counters' own limits, whatever those are */
	CHECK_OK(kview_set__hits(s, 1000, 3000, 0, h + 1));
	CHECK_OK(kview_set__hits(s, 2047, 1, 0, &one));
	CHECK_EQ(one, h[1 + 1047]);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("%u sites, %u of them hit, in %llu us", n, hit, (unsigned long long)start / 1000);
}

/* bpf_get_func_ip(), at entries and returns, alone and beside others. */
static void func_ip(void)
{
	enum { N = 1000 };
	static const char *const names[] = { "vfs_read", "__x64_sys_lseek" };
	uint64_t read = symbol("vfs_read"), lseek = symbol("__x64_sys_lseek");
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, names[0], names[1], NULL);
	struct kview_set *r = kview_view__add_returns(v, names, 2, NULL);
	int entry = bpf_map(), ret = bpf_map(), cookies = bpf_map(), ret_cookies = bpf_map();
	int others = bpf_map(), probe, prog = bpf_prog_sum_func_ip(entry);
	uint64_t cookie[] = { 3, 5 };

	CHECK(r);
	CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
	CHECK_OK(kview_set__add_prog(r, bpf_prog_sum_func_ip(ret), 0, NULL));
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, N);
	worker_do(&a, OP_LSEEK, N);
	CHECK_EQ(bpf_map_get(entry), N * (read + lseek));
	CHECK_EQ(bpf_map_get(ret), N * (read + lseek));

	/* a kprobe at the same place, and one on what a program calls */
	probe = bpf_kprobe_attach("vfs_read", bpf_prog_count(PROG_KPROBE, others, 0));
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_cookies(cookies), 7, cookie));
	CHECK_OK(kview_set__add_prog(r, bpf_prog_sum_cookies(ret_cookies), 0, cookie));
	worker_do(&a, OP_READ_MIGRATE, N);
	CHECK_EQ(bpf_map_get(entry), N * (2 * read + lseek));
	CHECK_EQ(bpf_map_get(ret), N * (2 * read + lseek));
	CHECK_EQ(bpf_map_get(cookies), 3 * N);
	CHECK_EQ(bpf_map_get(ret_cookies), 3 * N);
	CHECK(bpf_map_get(others) >= N);
	close(probe);
	/* alone again: the others' cookie, too */
	CHECK_OK(kview_set__del_prog(s, prog));
	worker_do(&a, OP_LSEEK, N);
	CHECK_EQ(bpf_map_get(cookies), 8 * N);
	CHECK_EQ(bpf_map_get(entry), N * (2 * read + lseek));
	worker_quit(&a);
	kview_set__free(s);
	kview_set__free(r);
	kview_view__free(v);
	figure("%d of %d entries and returns, cookies as well", 3 * N, 3 * N);
}

/* A stack begins at the site; the caller comes next. */
static void stacks(void)
{
	static const char *const name[] = { "vfs_read" };
	uint64_t read = symbol("vfs_read"), caller = symbol("ksys_read"), ip[4];
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *r = kview_view__add_returns(v, name, 1, NULL);
	int map[4], i;

	CHECK(r);
	for (i = 0; i < 4; i++) {
		map[i] = bpf_map();
		CHECK_OK(kview_set__add_prog(i < 2 ? s : r,
					     bpf_prog_sum_stack(PROG_KPROBE, map[i], i % 2), 0,
					     NULL));
	}
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 1);
	for (i = 0; i < 4; i++)
		ip[i] = bpf_map_get(map[i]);
	CHECK(ip[0] - read <= 4);		/* behind endbr64, perhaps */
	CHECK(ip[1] - caller < 512);
	CHECK(ip[2] - caller < 512);		/* a return's begins where it returns to */
	CHECK(ip[3] - caller >= 512);
	worker_quit(&a);
	kview_set__free(s);
	kview_set__free(r);
	kview_view__free(v);
	figure("vfs_read+%llu, ksys_read+%llu; of a return: ksys_read+%llu",
	       (unsigned long long)(ip[0] - read), (unsigned long long)(ip[1] - caller),
	       (unsigned long long)(ip[2] - caller));
}

const struct test_case cases_contract[] = {
	{ "skip-tells", skip_tells, ONCE, 0, "which sites were left out and why; names that are ambiguous" },
	{ "skip-tracepoints", skip_tracepoints, ONCE, 0, "tracepoints that cannot be sites are left out" },
	{ "losses", losses_told, ONCE, 0, "what a site did not see, by site and by set" },
	{ "hits-at-once", hits_at_once, ONCE, 0, "the counters of all functions by one call" },
	{ "func-ip", func_ip, PLAIN, 0, "bpf_get_func_ip() and bpf_get_attach_cookie()" },
	{ "stacks", stacks, PLAIN, 0, "stacks begin at the site" },
	{ "return-addresses", return_addresses, PLAIN, 0, "returns of functions given by address" },
	{ 0 },
};
