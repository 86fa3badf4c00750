// SPDX-License-Identifier: GPL-2.0
/* kviewctl, as a user calls it: what it prints, its exit codes, what it leaves behind. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "cgroups.h"
#include "ctl.h"
#include "harness.h"
#include "net.h"

/* Processes of attachments that are complete: only those are listed. */
static uint32_t attached(void)
{
	struct kview_item *items;
	uint32_t processes = 0;
	size_t i, n;

	CHECK_OK(kview__list(dev(), &items, &n));
	for (i = 0; i < n; i++)
		if (items[i].type == KVIEW_ITEM_ATTACHMENT)
			processes += items[i].processes;
	free(items);
	return processes;
}

static void wait_attached(uint32_t processes)
{
	int i;

	for (i = 0; i < PATIENCE && attached() != processes; i++)
		usleep(10000);
	CHECK_EQ(attached(), processes);
}

static void count_process(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct call c;

	c = call_start("count -f vfs_read -f __x64_sys_lseek -p %d", a.pid);
	wait_attached(1);
	worker_do(&a, OP_READ_MIGRATE, 1000);
	worker_do(&a, OP_LSEEK, 300);
	worker_do(&a, OP_FORK_READ, 100);
	worker_do(&b, OP_READ, 1000);
	kill(c.pid, SIGINT);
	call_end(&c);
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, "vfs_read"), 1000);
	CHECK_EQ(counted(&c, "__x64_sys_lseek"), 300);

	c = call_start("count -t sched_process_fork -t syscalls:sys_enter_read"
		       " -t sched:sched_process_fork -F -p %d", a.pid);
	wait_attached(1);
	worker_do(&a, OP_READ, 200);
	worker_do(&a, OP_FORK_READ, 100);
	worker_do(&b, OP_FORK_READ, 100);
	worker_quit(&a);		/* the end of the process ends the command */
	call_end(&c);
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, "syscalls:sys_enter_read"), 300);
	CHECK_EQ(counted(&c, "sched:sched_process_fork"), 1);

	c = CALL("count -f __x64_sys_lseek -s 1 -p %d", b.pid);
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, "__x64_sys_lseek"), 0);
	worker_quit(&b);
}

/* What was not counted is told. */
static void count_losses(void)
{
	struct worker a = worker_start();
	struct call c;

	c = call_start("count -f update_process_times -f vfs_read -F -p %d", a.pid);
	wait_attached(1);
	worker_do(&a, OP_READ, 200000);
	module_param_set("fail_nth", "1");
	worker_do(&a, OP_FORK_READ, 100);
	kill(c.pid, SIGINT);
	call_end(&c);
	check_call(&c, 0, "kviewctl: 1 times a process could not follow into the view");
	CHECK_EQ(counted(&c, "update_process_times"), 0);
	CHECK(counted(&c, "update_process_times not counted: in interrupts") > 0);
	CHECK_EQ(counted(&c, "vfs_read"), 200000);
	CHECK(!strstr(c.text, "vfs_read not counted"));
	worker_quit(&a);
}

static void count_cgroup(void)
{
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct call call;

	cgroups_make();
	cgroup_move(a.pid, TOP);
	cgroup_move(b.pid, SUB);
	call = call_start("count -f vfs_read -c " TOP);
	wait_attached(2);
	worker_do(&a, OP_READ, 100);
	worker_do(&b, OP_FORK_READ, 100);
	worker_do(&c, OP_READ, 100);
	cgroup_move(c.pid, TOP);
	worker_do(&c, OP_READ, 100);
	kill(call.pid, SIGTERM);
	call_end(&call);
	check_call(&call, 0, "");
	CHECK_EQ(counted(&call, "vfs_read"), 300);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	cgroups_remove();
}

static void count_flow(void)
{
	struct flow a, b;
	struct call c;

	net_make();
	flows_find(&a, &b);
	c = call_start("count -f udp_rcv -d " NET_DEVICE " -q 1");
	wait_attached(1);
	flow_both(&a, &b, 100);
	flow_both(&b, &b, 10);
	kill(c.pid, SIGINT);
	call_end(&c);
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, "udp_rcv"), 120);

	c = call_start("count -f udp_rcv -n %u", a.napi_id);
	wait_attached(1);
	flow_both(&a, &b, 100);
	net_gro(false);			/* the end of the thread ends the command */
	call_end(&c);
	check_call(&c, 0, "");
	CHECK_EQ(counted(&c, "udp_rcv"), 100);
	EXPECT(1, "no such device, queue or NAPI", "count -f udp_rcv -d nothing");
	EXPECT(1, "no such device, queue or NAPI", "count -f udp_rcv -n 1");
}

static void count_command(void)
{
	struct call c = CALL("count -f vfs_read -- /guest/bin/kview-test --reads 1000");

	check_call(&c, 0, "");
	CHECK(counted(&c, "vfs_read") >= 1000 && counted(&c, "vfs_read") < 1100);
	c = CALL("count -f vfs_read -F -- time /guest/bin/kview-test --reads 1000");
	check_call(&c, 0, "");
	CHECK(counted(&c, "vfs_read") >= 1000 && counted(&c, "vfs_read") < 1100);
	EXPECT(1, "No such file or directory", "count -f vfs_read -- /no/such/command");
	EXPECT(1, "no_such_function: no such function", "count -f vfs_read -f no_such_function -p1");
	EXPECT(1, "sched:nothing: no such function, tracepoint or event",
	       "count -t sched:nothing -p 1");
	EXPECT(1, "exc_page_fault: cannot be hooked", "count -f exc_page_fault -p 1");
	EXPECT(1, "vfs_read: named twice", "count -f vfs_read -f vfs_read -p 1");
	EXPECT(1, "a kernel thread", "count -f vfs_read -p 2");
	EXPECT(1, "not a directory of cgroup v2", "count -f vfs_read -c /tmp");
	EXPECT(2, "usage: ", "count -f vfs_read");
	EXPECT(2, "usage: ", "count -p 1");
	EXPECT(2, "usage: ", "count -f vfs_read -p 1 -c " ROOT);
	EXPECT(2, "usage: ", "count -f vfs_read -p 1x");
	EXPECT(2, "usage: ", "list all");
	EXPECT(2, "usage: ", "nothing");
	EXPECT(2, "usage: ", " ");
}

static void count(void)
{
	count_process();
	count_losses();
	count_cgroup();
	count_flow();
	count_command();
	figure("process, cgroup, queue, NAPI instance, command: all exact; what was lost is told");
}

static pid_t keeper(void)
{
	DIR *proc = opendir("/proc");
	char path[300], name[32];
	struct dirent *d;
	pid_t found = 0;
	int fd, n;

	CHECK(proc);
	while (!found && (d = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = fd < 0 ? 0 : read(fd, name, sizeof(name) - 1);
		name[n > 0 ? n : 0] = 0;
		if (!strcmp(name, "kviewctl\n"))
			found = atoi(d->d_name);
		if (fd >= 0)
			close(fd);
	}
	closedir(proc);
	CHECK(found);
	return found;
}

static uint64_t descriptors(pid_t pid)
{
	char path[32];
	struct dirent *d;
	uint64_t n = 0;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	fds = opendir(path);
	CHECK(fds);
	while ((d = readdir(fds)))
		n += *d->d_name != '.';
	closedir(fds);
	return n;
}

/* A keeper that can't be, and one whose descriptors are used up: it waits, and is not lost. */
static void no_room(pid_t pid)
{
	struct rlimit before, few;
	struct worker k;
	struct call c;

	CHECK(!rename("/dev/null", "/dev/nothing"));
	c = CALL("create web -f vfs_read");
	CHECK(!rename("/dev/nothing", "/dev/null"));
	check_call(&c, 1, "/dev/null: No such file");
	EXPECT(1, "there is none of this name", "stat web");

	EXPECT(0, "", "create web -f vfs_read");
	EXPECT(0, " vfs_read\n", "stat web");
	k.pid = keeper();
	worker_sleeps(&k);		/* it waits for the next call, for which it has a descriptor */
	CHECK(!prlimit(k.pid, RLIMIT_NOFILE, NULL, &before));
	few = before;
	few.rlim_cur = descriptors(k.pid) + 2;	/* to be asked takes one, to be handed one another */
	CHECK(!prlimit(k.pid, RLIMIT_NOFILE, &few, NULL));
	EXPECT(1, "Too many open files", "attach web -p %d", pid);
	EXPECT(0, " vfs_read\n", "stat web");
	worker_sleeps(&k);
	few.rlim_cur = 3;
	CHECK(!prlimit(k.pid, RLIMIT_NOFILE, &few, NULL));
	EXPECT(0, " vfs_read\n", "stat web");
	c = call_start("stat web");
	worker_sleeps(&k);
	CHECK(!prlimit(k.pid, RLIMIT_NOFILE, &before, NULL));
	call_end(&c);
	check_call(&c, 0, " vfs_read\n");
	EXPECT(0, "", "remove web");
}

/* Views that stay when the command has ended. */
static void views(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct call c;
	int i;

	cgroups_make();
	EXPECT(0, "", "create web -f vfs_read -t syscalls:sys_enter_lseek");
	EXPECT(1, "there is one of this name already", "create web -f vfs_read");
	EXPECT(1, "not a name", "create ../web -f vfs_read");
	EXPECT(0, "", "create db -f vfs_read");
	EXPECT(0, "", "attach web -p %d", a.pid);
	EXPECT(1, "it is in this view already", "attach web -p %d", a.pid);
	EXPECT(1, "(process ", "attach web -p %d", a.pid);
	/* of another view, too */
	EXPECT(0, "", "attach db -p %d", a.pid);
	EXPECT(1, "there is none of this name", "attach cache -p %d", a.pid);
	cgroup_move(b.pid, TOP);
	EXPECT(0, "", "attach web -c " SUB "/..");
	worker_do(&a, OP_READ, 100);
	worker_do(&a, OP_LSEEK, 50);
	worker_do(&b, OP_FORK_READ, 30);
	c = CALL("stat web");
	check_call(&c, 0, "attached process ");
	check_call(&c, 0, "attached cgroup " TOP ": processes 1 joined 1 ");
	CHECK_EQ(counted(&c, "vfs_read"), 130);
	CHECK_EQ(counted(&c, "syscalls:sys_enter_lseek"), 50);
	c = CALL("stat db");
	CHECK_EQ(counted(&c, "vfs_read"), 100);
	EXPECT(0, "", "detach db");
	c = CALL("list");
	check_call(&c, 0, "\ndb ");
	check_call(&c, 0, "\nweb ");
	EXPECT(0, "views 2\nprocesses 2\n", "stat");
	c = CALL("list -a");
	check_call(&c, 0, " web\n");
	check_call(&c, 0, " cgroup /sys/fs/cgroup/kv");
	check_call(&c, 0, " kviewctl ");
	EXPECT(2, "usage", "list -b");

	EXPECT(0, "", "detach web -c " TOP);
	EXPECT(1, "is not attached", "detach web -c " TOP);
	worker_do(&a, OP_READ, 100);
	worker_do(&b, OP_READ, 100);
	c = CALL("stat web");
	CHECK_EQ(counted(&c, "vfs_read"), 230);
	EXPECT(0, "", "detach web");
	worker_do(&a, OP_READ, 100);
	c = CALL("stat web");
	CHECK_EQ(counted(&c, "vfs_read"), 230);
	EXPECT(0, "", "attach db -F -p %d", a.pid);
	worker_do(&a, OP_FORK_READ, 20);
	c = CALL("stat db");
	CHECK_EQ(counted(&c, "vfs_read"), 120);
	EXPECT(0, "", "remove db");
	EXPECT(1, "there is none of this name", "stat db");
	EXPECT(1, "there is none of this name", "remove db");

	/* who is killed leaves nothing but a name, which can be used again */
	EXPECT(0, "", "attach web -p %d", a.pid);
	kill(keeper(), SIGKILL);
	for (i = 0; i < PATIENCE && stat_now().views; i++)
		usleep(10000);
	CHECK_EQ(stat_now().views, 0);
	c = CALL("list");
	check_call(&c, 0, "");
	CHECK(!strstr(c.text, "web"));
	EXPECT(1, "there is none of this name", "attach web -p %d", a.pid);
	EXPECT(0, "", "create web -f vfs_read");
	EXPECT(0, "", "attach web -p %d", a.pid);
	worker_do(&a, OP_READ, 10);
	c = CALL("stat web");
	CHECK_EQ(counted(&c, "vfs_read"), 10);
	EXPECT(0, "", "remove web");
	no_room(a.pid);
	worker_quit(&a);
	worker_quit(&b);
	cgroups_remove();
	figure("created, attached, listed, counted, detached, removed; a keeper killed");
}

const struct test_case cases_ctl[] = {
	{ "kviewctl-count", count, ONCE, 0, "the command: every kind of target, errors, exit codes" },
	{ "kviewctl-views", views, ONCE, 0, "create, attach, list, stat, detach, remove" },
	{ 0 },
};
