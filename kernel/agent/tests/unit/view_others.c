// SPDX-License-Identifier: GPL-2.0
/* Whether somebody else has a process in a view, by what the module lists: seen, surely not, or not to be known. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libkview.h>

#include "check.h"
#include "mechanism/process_view.h"

#define OWN	1
#define ANY	2

static struct kview_item attachment(uint32_t target, uint32_t processes)
{
	return (struct kview_item){ .id = 7, .view = ANY, .type = KVIEW_ITEM_ATTACHMENT, .kind = KVIEW_TARGET_PROCESS,
				    .target_pid = target, .processes = processes };
}

static struct kview_item of_cgroup(uint64_t number)
{
	struct kview_item item = attachment(0, 2);

	item.kind = KVIEW_TARGET_CGROUP;
	item.target_cgroup = number;
	return item;
}

static void is(struct kview_item item, pid_t pid, enum view_others expected, const char *name)
{
	struct kview_item other = { 0 };
	enum view_others others = view_others__among(&item, 1, OWN, pid, &other);

	check(others == expected && (other.id == item.id) == (expected != VIEW_OTHERS_NONE), name, others);
}

static int write_number(const char *path, int number)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fprintf(file, "%d", number);
	return fclose(file);
}

/* In a namespace whose root is a cgroup of its own: a view may have one that is above, and has no directory here. */
static void in_namespace(const char *cgroup)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	if (write_number(path, getpid()) || unshare(CLONE_NEWCGROUP | CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL)) {
		printf("# no cgroup namespace can be had here\n");
		return;
	}
	is(of_cgroup(1), getpid(), VIEW_OTHERS_UNKNOWN, "a cgroup that may be above the namespace's");
}

static void try_namespace(void)
{
	char cgroup[64];
	int status = 0;
	pid_t pid;

	snprintf(cgroup, sizeof(cgroup), "/sys/fs/cgroup%s/kview-others-%d",
		 access("/sys/fs/cgroup/unified", F_OK) ? "" : "/unified", getpid());
	if (mkdir(cgroup, 0755)) {
		printf("# no cgroup can be made here\n");
		return;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		in_namespace(cgroup);
		fflush(stdout);
		_exit(failed);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		failed = 1;
	rmdir(cgroup);
}

/* Those that a recording makes for the children of its process: they leave it as they execute a program. */
static void try_children(void)
{
	struct kview_item item = attachment(1, 2);
	int status = 0;
	pid_t pid;

	item.attach_flags = KVIEW_ATTACH_FORK;
	is(item, getpid(), VIEW_OTHERS_NONE, "children until they execute a program: this one has executed one");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		is(item, getpid(), VIEW_OTHERS_UNKNOWN, "children until they execute a program: this one was forked");
		fflush(stdout);
		_exit(failed);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		failed = 1;
	item.target_pid = 0;
	is(item, getpid(), VIEW_OTHERS_UNKNOWN, "children of a process that has no number here: it may be this one");
	item = attachment(1, 2);
	item.attach_flags = KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC;
	is(item, getpid(), VIEW_OTHERS_UNKNOWN, "children, and what they execute");
}

int main(void)
{
	struct kview_item own = attachment(getpid(), 1), all[2], other = { 0 };
	enum view_others others;
	struct stat root = { 0 };

	own.view = OWN;
	is(own, getpid(), VIEW_OTHERS_NONE, "its own view is nobody else's");
	is(attachment(getpid(), 1), getpid(), VIEW_OTHERS_SEEN, "named by somebody else");
	is(attachment(1, 1), getpid(), VIEW_OTHERS_NONE, "another process, alone");
	is(attachment(1, 2), getpid(), VIEW_OTHERS_UNKNOWN, "another process with a child: it may be this one");
	is(attachment(0, 1), getpid(), VIEW_OTHERS_UNKNOWN, "a process that has no number here may be this one, by another number");
	is(attachment(1, 0), getpid(), VIEW_OTHERS_NONE, "an attachment without processes");
	is(of_cgroup(1), 0, VIEW_OTHERS_UNKNOWN, "the cgroup of a process that can't be read");
	/* Where version 2 is mounted, all are below its root. */
	if (!stat("/sys/fs/cgroup/cgroup.controllers", &root) && !stat("/sys/fs/cgroup", &root)) {
		is(of_cgroup(root.st_ino), getpid(), VIEW_OTHERS_SEEN, "a cgroup that it is in");
		is(of_cgroup(~0ULL), getpid(), root.st_ino == 1 ? VIEW_OTHERS_NONE : VIEW_OTHERS_UNKNOWN, "one that it is not in");
	}
	try_children();
	try_namespace();
	all[0] = attachment(1, 2);
	all[1] = attachment(getpid(), 1);
	all[1].id = 8;
	others = view_others__among(all, 2, OWN, getpid(), &other);
	check(others == VIEW_OTHERS_SEEN && other.id == 8,
	      "what is seen is told before what can't be known", other.id);
	return failed;
}
