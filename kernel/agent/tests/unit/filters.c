// SPDX-License-Identifier: GPL-2.0
/*
 * Whether filters of system calls (seccomp) end who returns by a replaced address: what a trial
 * says of children that make denied calls, allowed ones and none, and what it says of this kernel.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/trap/filtered_child.h"
#include "mechanism/trap/trials.h"

static int nothing(void)
{
	return 0;
}

static int fails(void)
{
	return -1;
}

static void denied(void)
{
	syscall(SYS_getppid);
}

static void allowed(void)
{
	syscall(SYS_getpgid, 0);
}

static volatile int *volatile nowhere;

static void goes_astray(void)
{
	*nowhere = 0;
}

static bool goes_on(int (*prepare)(void), void (*call)(void))
{
	const struct filtered_child child = {
		.denied = { SYS_getppid, SYS_getppid }, .prepare = prepare, .call = call,
	};

	return filtered_child__goes_on(&child);
}

int main(void)
{
	struct utsname kernel;
	bool pass;

	setvbuf(stdout, NULL, _IOLBF, 0);
	check(goes_on(nothing, allowed), "a call that the filter allows", 1);
	check(!goes_on(nothing, denied), "one that it denies is seen", 0);
	check(!goes_on(nothing, goes_astray), "so is what goes astray", 0);
	check(!goes_on(fails, allowed), "and what can't be tried is no yes", 0);

	uname(&kernel);
	setenv("KVIEW_AGENT_FILTERS", "", 1);
	pass = trial__filters_pass();
	printf("# Linux %s %s: a filter %s\n", kernel.release, kernel.version,
	       pass ? "lets a replaced return address through" : "ends who returns by a replaced address");
	check(trial__filters_pass() == pass, "it is tried once", pass);
	return failed;
}
