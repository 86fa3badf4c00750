// SPDX-License-Identifier: GPL-2.0
/* Who has what: ids, names, the list of everything, and when an attachment is empty. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "cgroups.h"
#include "harness.h"

/* The list's entry of that id; false: there is none. */
static bool listed(uint64_t id, struct kview_item *out)
{
	struct kview_item *items;
	bool found = false;
	size_t n, i;

	CHECK_OK(kview__list(dev(), &items, &n));
	for (i = 0; i < n && !found; i++) {
		found = items[i].id == id;
		if (found)
			*out = items[i];
	}
	free(items);
	return found;
}

static uint64_t boot_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* What must be alike in all, whoever asks. */
static void check_item(const struct kview_item *i, uint32_t type, uint64_t view, uint64_t since)
{
	struct kview_item other;

	CHECK_EQ(i->type, type);
	CHECK(i->id && i->memory > 0);
	CHECK_EQ(i->view, view);
	CHECK_EQ(i->owner_pid, getpid());
	CHECK_EQ(i->owner_uid, 0);
	CHECK(!strcmp(i->owner_comm, "kview-test"));
	CHECK(i->since_ns >= since && i->since_ns <= boot_ns());
	CHECK(listed(i->id, &other));
	CHECK(!memcmp(i, &other, sizeof(other)));
}

static void check_fdinfo(int fd, const char *line)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (!count_lines(path, line, NULL, NULL))
		fail(__FILE__, __LINE__, "no '%s' in %s", line, path);
}

static void everything_is_listed(void)
{
	uint64_t since = boot_ns();
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", "ksys_read", NULL);
	struct kview_attachment *att = attach(v, a.pid, KVIEW_ATTACH_FORK);
	struct kview_item iv, iw, is, ia, gone;
	struct kview_list none = { .item_size = sizeof(gone) };
	struct kview_attach_stat as;
	struct kview_view_stat vs, before;
	int status, i;
	pid_t pid;

	CHECK_OK(kview_view__stat(v, &before));
	CHECK_OK(kview_view__set_name(v, "reads of the shop"));
	CHECK_OK(kview_attachment__set_name(att, "worker"));
	CHECK_OK(kview_view__item(v, &iv));
	CHECK_OK(kview_view__item(w, &iw));
	CHECK_OK(kview_set__item(s, &is));
	CHECK_OK(kview_attachment__item(att, &ia));
	check_item(&iv, KVIEW_ITEM_VIEW, iv.id, since);
	check_item(&iw, KVIEW_ITEM_VIEW, iw.id, since);
	check_item(&is, KVIEW_ITEM_SET, iv.id, since);
	check_item(&ia, KVIEW_ITEM_ATTACHMENT, iv.id, since);
	CHECK(!strcmp(iv.name, "reads of the shop") && !strcmp(ia.name, "worker") && !is.name[0]);
	CHECK(iv.processes == 1 && iv.sites == 2 && !iw.processes && !iw.sites);
	CHECK(is.sites == 2 && is.kind == KVIEW_KIND_ENTRY);
	CHECK(ia.kind == KVIEW_TARGET_PROCESS && ia.target_pid == (uint32_t)a.pid);
	CHECK_EQ(ia.processes, 1);
	CHECK_OK(kview_attachment__stat(att, &as));
	CHECK(ia.attach_flags == KVIEW_ATTACH_FORK && ia.took_ns == as.attach_ns && as.attach_ns);
	CHECK_OK(kview_view__stat(v, &vs));
	CHECK(iv.text_pages == vs.text_pages && iv.table_pages == vs.table_pages && vs.text_pages);
	/* a view of the case before may still go, and share fewer pages with this one by each step */
	CHECK(iv.text_pages_shared <= before.text_pages_shared && iv.text_pages_shared >= vs.text_pages_shared);
	CHECK(iv.took_ns == vs.create_ns && vs.create_ns);
	CHECK(!ioctl(kview__fd(dev()), KVIEW_LIST, &none) && none.total == 4);
	check_fdinfo(kview_view__fd(v), "kview-name:\treads of the shop");
	check_fdinfo(kview_set__fd(s), "kview-sites:\t2");
	check_fdinfo(kview_attachment__fd(att), "kview-processes:\t1");
	/* the last child's memory may not be gone yet */
	worker_do(&a, OP_FORKS, 3);
	CHECK_OK(kview_attachment__item(att, &ia));
	CHECK(ia.joined == 3 && !ia.join_failed && !ia.left && !ia.elsewhere);

	CHECK_EQ(kview_view__set_name(v, "a\nb"), -EINVAL);
	CHECK_EQ(kview_view__set_name(v, "this is a name that is far too long for one"), -EINVAL);
	none.reserved = 1;
	CHECK(ioctl(kview__fd(dev()), KVIEW_LIST, &none) < 0 && errno == EINVAL);
	none = (struct kview_list){ .item_size = sizeof(gone), .count = 1, .buf = 8 };
	CHECK(ioctl(kview__fd(dev()), KVIEW_LIST, &none) < 0 && errno == EFAULT);
	pid = fork();
	if (!pid) {
		CHECK(!setresuid(1000, 1000, 1000));
		CHECK(ioctl(kview__fd(dev()), KVIEW_LIST, &none) < 0 && errno == EPERM);
		CHECK_EQ(kview_view__set_name(v, "mine"), -EPERM);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);

	kview_view__free(v);
	CHECK(listed(iv.id, &gone) && gone.flags == KVIEW_ITEM_CLOSED && !gone.processes);
	kview_set__free(s);
	kview_attachment__free(att);
	/* The memory of a child that has ended keeps the view for a moment. */
	for (i = 0; i < 500 && listed(iv.id, &gone); i++)
		usleep(10000);
	CHECK(!listed(iv.id, &gone) && !listed(is.id, &gone) && !listed(ia.id, &gone));
	CHECK(listed(iw.id, &gone));
	kview_view__free(w);
	worker_quit(&a);
	figure("2 views, a set, an attachment");
}

static struct kview_site_name told[4096];

static void tells(struct kview_set *s, const char *first, const char *second)
{
	CHECK(s);
	memset(told, 0x55, sizeof(told));
	CHECK_OK(kview_set__sites(s, 0, 2, told));
	CHECK(!strcmp(told[0].name, first) && !strcmp(told[1].name, second));
	CHECK(!told[0].addr && !told[1].addr);
	kview_set__free(s);
}

/* What each site is, however it was asked for. */
static void sites_are_told(void)
{
	static const char *const tracepoints[] = { "sys_enter", "sched_process_fork" };
	static const char *const events[] = { "syscalls:sys_enter_read", "sched:sched_process_fork" };
	static const char *const names[] = { "vfs_read", "no_such_function", "ksys_read" };
	static struct kview_site_result results[ARRAY_SIZE(told)];
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE, .results = results };
	struct kview_view *v = view();
	struct { uint64_t addr, rest; } little[2] = { { 0, 7 }, { 0, 7 } };
	struct kview_sites arg = { .buf = (uintptr_t)little, .count = 2, .size = 8 };
	const uint64_t *addrs;
	struct kview_set *s;
	uint32_t n, i;
	int status;
	pid_t pid;

	tells(kview_view__add_tracepoints(v, tracepoints, 2, NULL), tracepoints[0], tracepoints[1]);
	tells(kview_view__add_events(v, events, 2, NULL), events[0], events[1]);
	s = kview_view__add_returns(v, names, 3, &skip);
	CHECK(s);
	CHECK_OK(kview_set__sites(s, 0, 2, told));
	CHECK(told[0].addr == symbol("vfs_read") && told[1].addr == symbol("ksys_read") && !told[0].name[0]);
	CHECK_OK(kview_set__sites(s, 1, 1, told));
	CHECK_EQ(told[0].addr, symbol("ksys_read"));
	/* one who knows no names */
	CHECK(!ioctl(kview_set__fd(s), KVIEW_SITES, &arg));
	CHECK(little[0].addr == symbol("vfs_read") && little[0].rest == symbol("ksys_read"));
	CHECK(!little[1].addr && little[1].rest == 7);
	CHECK_EQ(kview_set__sites(s, 1, 2, told), -ERANGE);
	CHECK_EQ(kview_set__sites(s, 0, 1, (void *)8), -EFAULT);
	arg.reserved = 1;
	CHECK(ioctl(kview_set__fd(s), KVIEW_SITES, &arg) < 0 && errno == EINVAL);
	pid = fork();
	if (!pid) {
		/* as in /proc/kallsyms */
		CHECK(!setresuid(1000, 1000, 1000));
		CHECK_OK(kview_set__sites(s, 0, 1, told));
		CHECK(!told[0].addr);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	kview_set__free(s);

	n = all_functions(&addrs);
	n = n < ARRAY_SIZE(told) ? n : ARRAY_SIZE(told);
	s = kview_view__add_addresses(v, addrs, n, &skip);
	CHECK(s);
	CHECK_OK(kview_set__sites(s, 0, kview_set__size(s), told));
	for (i = 0; i < n; i++)
		if (!results[i].error)
			CHECK_EQ(told[results[i].site].addr, results[i].addr);
	figure("%zu functions, 2 tracepoints and 2 events", kview_set__size(s));
	kview_set__free(s);
	kview_view__free(v);
}

/* A child that has inherited a view's fd keeps the view; its owner is gone. */
static void inherited(void)
{
	struct kview_item item;
	uint64_t id = 0;
	int told[2], hold[2];
	pid_t pid;
	char c;

	CHECK(!pipe(told) && !pipe(hold));
	pid = fork();
	if (!pid) {
		struct kview_view *v = view();

		CHECK_OK(kview_view__item(v, &item));
		if (!fork()) {
			close(hold[1]);
			close(told[1]);
			CHECK(read(hold[0], &c, 1) == 0);
			_exit(0);
		}
		CHECK(write(told[1], &item.id, sizeof(item.id)) == sizeof(item.id));
		_exit(0);
	}
	CHECK(read(told[0], &id, sizeof(id)) == sizeof(id));
	waitpid(pid, NULL, 0);
	CHECK(listed(id, &item));
	CHECK_EQ(item.owner_pid, 0);
	CHECK(!strcmp(item.owner_comm, "kview-test"));
	close(hold[1]);
	close(hold[0]);
	while (listed(id, &item))
		usleep(1000);
	figure("the view goes with the last of them; its owner is 0 meanwhile");
}

static void busy_owner(void)
{
	struct worker a = worker_start();
	struct kview_view *w = view();
	struct kview_attachment *att = attach(w, a.pid, 0);
	const struct kview_item *owner;
	struct kview_item item;
	struct kview_attach arg = { .owner = 8, .owner_size = sizeof(item) };
	struct { uint64_t id; uint64_t rest; } little = { 0, 7 };

	CHECK_OK(kview_attachment__set_name(att, "mine"));
	CHECK_OK(kview_attachment__item(att, &item));
	CHECK(!kview_view__owner(w));
	CHECK(!kview_view__attach(w, a.pid, 0) && errno == EBUSY);
	owner = kview_view__owner(w);
	CHECK(owner && !memcmp(owner, &item, sizeof(item)));
	CHECK(!strcmp(owner->name, "mine") && owner->owner_pid == (uint32_t)getpid());
	arg.pidfd = syscall(SYS_pidfd_open, a.pid, 0);
	CHECK(ioctl(kview_view__fd(w), KVIEW_ATTACH, &arg) < 0 && errno == EFAULT);
	/* one who knows no more than the id */
	arg.owner = (uintptr_t)&little;
	arg.owner_size = 8;
	CHECK(ioctl(kview_view__fd(w), KVIEW_ATTACH, &arg) < 0 && errno == EBUSY);
	CHECK(little.id == item.id && little.rest == 7);
	arg.owner_size = 0;
	CHECK(ioctl(kview_view__fd(w), KVIEW_ATTACH, &arg) < 0 && errno == EINVAL);
	kview_attachment__free(att);
	att = kview_view__attach_pidfd(w, arg.pidfd, 0);
	CHECK(att && !kview_view__owner(w));
	CHECK(!kview_view__attach_pidfd(w, 9999, 0) && errno == EBADF && !kview_view__owner(w));
	/* an error of another kind is about nobody */
	CHECK(!kview_view__attach(w, a.pid, 0) && errno == EBUSY && kview_view__owner(w));
	CHECK(!kview_view__attach_cgroup(w, "/tmp") && errno == EBADF && !kview_view__owner(w));
	CHECK(!kview_view__attach(w, a.pid, 0) && errno == EBUSY && kview_view__owner(w));
	CHECK(!kview_view__attach(w, 1 << 30, 0) && errno != EBUSY && !kview_view__owner(w));
	worker_quit(&a);
	figure("attachment %llu of view %llu", (unsigned long long)item.id,
	       (unsigned long long)item.view);
	kview_attachment__free(att);
	kview_view__free(w);
}

static bool hangs_up(struct kview_attachment *a, int timeout_ms)
{
	struct pollfd fd = { .fd = kview_attachment__fd(a), .events = POLLIN };
	int n = poll(&fd, 1, timeout_ms);

	CHECK(n == 0 || (n == 1 && fd.revents == POLLHUP));
	return n;
}

/* An attachment that is empty says so, and never while somebody is on the way. */
static void hang_up(void)
{
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_attachment *execs = attach(v, a.pid, KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC);
	struct kview_attachment *closed = attach(w, b.pid, 0), *cgroup;
	struct kview_attach_stat st;
	int polls = 0, times = repeats(60, 200);

	CHECK(!hangs_up(execs, 0) && !hangs_up(closed, 0));
	worker_begin(&a, OP_EXECS, times);
	while (worker_done(&a) < times) {
		CHECK(!hangs_up(execs, 1));
		polls++;
	}
	CHECK_OK(kview_attachment__stat(execs, &st));
	CHECK(st.joined >= (uint32_t)times && !st.join_failed);
	kill(a.pid, SIGKILL);
	CHECK(hangs_up(execs, -1));
	waitpid(a.pid, NULL, 0);
	CHECK(hangs_up(execs, 0));

	cgroups_make();
	cgroup = kview_view__attach_cgroup(v, TOP);
	CHECK(cgroup && !hangs_up(cgroup, 0));
	cgroup_move(c.pid, TOP);
	cgroup_move(c.pid, "/sys/fs/cgroup");
	CHECK(!hangs_up(cgroup, 100));
	kview_view__free(v);
	CHECK(hangs_up(cgroup, -1));
	kview_view__free(w);		/* the process runs on, outside */
	CHECK(hangs_up(closed, -1));
	worker_quit(&b);
	worker_quit(&c);
	cgroups_remove();
	figure("not once in %d polls over %d execs; then at the end", polls, times);
}

const struct test_case cases_items[] = {
	{ "listed", everything_is_listed, ONCE, 0, "all views, sets and attachments, and whose they are" },
	{ "sites-told", sites_are_told, ONCE, 0, "what the sites of a set are" },
	{ "inherited", inherited, ONCE, 0, "a view's fd in a child, and its owner gone" },
	{ "busy-owner", busy_owner, ONCE, 0, "EBUSY says who has the process" },
	{ "hang-up", hang_up, ONCE, 0, "poll() on an attachment that becomes empty" },
	{ 0 },
};
