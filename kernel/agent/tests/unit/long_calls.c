// SPDX-License-Identifier: GPL-2.0
/*
 * A thread stays in a call with a replaced return address, and enters another one each millisecond.  Links of what comes off are
 * closed all the same, though the kernel waits for such calls (Linux 6.13 and newer).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"
#include "check.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/xprobe.h"
#include "own_functions.h"

#define PATIENCE_NS	20000000000ULL

static int to_child[2];

static __attribute__((noinline, noclone, used)) int t_inner(void)
{
	__asm__ volatile("" : : : "memory");
	return 1;
}

static __attribute__((noinline, noclone, used)) int t_other(void)
{
	__asm__ volatile("" : : : "memory");
	return 2;
}

static __attribute__((noinline, noclone, used)) void t_outer(void)
{
	for (;;) {
		t_inner();
		usleep(1000);
	}
}

static void make_calls(void)
{
	char byte;

	if (read(to_child[0], &byte, 1) == 1)
		t_outer();
	_exit(1);
}

static bool gets_closed(struct xprobe *xprobe)
{
	uint64_t begin_ns = clock__now_ns();

	while (xprobe__is_closing(xprobe)) {
		if (clock__now_ns() - begin_ns > PATIENCE_NS)
			return false;
		usleep(20000);
	}
	return true;
}

static uint64_t calls_of(struct xprobe *xprobe, size_t function)
{
	struct figures counts = xprobe__figures(xprobe);

	return figures__calls(&counts, function).calls;
}

static bool is_called(struct xprobe *xprobe)
{
	uint64_t before = calls_of(xprobe, 1), begin_ns = clock__now_ns();

	while (calls_of(xprobe, 1) < before + 50) {
		if (clock__now_ns() - begin_ns > PATIENCE_NS)
			return false;
		usleep(20000);
	}
	return true;
}

static void measure(struct xprobe *xprobe, pid_t child, const struct xprobe_function *functions)
{
	struct error error = { 0 };

	if (xprobe__watch_code(xprobe, child, NULL, &error) || xprobe__attach(xprobe, child, functions, 3, &error))
		return check(false, error.message, 0);
	xprobe__prove_code(xprobe, xprobe__code_to_prove(xprobe));
	if (write(to_child[1], "", 1) != 1)
		exit(1);
	check(is_called(xprobe), "calls are made within another one", 0);
	if (xprobe__drop(xprobe, child, functions + 2, 1, functions, 2, &error))
		return check(false, error.message, 0);
	check(gets_closed(xprobe), "links of what comes off are closed while a call goes on", 0);
	xprobe__settle(xprobe);
	check(gets_closed(xprobe), "and those that were kept a while for calls under way", 0);
	check(is_called(xprobe), "calls are measured on", 0);
	check(calls_of(xprobe, 0) == 1, "of which one goes on", calls_of(xprobe, 0));
}

int main(void)
{
	struct fn_function described[] = { { .name = "t_outer" }, { .name = "t_inner" }, { .name = "t_other" } };
	const char *starts[] = { (const char *)t_outer, (const char *)t_inner, (const char *)t_other };
	struct xprobe_opts opts = { .nr_functions = 3 };
	struct xprobe_function functions[3];
	struct error error = { 0 };
	struct xprobe *xprobe;
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (links__best_kind() != LINKS_WHOLE) {
		puts("skipped: this kernel does not ask at each entry");
		return 0;
	}
	own_functions__describe(functions, described, starts, 3);
	if (pipe(to_child))
		return 1;
	child = fork();
	if (!child)
		make_calls();
	xprobe = xprobe__new(&opts, &error);
	if (xprobe)
		measure(xprobe, child, functions);
	else
		check(false, error.message, 0);
	/* With the thread its calls end: nobody waits for them any more. */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	xprobe__free(xprobe);
	return failed;
}
