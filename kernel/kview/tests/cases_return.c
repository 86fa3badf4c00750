// SPDX-License-Identifier: GPL-2.0
/* Function returns: each one, at any depth, beside other tracers. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include "harness.h"

/* Returns: the value returned, and a call under way when its set goes. */
static void returns(void)
{
	static const char *const read_name[] = { "vfs_read" }, *const wait_name[] = { "futex_wait" };
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = kview_view__add_returns(v, read_name, 1, NULL);
	struct kview_set *w = kview_view__add_returns(v, wait_name, 1, NULL);
	struct kview_set *t = functions(v, "vfs_read", NULL);
	int sum = bpf_map(), count = bpf_map();
	struct kview_attachment *att;
	struct kview_set_stat st;

	CHECK(s && w);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_reg(sum, 80 /* ax */), 0, NULL));
	CHECK_OK(kview_set__add_prog(t, bpf_prog_count(PROG_KPROBE, count, 0), 0, NULL));
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_RAW_TRACEPOINT), 0, NULL), -EINVAL);
	att = attach(v, a.pid, 0);
	worker_begin(&a, OP_READ_THREADS, 1000);
	worker_begin(&b, OP_READ, 1000);
	worker_wait(&a);
	worker_wait(&b);
	CHECK_EQ(hits(s, 0), 4000);
	CHECK_EQ(bpf_map_get(sum), 4000);	/* each returned 1 */
	CHECK_EQ(bpf_map_get(count), 4000);
	CHECK_OK(kview_set__stat(s, &st));
	CHECK_EQ(st.missed, 0);

	/* the worker now sleeps in futex_wait(): it returns when nothing is left */
	worker_sleeps(&a);
	CHECK(hits(w, 0) > 0);
	kview_set__free(w);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	worker_do(&a, OP_READ, 10);
	CHECK_EQ(bpf_map_get(sum), 4000);
	worker_quit(&a);
	worker_quit(&b);
	figure("4000 of 4000, none missed; a call outlasts its set");
}

/* A process of this case's own, in the view while @fn runs in it. */
static void in_view(struct kview_view *v, void (*fn)(void))
{
	struct kview_attachment *att;
	int go[2], status;
	pid_t pid;
	char c;

	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &c, 1) == 1);
		fn();
		_exit(0);
	}
	att = attach(v, pid, 0);
	CHECK(write(go[1], "", 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	kview_attachment__free(att);
	close(go[0]);
	close(go[1]);
}

static struct kview_set *returns_of(struct kview_view *v, const char *name)
{
	struct kview_set *s = kview_view__add_returns(v, &name, 1, NULL);

	CHECK(s);
	return s;
}

/* The name in the kernel of a function that the compiler may have made a copy of. */
static const char *variant(const char *name)
{
	static char line[256];
	FILE *f = fopen(TRACING "available_filter_functions", "r");
	size_t len = strlen(name);

	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n ")] = 0;
		if (!strncmp(line, name, len) && (!line[len] || line[len] == '.')) {
			fclose(f);
			return line;
		}
	}
	fail(__FILE__, __LINE__, "no %s", name);
}

enum { NESTED = 5, POLLS = 200 };

/* epoll in epoll in ...: the kernel's function calls itself. */
static void poll_nested(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int fd[NESTED], p[2], i;
	struct pollfd poll_fd;

	CHECK(!pipe(p));
	for (i = 0; i < NESTED; i++) {
		fd[i] = epoll_create1(0);
		CHECK(fd[i] >= 0);
		CHECK(!epoll_ctl(fd[i], EPOLL_CTL_ADD, i ? fd[i - 1] : p[0], &e));
	}
	CHECK(write(p[1], "", 1) == 1);
	poll_fd = (struct pollfd){ .fd = fd[NESTED - 1], .events = POLLIN };
	for (i = 0; i < POLLS; i++)
		CHECK(poll(&poll_fd, 1, 0) == 1);
}

static void recursion(void)
{
	const char *name = variant("__ep_eventpoll_poll");
	struct kview_view *v = view();
	struct kview_set *calls = functions(v, name, NULL), *s = returns_of(v, name);
	struct kview_set_stat st;
	int map = bpf_map();

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	in_view(v, poll_nested);
	CHECK_OK(kview_set__stat(s, &st));
	CHECK_EQ(st.missed, 0);
	CHECK(hits(calls, 0) >= 2 * POLLS);	/* less what the compiler unrolled */
	CHECK_EQ(hits(s, 0), hits(calls, 0));
	CHECK_EQ(bpf_map_get(map), hits(calls, 0));
	figure("%d returns of %d calls, up to %d deep", (int)bpf_map_get(map), (int)hits(calls, 0),
	       (int)(hits(calls, 0) / POLLS));
	kview_set__free(calls);
	kview_set__free(s);
	kview_view__free(v);
}

/* As many calls at a time as are watched, and some more. */
enum { WATCHED = 2048, MORE = 52 };
static struct kview_set *polls;
static unsigned int turn, nthreads = WATCHED + MORE;
static int wake[2];

static void *wait_for_pipe(void *unused)
{
	struct pollfd fd = { .fd = wake[0], .events = POLLIN };

	poll(&fd, 1, -1);
	return unused;
}

static void wait_in_threads(void)
{
	static pthread_t thread[WATCHED + MORE];
	pthread_attr_t attr;
	int i;

	CHECK(!pipe(wake));
	CHECK(!pthread_attr_init(&attr) && !pthread_attr_setstacksize(&attr, 16384));
	for (i = 0; i < (int)nthreads; i++)
		CHECK(!pthread_create(&thread[i], &attr, wait_for_pipe, NULL));
	/* counted at its start, and none ends before there is something to read */
	while (hits(polls, 0) < turn * nthreads)
		usleep(10000);
	CHECK(write(wake[1], "", 1) == 1);
	for (i = 0; i < (int)nthreads; i++)
		pthread_join(thread[i], NULL);
}

static void many_calls(void)
{
	struct kview_view *v = view();
	struct kview_set_stat st;
	int map = bpf_map();

	polls = returns_of(v, "__x64_sys_poll");
	CHECK_OK(kview_set__add_prog(polls, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	/* what was watched once can be watched again: returns-chosen shows it as well, of fewer */
	for (turn = 1; turn <= (unsigned int)repeats(1, 2); turn++) {
		in_view(v, wait_in_threads);
		CHECK_EQ(hits(polls, 0), turn * (WATCHED + MORE));
		CHECK_OK(kview_set__stat(polls, &st));
		CHECK_EQ(st.missed, turn * MORE);
		CHECK_EQ(bpf_map_get(map), turn * WATCHED);
	}
	figure("%d of %d calls at a time watched, %d counted as missed", WATCHED, WATCHED + MORE, MORE);
	kview_set__free(polls);
	kview_view__free(v);
}

/* As many as were chosen; what memory they take is told. */
static void chosen(void)
{
	static const char *const poll_name[] = { "__x64_sys_poll" };
	struct kview_set_opts opts = { .returns = 16 };
	struct kview_view *v = view();
	struct kview_item small, large;
	struct kview_site_losses l;

	nthreads = 40;
	polls = kview_view__add_returns(v, poll_name, 1, &opts);
	CHECK(polls);
	/* what was watched once can be watched again */
	for (turn = 1; turn <= 3; turn++) {
		in_view(v, wait_in_threads);
		CHECK_EQ(hits(polls, 0), turn * 40);
		CHECK_OK(kview_set__losses(polls, 0, 1, &l));
		CHECK_EQ(l.missed, turn * 24);
	}
	CHECK_OK(kview_set__item(polls, &small));
	kview_set__free(polls);
	opts.returns = 4096;
	polls = kview_view__add_returns(v, poll_name, 1, &opts);
	CHECK(polls);
	CHECK_OK(kview_set__item(polls, &large));
	CHECK(large.memory - small.memory >= 4080 * 6 * sizeof(long));
	kview_set__free(polls);
	opts.returns = KVIEW_RETURNS_MAX + 1;
	CHECK(!kview_view__add_returns(v, poll_name, 1, &opts) && errno == E2BIG);
	CHECK(!kview_view__add_functions(v, poll_name, 1, &opts) && errno == EINVAL);
	kview_view__free(v);
	figure("16 of 40 calls at a time watched, 24 counted as missed");
}

/* Lines that the process left in the trace. */
static int traced(struct worker *w, const char *what)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "-%d ", w->pid);
	return count_lines(TRACING "trace", pid, what, NULL);
}

/* A kretprobe and the graph tracer at the same function lose nothing. */
static void others(void)
{
	enum { N = 50 };
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = returns_of(v, "__x64_sys_lseek");
	struct kview_attachment *att = attach(v, a.pid, 0);
	int map = bpf_map();

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	write_file(TRACING "kprobe_events", "r:kv_ret __x64_sys_lseek");
	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(TRACING "events/kprobes/kv_ret/enable", "1");
	worker_do(&a, OP_LSEEK, N);
	worker_do(&b, OP_LSEEK, N);
	CHECK_EQ(traced(&a, "kv_ret"), N);
	CHECK_EQ(traced(&b, "kv_ret"), N);
	CHECK_EQ(bpf_map_get(map), N);

	/* the graph tracer as well: three who replace one return address */
	write_file(TRACING "set_ftrace_filter", "__x64_sys_lseek");
	write_file(TRACING "current_tracer", "function_graph");
	write_file(TRACING "trace", "");
	worker_do(&a, OP_LSEEK, N);
	worker_do(&b, OP_LSEEK, N);
	write_file(TRACING "tracing_on", "0");
	CHECK_EQ(count_lines(TRACING "trace", "__x64_sys_lseek", NULL, NULL) -
		 count_lines(TRACING "trace", "kv_ret", NULL, NULL), 2 * N);
	CHECK_EQ(count_lines(TRACING "trace", "kv_ret", NULL, NULL), 2 * N);
	CHECK_EQ(bpf_map_get(map), 2 * N);
	write_file(TRACING "current_tracer", "nop");
	write_file(TRACING "set_ftrace_filter", "");
	write_file(TRACING "events/kprobes/kv_ret/enable", "0");
	write_file(TRACING "kprobe_events", "");
	write_file(TRACING "tracing_on", "1");
	worker_do(&a, OP_LSEEK, N);
	CHECK_EQ(bpf_map_get(map), 3 * N);
	kview_attachment__free(att);
	worker_quit(&a);
	worker_quit(&b);
	figure("kretprobe and graph tracer: %d of %d each; view: %d of %d", 2 * N, 2 * N, 3 * N, 3 * N);
	kview_set__free(s);
	kview_view__free(v);
}

/* Functions of the image that the kernel itself sets no kprobe in, behind @addr. */
static size_t refused_by_kprobes(uint64_t *addr, size_t max)
{
	unsigned long start = symbol("_text"), end = symbol("_etext"), at;
	FILE *f = fopen("/sys/kernel/debug/kprobes/blacklist", "re");
	char line[256];
	size_t n = 0;

	CHECK(f);
	while (n < max && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx", &at) == 1 && at >= start && at < end)
			addr[n++] = at;
	fclose(f);
	CHECK(n > 100 && n < max);
	return n;
}

/*
 * A kretprobe of others is set while functions of kprobes run: were one of these watched until it
 * returns, the kernel would find the two in the wrong order, warn, and lose the kretprobe's return.
 */
static void of_kprobes(void)
{
	enum { N = 20, MAX = 4000 };
	static uint64_t addr[MAX];
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct worker a = worker_start();
	struct kview_view *v = view();
	size_t n = 1 + refused_by_kprobes(addr + 1, MAX - 1);
	struct kview_set *s, *entries;

	addr[0] = symbol("__x64_sys_lseek");
	entries = kview_view__add_addresses(v, addr, n, &opts);
	s = kview_view__add_return_addresses(v, addr, n, &opts);
	CHECK(entries && s);
	attach(v, a.pid, 0);
	write_file(TRACING "kprobe_events", "r:kv_ret __x64_sys_lseek");
	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(TRACING "events/kprobes/kv_ret/enable", "1");
	worker_do(&a, OP_LSEEK, N);
	write_file(TRACING "events/kprobes/kv_ret/enable", "0");
	CHECK_EQ(traced(&a, "kv_ret"), N);
	CHECK_EQ(hits(s, 0), N);
	write_file(TRACING "kprobe_events", "");
	worker_quit(&a);
	figure("kretprobe: %d of %d, with the entries of %zu functions counted and the returns of %zu", N, N,
	       kview_set__size(entries), kview_set__size(s));
	CHECK_EQ(kview_set__size(s), 1);
	kview_set__free(s);
	kview_set__free(entries);
	kview_view__free(v);
}

/* The module looks up at its loading which functions these are: does the kernel say the same of each? */
static void as_kprobes(void)
{
	unsigned int differ, barred, all;
	char line[64];
	FILE *f = fopen("/sys/module/kview/parameters/barred", "re");

	CHECK(f && fgets(line, sizeof(line), f));
	fclose(f);
	CHECK_EQ(sscanf(line, "%u %u %u", &differ, &barred, &all), 3);
	CHECK_EQ(differ, 0);
	CHECK(barred > 10 && all > 30000);
	figure("of %u functions the returns of %u are not watched, as the kernel sets no kprobe there", all, barred);
}

/* What a set remembers of calls under way is the view's memory, too. */
static void memory(void)
{
	static const char *const names[] = { "vfs_read" };
	struct kview_view *v = view();
	struct kview_view_stat a, b;
	struct kview_set *s[10];
	unsigned int i;

	CHECK_OK(kview_view__stat(v, &a));
	for (i = 0; i < ARRAY_SIZE(s); i++) {
		s[i] = kview_view__add_returns(v, names, 1, NULL);
		CHECK(s[i]);
	}
	CHECK_OK(kview_view__stat(v, &b));
	/* 2048 nodes of six words at least */
	CHECK(b.memory - a.memory >= ARRAY_SIZE(s) * 2048 * 6 * sizeof(long));
	for (i = 0; i < ARRAY_SIZE(s); i++)
		kview_set__free(s[i]);
	kview_view__free(v);
	figure("%zu sets: %llu KiB", ARRAY_SIZE(s),
	       (unsigned long long)(b.memory - a.memory) >> 10);
}

const struct test_case cases_return[] = {
	{ "return-memory", memory, ONCE, 0, "a view's memory includes what its returns take" },
	{ "returns", returns, PLAIN, 0, "function returns" },
	{ "returns-recursion", recursion, ONCE, 0, "a function that calls itself" },
	{ "returns-many", many_calls, ONCE, 0, "more calls at a time than can be watched" },
	{ "returns-chosen", chosen, ONCE, 0, "how many calls are watched at a time" },
	{ "returns-of-kprobes", of_kprobes, PLAIN, 0, "returns of functions that set kretprobes are not watched" },
	{ "as-kprobes", as_kprobes, PLAIN, 0, "which these are is what the kernel says of each function" },
	{ "returns-others", others, PLAIN, 0, "a kretprobe and the graph tracer at the same function" },
	{ 0 },
};
