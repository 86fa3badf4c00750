// SPDX-License-Identifier: GPL-2.0
/* Bad input: a precise errno, nothing changed, nothing leaked. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness.h"

static int add_error(struct kview_view *v, const char *a, const char *b, uint32_t bad)
{
	struct kview_set_opts opts = { 0 };
	const char *names[] = { a, b };
	struct kview_set *s;
	int err;

	errno = 0;
	s = kview_view__add_functions(v, names, b ? 2 : 1, &opts);
	err = errno;
	if (s)
		return 0;
	CHECK_EQ(opts.bad, bad);
	return err;
}

static void bad_sites(void)
{
	struct kview_view *v = view();
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	const char *tp = "no_such_tracepoint";
	const char *mixed[] = { "no_such_function", "vfs_read", "vfs_read", "do_nmi", "ksys_read" };
	uint64_t middle = symbol("vfs_read") + 9, data = symbol("init_mm");
	struct kview_view_stat before, after;
	struct kview_set *s;

	CHECK_OK(kview_view__stat(v, &before));
	CHECK_EQ(add_error(v, "no_such_function", NULL, 0), ENOENT);
	CHECK_EQ(add_error(v, "vfs_read", "no_such_function", 1), ENOENT);
	CHECK_EQ(add_error(v, "vfs_read", "vfs_read", 1), EEXIST);
	CHECK_EQ(add_error(v, "exc_page_fault", NULL, 0), EADDRNOTAVAIL);	/* noinstr */
	CHECK_EQ(add_error(v, "entry_SYSCALL_64", NULL, 0), EADDRNOTAVAIL);
	CHECK_EQ(add_error(v, "ftrace_replace_code", NULL, 0), EADDRNOTAVAIL);	/* notrace */
	CHECK_EQ(add_error(v, "init_mm", NULL, 0), EADDRNOTAVAIL);		/* data */

	errno = 0;
	CHECK(!kview_view__add_addresses(v, &middle, 1, NULL) && errno == EADDRNOTAVAIL);
	CHECK(!kview_view__add_addresses(v, &data, 1, NULL) && errno == EADDRNOTAVAIL);
	CHECK(!kview_view__add_addresses(v, &data, 0, NULL) && errno == EINVAL);
	CHECK(!kview_view__add_addresses(v, (void *)8, 1, NULL) && errno == EFAULT);
	CHECK(!kview_view__add_addresses(v, &data, KVIEW_SET_MAX + 1, NULL) && errno == E2BIG);
	CHECK(!kview_view__add_tracepoints(v, &tp, 1, NULL) && errno == ENOENT);

	CHECK_OK(kview_view__stat(v, &after));
	CHECK(!memcmp(&before, &after, sizeof(before)));

	s = kview_view__add_functions(v, mixed, ARRAY_SIZE(mixed), &skip);
	CHECK(s);
	CHECK_EQ(kview_set__size(s), 2);
	figure("13 refused, 3 of 5 skipped");
	kview_set__free(s);
	kview_view__free(v);
}

static void bad_requests(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_view_create create = { .flags = 1 };
	struct kview_set_create set = { .kind = 77, .count = 1, .names = (uintptr_t)"x" };
	struct kview_hits h = { .first = 1, .count = 1, .cpu = -1 };
	uint64_t addr = symbol("vfs_read");
	int vfd = kview_view__fd(v), sfd = kview_set__fd(s);

	CHECK(ioctl(kview__fd(dev()), KVIEW_VIEW_CREATE, &create) < 0 && errno == EINVAL);
	CHECK(ioctl(kview__fd(dev()), KVIEW_VIEW_CREATE, NULL) < 0 && errno == EFAULT);
	CHECK(ioctl(kview__fd(dev()), KVIEW_ATTACH, &create) < 0 && errno == ENOTTY);
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == EINVAL);
	set.kind = KVIEW_KIND_ENTRY;
	set.flags = 0x80;
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == EINVAL);
	set.flags = 0;
	set.names_size = 1;		/* not ended by a NUL */
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == EINVAL);
	set.names_size = ~0U;
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == E2BIG);
	set.addrs = 8;			/* both */
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == EINVAL);
	set.addrs = (uintptr_t)&addr;
	set.names = 0;
	set.names_size = 9;		/* of nothing */
	CHECK(ioctl(vfd, KVIEW_SET_CREATE, &set) < 0 && errno == EINVAL);
	CHECK(ioctl(sfd, KVIEW_HITS, &h) < 0 && errno == ERANGE);
	h.first = 0;
	h.cpu = 100000;
	CHECK(ioctl(sfd, KVIEW_HITS, &h) < 0 && errno == ERANGE);
	h.cpu = 0;
	CHECK(ioctl(sfd, KVIEW_HITS, &h) < 0 && errno == EFAULT);
	h.reserved = 1;
	CHECK(ioctl(sfd, KVIEW_HITS, &h) < 0 && errno == EINVAL);
	CHECK(ioctl(sfd, KVIEW_VIEW_STAT, &h) < 0 && errno == ENOTTY);
	figure("14 refused");
	kview_set__free(s);
	kview_view__free(v);
}

static void bad_programs(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = tracepoint(v, "sched_process_fork");
	int map = bpf_map(), override = bpf_prog_override();

	CHECK_EQ(kview_set__add_prog(s, 9999, 0, NULL), -EBADF);
	CHECK_EQ(kview_set__add_prog(s, map, 0, NULL), -EINVAL);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_kprobe_multi(), 0, NULL), -EINVAL);
	if (override >= 0)
		CHECK_EQ(kview_set__add_prog(s, override, 0, NULL), -EINVAL);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_TRACEPOINT), 0, NULL), -EINVAL);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_sleepable(), 0, NULL), -EINVAL);
	/* the seventh word is no argument of a function, but one of a tracepoint */
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_sum_arg(map, 48), 0, NULL), -EINVAL);
	CHECK_OK(kview_set__add_prog(t, bpf_prog_sum_arg(map, 48), 0, NULL));
	CHECK_EQ(kview_set__add_prog(t, bpf_prog_empty(PROG_KPROBE), 0, NULL), -EINVAL);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, (void *)8), -EFAULT);
	CHECK_EQ(kview_set__del_prog(s, bpf_prog_empty(PROG_KPROBE)), -ENOENT);
	CHECK_EQ(kview_set__del_prog(s, 9999), -EBADF);
	figure("%d refused", override >= 0 ? 11 : 10);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(v);
}

static int attach_error(struct kview_view *v, pid_t pid)
{
	errno = 0;
	return kview_view__attach(v, pid, 0) ? 0 : errno;
}

static void bad_processes(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_attachment *att = attach(v, a.pid, 0), *again = attach(w, a.pid, 0);
	struct kview_attach arg = { .pidfd = 0 };
	struct kview_view_stat before, after;
	pid_t zombie = fork();
	siginfo_t ended;

	if (!zombie)
		_exit(0);
	CHECK(!waitid(P_PID, zombie, &ended, WEXITED | WNOWAIT));
	CHECK_EQ(attach_error(v, a.pid), EBUSY);
	/* what inheriting takes was put into the view, and is out again */
	CHECK_OK(kview_view__stat(w, &before));
	CHECK(!kview_view__attach(w, a.pid, KVIEW_ATTACH_FORK) && errno == EBUSY);
	CHECK_OK(kview_view__stat(w, &after));
	CHECK(before.sets == after.sets && before.text_pages == after.text_pages);
	CHECK_EQ(attach_error(v, 2), EINVAL);		/* kthreadd */
	CHECK_EQ(attach_error(v, zombie), ESRCH);
	waitpid(zombie, NULL, 0);
	CHECK(ioctl(kview_view__fd(v), KVIEW_ATTACH, &arg) < 0 && errno == EBADF);
	arg.pidfd = 9999;
	CHECK(ioctl(kview_view__fd(v), KVIEW_ATTACH, &arg) < 0 && errno == EBADF);
	arg.flags = 0x80;
	CHECK(ioctl(kview_view__fd(v), KVIEW_ATTACH, &arg) < 0 && errno == EINVAL);
	worker_quit(&a);
	figure("7 refused");
	kview_attachment__free(att);
	kview_attachment__free(again);
	kview_view__free(v);
	kview_view__free(w);
}

/* A plain user may ask what is there, no more. */
static void plain_user(void)
{
	struct kview_view *v = view();
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct kview_stat st;
		struct kview *k;

		CHECK(!setresgid(1000, 1000, 1000) && !setresuid(1000, 1000, 1000));
		k = kview__open();
		CHECK(k);
		CHECK_OK(kview__stat(k, &st));
		CHECK(!kview_view__new(k) && errno == EPERM);
		/* a view fd that was inherited gives no right to use it either */
		CHECK(attach_error(v, getpid()) == EPERM);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	kview_view__free(v);
	figure("EPERM");
}

/* Once kprobes are locked down root can make nothing; what there is goes on, and can go. */
static void locked_down(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, 0);
	const char *name = "vfs_write";

	CHECK(!mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL) || errno == EBUSY);
	write_file("/sys/kernel/security/lockdown", "integrity");
	kview_view__free(view());
	write_file("/sys/kernel/security/lockdown", "confidentiality");
	CHECK(!kview_view__new(dev()) && errno == EPERM);
	CHECK(!kview_view__add_functions(v, &name, 1, NULL) && errno == EPERM);
	CHECK(attach_error(v, getpid()) == EPERM);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 100);
	worker_quit(&a);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
	figure("3 refused");
}

/* CAP_BPF and CAP_PERFMON as a plain user: one's own processes, nobody else's. */
static void other_user(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { { 0 } };
	struct worker root = worker_start();
	int status, cgroup = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY);
	pid_t pid = fork();

	CHECK(cgroup >= 0);
	if (!pid) {
		uint32_t both = 1U << (CAP_BPF - 32) | 1U << (CAP_PERFMON - 32);
		struct kview_attach_cgroup arg = { .cgroup_fd = cgroup };
		struct kview_attachment *att;
		struct kview_view *v;
		pid_t own;

		CHECK(!prctl(PR_SET_KEEPCAPS, 1));
		CHECK(!setresgid(1000, 1000, 1000) && !setresuid(1000, 1000, 1000));
		caps[1].permitted = both;
		caps[1].effective = both;
		CHECK(!syscall(SYS_capset, &header, caps));
		CHECK(!prctl(PR_SET_DUMPABLE, 1));	/* lost with the user */
		own = fork();
		if (!own) {
			pause();
			_exit(0);
		}
		v = view();
		CHECK_EQ(attach_error(v, root.pid), EACCES);
		CHECK(ioctl(kview_view__fd(v), KVIEW_ATTACH_CGROUP, &arg) < 0 && errno == EPERM);
		att = attach(v, own, 0);
		kview_attachment__free(att);
		kill(own, SIGKILL);
		waitpid(own, NULL, 0);
		_exit(0);
	}
	close(cgroup);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	worker_quit(&root);
	figure("EACCES for root's process, EPERM for a cgroup, one's own attached");
}

static void bad_cgroups(void)
{
	struct kview_view *v = view();
	struct kview_attach_cgroup arg = { .cgroup_fd = 9999 };
	int fd = kview_view__fd(v);

	CHECK(ioctl(fd, KVIEW_ATTACH_CGROUP, &arg) < 0 && errno == EBADF);
	arg.cgroup_fd = fd;
	CHECK(ioctl(fd, KVIEW_ATTACH_CGROUP, &arg) < 0 && errno == EBADF);
	arg.flags = 1;
	CHECK(ioctl(fd, KVIEW_ATTACH_CGROUP, &arg) < 0 && errno == EINVAL);
	CHECK(ioctl(fd, KVIEW_ATTACH_CGROUP, NULL) < 0 && errno == EFAULT);
	CHECK(!kview_view__attach_cgroup(v, "/tmp") && errno == EBADF);
	CHECK(!kview_view__attach_cgroup(v, "/no/such/cgroup") && errno == ENOENT);
	kview_view__free(v);
	figure("6 refused");
}

/* A kernel that lacks something is not loaded into, and the log says what it lacks. */
static void wrong_kernel(void)
{
	static const struct {
		const char *missing, *log;
		int err;
	} what[] = {
		{ "flush_tlb_all", "kview: this kernel has no symbol flush_tlb_all", -ENOENT },
		{ "rethook_hook", "kview: this kernel has no symbol rethook_hook", -ENOENT },
		{ "layout", "kview: kernel text is not mapped by PMD entries below one PUD entry",
		  -EOPNOTSUPP },
		{ "native-tables", "kview: a Xen PV guest's page tables are not its own", -EOPNOTSUPP },
		{ "hooks", "begin_new_exec or do_exit has no place for a hook",
		  -EOPNOTSUPP },
		{ "poke", "kview: __text_poke() of this kernel can sleep", -EOPNOTSUPP },
	};
	char param[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(what); i++) {
		CHECK(!kernel_log_has(what[i].log));
		snprintf(param, sizeof(param), "pretend_missing=%s", what[i].missing);
		CHECK_EQ(module_try_load(param), what[i].err);
		CHECK(kernel_log_has(what[i].log));
	}
	/* nothing was left behind; and as users load it, so 7.2 refuses this one */
	CHECK_OK(module_try_load("pretend_missing=no_such_thing"));
	check_nothing_left();
	module_unload();
	figure("%zu kernels refused, each by name", ARRAY_SIZE(what));
}

static void many_views(void)
{
	enum { VIEWS = 1000 };
	static struct kview_view *v[VIEWS];
	static struct kview_set *s[VIEWS];
	struct rlimit files = { 4096, 4096 };
	struct worker a = worker_start();
	struct kview_view_stat st;
	int i;

	CHECK(!setrlimit(RLIMIT_NOFILE, &files));
	for (i = 0; i < VIEWS; i++) {
		v[i] = view();
		s[i] = functions(v[i], "vfs_read", "__x64_sys_lseek", NULL);
	}
	CHECK(stat_now().text_copies <= 2);
	CHECK_OK(kview_view__stat(v[0], &st));
	attach(v[VIEWS - 1], a.pid, 0);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s[VIEWS - 1], 0), 100);
	CHECK_EQ(hits(s[0], 0), 0);
	worker_quit(&a);
	for (i = 0; i < VIEWS; i++)
		kview_view__free(v[i]);
	for (i = 0; i < VIEWS; i++)
		kview_set__free(s[i]);
	figure("%d views, %u text pages in all", VIEWS, st.text_pages);
}

/* A program that was built with smaller structures, and one with larger ones. */
static void any_size(void)
{
	struct { struct kview_stat st; uint64_t more[2]; } st = { .more = { 7, 7 } };
	struct { struct kview_view_create c; uint64_t more; } create = { 0 };
	struct { struct kview_set_create c; uint64_t more; } set = {
		.c = { .kind = KVIEW_KIND_ENTRY, .count = 1, .names_size = 9 },
	};
	unsigned int small_create = _IOC(_IOC_WRITE, KVIEW_IOC_MAGIC, 0x02, 4);
	unsigned int small_stat = _IOC(_IOC_READ, KVIEW_IOC_MAGIC, 0x01, 8);
	uint32_t few[4] = { 0, 0, 7, 7 };
	int fd = kview__fd(dev()), v, s;

	v = ioctl(fd, small_create, few);
	CHECK(v >= 0);
	CHECK(!ioctl(fd, small_stat, few) && few[0] == 1 && few[2] == 7);
	close(v);
	v = ioctl(fd, _IOW(KVIEW_IOC_MAGIC, 0x02, create), &create);
	CHECK(v >= 0);
	create.more = 1;
	CHECK(ioctl(fd, _IOW(KVIEW_IOC_MAGIC, 0x02, create), &create) < 0 && errno == E2BIG);
	CHECK(!ioctl(fd, _IOR(KVIEW_IOC_MAGIC, 0x01, st), &st) && st.st.views == 1 &&
	      !st.more[0] && !st.more[1]);
	set.c.names = (uintptr_t)"vfs_read";
	s = ioctl(v, _IOWR(KVIEW_IOC_MAGIC, 0x10, set), &set);
	CHECK(s >= 0 && set.c.added == 1);
	close(s);
	close(v);
	figure("smaller and larger ones are understood, but for what is not known");
}

const struct test_case cases_bad[] = {
	{ "any-size", any_size, ONCE, 0, "structures of other sizes than the module's" },
	{ "bad-sites", bad_sites, ONCE, 0, "places that cannot be sites" },
	{ "bad-requests", bad_requests, ONCE, 0, "malformed ioctls" },
	{ "bad-programs", bad_programs, ONCE, 0, "eBPF programs of the wrong make" },
	{ "bad-processes", bad_processes, ONCE, 0, "kernel threads, zombies, processes in a view" },
	{ "locked-down", locked_down, ONCE_ALONE, 0, "a kernel that allows no kprobes any more" },
	{ "plain-user", plain_user, ONCE, 0, "without capabilities" },
	{ "other-user", other_user, ONCE, 0, "with the capabilities, another user's process" },
	{ "bad-cgroups", bad_cgroups, ONCE, 0, "what is no cgroup" },
	{ "wrong-kernel", wrong_kernel, ONCE, LOAD_NOT, "a kernel that lacks something is refused" },
	{ "many-views", many_views, ONCE, 0, "1000 views at once" },
	{ 0 },
};
