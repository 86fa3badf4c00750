// SPDX-License-Identifier: GPL-2.0
/* That the kernel hides the names of its functions is said only where it does: not for want of memory, or where it has none. */
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "lookup/kernel_names.h"
#include "recording/wait_stacks.h"

/* Enough for the rest, and less than the names take. */
#define BYTES	(8UL << 20)

enum how { AS_IT_IS, NO_MEMORY, NO_FILE };

static void prepare(enum how how)
{
	unsigned long pages;
	FILE *statm;

	if (how == NO_FILE && (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
			       mount("none", "/proc", "tmpfs", 0, NULL)))
		exit(2);
	if (how != NO_MEMORY)
		return;
	statm = fopen("/proc/self/statm", "r");
	if (!statm || fscanf(statm, "%lu", &pages) != 1 || fclose(statm))
		exit(2);
	if (setrlimit(RLIMIT_AS, &(struct rlimit){ pages * sysconf(_SC_PAGESIZE) + BYTES, RLIM_INFINITY }))
		exit(2);
}

/* 1: they are said to be hidden, 0: they are not, other: that can't be tried. */
static int hidden(enum how how)
{
	struct wait_stacks *stacks;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		prepare(how);
		stacks = wait_stacks__new();
		/* A number that no map has is not looked up, either, but said not to be known. */
		exit(!stacks || wait_stacks__of(stacks, -1, 1) ? 3 : wait_stacks__are_hidden(stacks));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int main(void)
{
	bool are_shown = kernel_names__are_shown();
	int is_hidden = hidden(AS_IT_IS);

	check(is_hidden == !are_shown, "hidden where they are not shown", is_hidden);
	is_hidden = hidden(NO_MEMORY);
	check(is_hidden == !are_shown, "no memory for them: they are not hidden", is_hidden);
	is_hidden = hidden(NO_FILE);
	check(is_hidden == 0, "a kernel that has none hides none", is_hidden);
	return failed;
}
