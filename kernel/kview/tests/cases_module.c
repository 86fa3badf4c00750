// SPDX-License-Identifier: GPL-2.0
/* Functions in modules, and modules that come and go. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "ctl.h"
#include "harness.h"
#include "modules.h"

#define FUNC	"kview_victim_read"
#define TWICE	"kview_victim_twice"
#define VICTIM	"kview_victim"
#define OTHERS	"kview_others"
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

/* What a name stands for: 0, or the errno with which it is refused. */
static uint32_t named_as(struct kview_view *v, const char *name, uint64_t *addr)
{
	struct kview_site_result r = { 0 };
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER, .results = &r };
	struct kview_set *s = kview_view__add_functions(v, &name, 1, &opts);
	int err = errno;

	*addr = r.addr;
	if (!s)
		return err;
	kview_set__free(s);
	return 0;
}

/* The address of a module's function, by /proc/kallsyms. */
static uint64_t symbol_of(const char *module, const char *name)
{
	char line[256], function[128], in[64];
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long addr, found = 0;

	CHECK(f);
	while (!found && fgets(line, sizeof(line), f))
		if (strchr(line, '[') &&
		    sscanf(line, "%llx %*c %127s [%63[^]]]", &addr, function, in) == 3 &&
		    !strcmp(in, module) && !strcmp(function, name))
			found = addr;
	fclose(f);
	CHECK(found);
	return found;
}

/* Functions of modules that are called like others, in the kernel image or in another module. */
static void module_names(void)
{
	static const struct {
		const char *name, *module;	/* whose it is; NULL: the image's */
		const char *function;
		uint32_t error;
	} one[] = {
		{ "read_zero", NULL, "read_zero", 0 },
		{ ":read_zero", VICTIM, "read_zero", 0 },
		{ VICTIM ":read_zero", VICTIM, "read_zero", 0 },
		{ "zero_fops", VICTIM, "zero_fops", 0 },
		{ ":vfs_read", NULL, NULL, ENOENT },
		{ VICTIM ":vfs_read", NULL, NULL, ENOENT },
		{ VICTIM ":" TWICE, NULL, NULL, ENOTUNIQ },
		{ OTHERS ":read_zero", NULL, NULL, ENOENT },
		{ "vmlinux:vfs_read", NULL, NULL, ENOENT },
		{ "kview:kview_handler", NULL, NULL, EADDRNOTAVAIL },
		{ VICTIM ":", NULL, NULL, ENOENT },
		{ ":", NULL, NULL, ENOENT },
	};
	const char *many[] = { OTHERS ":read_zero", "read_zero", ":read_zero", VICTIM ":read_zero",
			       ":kview_others_read", OTHERS ":read_zero" };
	const uint32_t errors[] = { 0, 0, ENOTUNIQ, 0, 0, EEXIST };
	struct kview_site_result r[ARRAY_SIZE(many)];
	struct kview_set_opts opts = {
		.flags = KVIEW_SET_FILTER | KVIEW_SET_SKIP_UNUSABLE,
		.results = r,
	};
	struct kview_view *v = view();
	struct kview_set *s;
	uint64_t addr;
	size_t i;

	CHECK_OK(module_file_load(VICTIM));
	for (i = 0; i < ARRAY_SIZE(one); i++) {
		uint32_t err = named_as(v, one[i].name, &addr);

		if (err != one[i].error)
			fail(__FILE__, __LINE__, "%s: %u, not %u", one[i].name, err, one[i].error);
		if (err)
			continue;
		CHECK_EQ(addr, one[i].module ? symbol_of(one[i].module, one[i].function) :
					       symbol(one[i].function));
	}
	CHECK(!kview_view__add_functions(v, &one[2].name, 1, NULL) && errno == EOPNOTSUPP);

	CHECK_OK(module_file_load(OTHERS));
	CHECK_EQ(named_as(v, ":read_zero", &addr), ENOTUNIQ);
	CHECK_EQ(named_as(v, "zero_fops", &addr), ENOTUNIQ);
	CHECK_EQ(named_as(v, OTHERS ":zero_fops", &addr), 0);
	CHECK_EQ(addr, symbol_of(OTHERS, "zero_fops"));
	s = kview_view__add_functions(v, many, ARRAY_SIZE(many), &opts);
	CHECK(s);
	for (i = 0; i < ARRAY_SIZE(many); i++)
		CHECK_EQ(r[i].error, errors[i]);
	CHECK_EQ(r[0].addr, symbol_of(OTHERS, "read_zero"));
	CHECK(r[1].addr != r[0].addr && r[1].addr != r[3].addr);
	CHECK_EQ(r[3].addr, symbol_of(VICTIM, "read_zero"));
	CHECK_EQ(module_delete(OTHERS), EAGAIN);
	kview_set__free(s);
	CHECK_EQ(module_delete(OTHERS), 0);
	CHECK_EQ(module_delete(VICTIM), 0);
	kview_view__free(v);
	figure("%zu names, and %zu at once", ARRAY_SIZE(one), ARRAY_SIZE(many));
}

static struct kview_view *named_view;
static struct kview_set *named;

static void add_named(void)
{
	const char *const name[] = { FUNC };

	named = filtered(named_view, name, 1);
}

/*
 * The name has been found, and nothing is hooked yet.  If the module went now, another one could
 * come to be where it was, and its function be counted under that name.
 */
static void module_held(void)
{
	struct caller a = caller_start();
	struct held h;
	int err;

	CHECK_OK(module_file_load(VICTIM));
	named_view = view();
	attach(named_view, a.pid, 0);
	held_begin_named(&h, add_named);
	err = module_delete(VICTIM);
	held_end(&h);
	CHECK_EQ(err, EAGAIN);
	CHECK(named);
	caller_calls(&a);
	CHECK_EQ(hits(named, 0), N);
	kview_set__free(named);
	CHECK_EQ(module_delete(VICTIM), 0);
	kview_view__free(named_view);
	caller_quit(&a);
	figure("it stays while its function's name is looked up; %d of %d", N, N);
}

/* Why a module stays, and who has to be asked. */
static void module_holder(void)
{
	struct kview_item *items;
	unsigned int found = 0;
	size_t n, i;

	CHECK_OK(module_file_load(VICTIM));
	EXPECT(0, "", "create web -m " VICTIM ":" FUNC " -f vfs_read");
	EXPECT(0, " " VICTIM ":" FUNC "\n", "stat web");
	CHECK_EQ(module_delete(VICTIM), EAGAIN);
	CHECK_EQ(count_lines(TRACING "enabled_functions", FUNC " [" VICTIM "]", NULL, NULL), 1);
	CHECK_EQ(count_lines(TRACING "enabled_functions", "direct-->kview_filter", NULL, NULL), 1);
	EXPECT(0, " set        filter ", "list -a");
	CHECK_OK(kview__list(dev(), &items, &n));
	for (i = 0; i < n; i++)
		if (items[i].flags & KVIEW_ITEM_FILTER) {
			CHECK(items[i].type == KVIEW_ITEM_SET && items[i].sites == 1);
			CHECK(items[i].owner_pid && !strcmp(items[i].owner_comm, "kviewctl"));
			CHECK(!strcmp(items[i].name, "web"));
			found++;
		}
	free(items);
	CHECK_EQ(found, 1);
	EXPECT(0, "", "remove web");
	CHECK_EQ(module_delete(VICTIM), 0);
}

/* As a user calls it. */
static void module_ctl(void)
{
	struct call c;

	EXPECT(1, FUNC ": no such function", "count -m " FUNC " -- /bin/true");
	CHECK_OK(module_file_load(VICTIM));
	EXPECT(1, FUNC ": is a module's function", "count -f " FUNC " -- /bin/true");
	EXPECT(1, "kviewctl: vfs_read: no such function in a module; -f takes the kernel image's",
	       "count -f vfs_read -m vfs_read -- /bin/true");
	EXPECT(1, TWICE ": several functions", "count -m " TWICE " -- /bin/true");
	c = CALL("count -f vfs_read -m " FUNC " -- /bin/dd if=/proc/kview-victim bs=1 count=7");
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, FUNC), 7);
	CHECK(counted(&c, "vfs_read") >= 7);
	CHECK_EQ(module_delete(VICTIM), 0);
	figure("7 of 7 reads by dd");
	module_holder();
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

const struct test_case cases_module[] = {
	{ "module-functions", module_functions, PLAIN, 0,
	  "functions of a module: refused, and with a filter counted" },
	{ "module-names", module_names, ONCE, 0, "functions of modules that have namesakes" },
	{ "module-ctl", module_ctl, ONCE, 0, "kviewctl counts a function of a module" },
	{ "module-held", module_held, ONCE, 0, "a module is to go when a name was found in it" },
	{ "module-fails", module_fails, ONCE, 0, "the same, each allocation failing in turn" },
	{ 0 },
};
