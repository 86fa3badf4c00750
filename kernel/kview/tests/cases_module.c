// SPDX-License-Identifier: GPL-2.0
/* Functions in modules, modules that come and go, and live patches. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "ctl.h"
#include "harness.h"
#include "modules.h"
#include "text.h"

#define FUNC	"kview_victim_read"
#define TWICE	"kview_victim_twice"
#define VICTIM	"kview_victim"
#define N	200

/* A process that calls the module's functions when told to. */
struct caller {
	pid_t pid;
	int begin[2], end[2];
};

static void call(int n)
{
	int fd = open("/proc/kview-victim", O_RDONLY | O_CLOEXEC);
	char c;

	CHECK(fd >= 0);
	while (n--)
		CHECK(read(fd, &c, 1) == 1 && c == 'v');
	close(fd);
}

static struct caller caller_start(void)
{
	struct caller c;
	char byte;

	CHECK(!pipe(c.begin) && !pipe(c.end));
	c.pid = fork();
	CHECK(c.pid >= 0);
	if (c.pid)
		return c;
	close(c.begin[1]);
	while (read(c.begin[0], &byte, 1) == 1) {
		call(N);
		CHECK(write(c.end[1], "", 1) == 1);
	}
	_exit(0);
}

static void caller_calls(struct caller *c)
{
	char byte;

	CHECK(write(c->begin[1], "", 1) == 1);
	CHECK(read(c->end[0], &byte, 1) == 1);
}

static void caller_quit(struct caller *c)
{
	int status;

	close(c->begin[1]);
	CHECK(waitpid(c->pid, &status, 0) == c->pid && !status);
	close(c->begin[0]);
	close(c->end[0]);
	close(c->end[1]);
}

static struct kview_set *filtered(struct kview_view *v, const char *const *names, size_t n)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER };

	return kview_view__add_functions(v, names, n, &opts);
}

/* In a module: by name and by address, entries and returns, alone and among others. */
static void refused(struct kview_view *v)
{
	const char *names[] = { FUNC, "vfs_read", TWICE, "kview_handler", "no_such_function" };
	const uint32_t bare[] = { EOPNOTSUPP, 0, ENOTUNIQ, EOPNOTSUPP, ENOENT };
	const uint32_t filter[] = { 0, 0, ENOTUNIQ, EADDRNOTAVAIL, ENOENT };
	struct kview_site_result r[ARRAY_SIZE(names)];
	struct kview_set_opts opts = { 0 };
	uint64_t addr = symbol(FUNC);
	struct kview_set *s;
	size_t i;
	int f;

	CHECK(addr);
	CHECK(!kview_view__add_functions(v, names, 1, &opts) && errno == EOPNOTSUPP && !opts.bad);
	CHECK(kernel_log_has(FUNC " [" VICTIM "]: a view has the kernel image's functions alone"));
	CHECK(!kview_view__add_returns(v, names, 1, &opts) && errno == EOPNOTSUPP);
	CHECK(!kview_view__add_addresses(v, &addr, 1, &opts) && errno == EOPNOTSUPP);
	for (f = 0; f < 2; f++) {
		opts.flags = KVIEW_SET_SKIP_UNUSABLE | (f ? KVIEW_SET_FILTER : 0);
		opts.results = r;
		s = kview_view__add_functions(v, names, ARRAY_SIZE(names), &opts);
		CHECK(s);
		for (i = 0; i < ARRAY_SIZE(names); i++)
			CHECK_EQ(r[i].error, f ? filter[i] : bare[i]);
		CHECK_EQ(r[0].addr, f ? addr : 0);
		kview_set__free(s);
	}
}

/* A filter for a module's function: exact for who is traced, 0 for others; the module stays. */
static void module_functions(void)
{
	const char *names[] = { FUNC, "vfs_read" };
	struct caller a = caller_start();
	struct kview_attachment *att;
	struct kview_view *v = view();
	struct kview_set *s, *t;
	int map = bpf_map(), prog = bpf_prog_count(PROG_KPROBE, map, 0);
	uint64_t addr;
	pid_t client;

	CHECK(!filtered(v, names, 1) && errno == ENOENT);
	CHECK_OK(module_file_load(VICTIM));
	refused(v);
	s = filtered(v, names, 1);
	CHECK(s);
	CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
	t = functions(v, "vfs_read", NULL);
	att = attach(v, a.pid, 0);
	caller_calls(&a);
	call(N);
	CHECK_EQ(hits(s, 0), N);
	CHECK_EQ(bpf_map_get(map), N);
	CHECK(hits(t, 0) >= N);		/* its pipe, too */
	CHECK_EQ(module_delete(VICTIM), EAGAIN);
	caller_calls(&a);
	CHECK_EQ(hits(s, 0), 2 * N);
	CHECK(!filtered(v, names, 1) && errno == EBUSY);
	kview_set__free(s);
	/* the view, who is in it and what it has of the image's stay */
	caller_calls(&a);
	CHECK_EQ(module_delete(VICTIM), 0);
	CHECK_EQ(bpf_map_get(map), 2 * N);
	CHECK(!filtered(v, names, 2) && errno == ENOENT);

	CHECK_OK(module_file_load(VICTIM));
	addr = symbol(FUNC);
	s = kview_view__add_addresses(v, &addr, 1,
				      &(struct kview_set_opts){ .flags = KVIEW_SET_FILTER });
	CHECK(s);
	caller_calls(&a);
	call(N);
	CHECK_EQ(hits(s, 0), N);
	kview_set__free(s);

	/* a client that is killed lets go, too */
	client = fork();
	if (!client) {
		CHECK(filtered(v, names, 2));
		raise(SIGKILL);
	}
	CHECK(waitpid(client, NULL, 0) == client);
	CHECK_EQ(module_delete_patiently(VICTIM), 0);
	kview_attachment__free(att);
	caller_quit(&a);
	kview_set__free(t);
	kview_view__free(v);
	figure("%d of %d calls, 0 of others'; the module stays while it is hooked", 3 * N, 3 * N);
}

/* As a user calls it. */
static void module_ctl(void)
{
	struct call c;

	EXPECT(1, FUNC ": no such function", "count -m " FUNC " -- /bin/true");
	CHECK_OK(module_file_load(VICTIM));
	EXPECT(1, FUNC ": is a module's function", "count -f " FUNC " -- /bin/true");
	EXPECT(1, TWICE ": several functions", "count -m " TWICE " -- /bin/true");
	c = CALL("count -f vfs_read -m " FUNC " -- /bin/dd if=/proc/kview-victim bs=1 count=7");
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, FUNC), 7);
	CHECK(counted(&c, "vfs_read") >= 7);
	CHECK_EQ(module_delete(VICTIM), 0);
	figure("7 of 7 reads by dd");
}

/* Each allocation that such a set takes fails in turn: the module is let go of. */
static void module_fails(void)
{
	const char *names[] = { FUNC, "vfs_read" };
	struct kview_view *v = view();
	struct kview_set *s = NULL;
	int nth, err;

	CHECK_OK(module_file_load(VICTIM));
	for (nth = 1; !s; nth++) {
		fail_at(nth);
		s = filtered(v, names, 2);
		err = errno;
		if (!fail_over())
			break;
		CHECK(!s && (err == ENOMEM || err == EMFILE));
		CHECK_EQ(module_delete(VICTIM), 0);
		CHECK_OK(module_file_load(VICTIM));
	}
	CHECK(s);
	kview_set__free(s);
	CHECK_EQ(module_delete(VICTIM), 0);
	kview_view__free(v);
	figure("%d allocations", nth - 1);
}

/* What a kernel function is replaced by is run in a view, too, and hooks at it lose nothing. */
static void livepatch(void)
{
	const char *const func[] = { "read_zero" };
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s, *r, *t, *f;
	struct text *before = text_read(), *after;
	unsigned long at = 0;
	int i;

	if (!module_file_exists(LIVEPATCH)) {
		figure("this kernel has no live patches");
		return;
	}
	s = functions(v, "read_zero", "vfs_read", NULL);
	r = kview_view__add_returns(v, func, 1, NULL);
	CHECK(r);
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, N);
	CHECK_EQ(hits(s, 0), N);

	CHECK_OK(module_file_load(LIVEPATCH));
	livepatch_settle();
	worker_do(&a, OP_READ, N);
	worker_do(&b, OP_READ_MIGRATE, N);
	CHECK_EQ(livepatch_calls(), 2 * N);
	CHECK_EQ(hits(s, 0), 2 * N);
	CHECK_EQ(hits(s, 1), 2 * N);
	CHECK_EQ(hits(r, 0), 2 * N);
	/* a copy that is made of text that is patched already */
	t = functions(w, "read_zero", "vfs_write", NULL);
	attach(w, c.pid, 0);
	worker_do(&c, OP_READ_MIGRATE, N);
	CHECK_EQ(hits(t, 0), N);
	CHECK_EQ(livepatch_calls(), 3 * N);
	/* of these two ftrace has one for a function */
	CHECK(!filtered(v, func, 1) && errno == EBUSY);

	livepatch_unload();
	worker_do(&a, OP_READ_MIGRATE, N);
	worker_do(&c, OP_READ, N);
	CHECK_EQ(hits(s, 0), 3 * N);
	CHECK_EQ(hits(r, 0), 3 * N);
	CHECK_EQ(hits(t, 0), 2 * N);
	f = filtered(v, func, 1);
	CHECK(f);
	CHECK_EQ(module_file_load(LIVEPATCH), -EBUSY);
	worker_do(&a, OP_READ, N);
	CHECK_EQ(hits(f, 0), N);
	CHECK_EQ(hits(s, 0), 4 * N);
	kview_set__free(f);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	kview_view__free(v);
	kview_view__free(w);
	for (i = 0; i < PATIENCE / 20; i++) {
		after = text_read();
		if (!text_differs(before, after, &at))
			break;
		free(after);
		usleep(200000);
	}
	if (i == PATIENCE / 20)
		fail(__FILE__, __LINE__, "the base's text differs, first at %lx", at);
	figure("%d of %d calls, while and after it is patched; the text is as it was", 4 * N, 4 * N);
}

const struct test_case cases_module[] = {
	{ "module-functions", module_functions, PLAIN, 0,
	  "functions of a module: refused, and with a filter counted" },
	{ "module-ctl", module_ctl, PLAIN, 0, "kviewctl counts a function of a module" },
	{ "module-fails", module_fails, PLAIN, 0, "the same, each allocation failing in turn" },
	{ "livepatch", livepatch, PLAIN, 0, "a hooked function is live-patched" },
	{ 0 },
};
