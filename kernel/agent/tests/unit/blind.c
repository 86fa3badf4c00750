// SPDX-License-Identifier: GPL-2.0
/* Links of an agent that is too busy to look at what they cost go by themselves. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/cutoff.h"
#include "base/error.h"
#include "check.h"
#include "permission/exec_watch.h"

#define NS_PER_S	1000000000ULL
#define TICK_US		10000
#define TICKS		6000

static bool is_cut(int fd)
{
	struct stat stat;

	return !fstat(fd, &stat) && S_ISCHR(stat.st_mode);
}

/* A pipe's end stands for a link. */
static void watch_link(int link)
{
	struct error error = { 0 };
	struct exec_watch *watch = exec_watch__new(getpid(), &error);
	int i;

	if (!watch) {
		printf("not ok %s\n", error.message);
		failed = 1;
		return;
	}
	cutoff__add(link);
	usleep(50 * TICK_US);
	check(!is_cut(link), "before the first look nothing is cut", 0);
	check(exec_watch__looks(watch, 3600 * NS_PER_S), "the first look comes in time", 0);
	usleep(50 * TICK_US);
	check(!is_cut(link), "while the next one is not due nothing is cut", 0);
	check(exec_watch__looks(watch, NS_PER_S / 10), "that one comes in time", 0);
	for (i = 0; i < TICKS && !is_cut(link); i++)
		usleep(TICK_US);
	check(is_cut(link), "one that does not come cuts the link", i);
	check(!exec_watch__looks(watch, NS_PER_S), "which the next one is told", 0);
	exec_watch__free(watch);
}

int main(void)
{
	int ends[2];

	if (pipe(ends)) {
		perror("pipe");
		return 1;
	}
	watch_link(ends[0]);
	return failed;
}
