// SPDX-License-Identifier: GPL-2.0
/*
 * Replaced return addresses where the kernel asks at each entry: only in code that is proven, and
 * what becomes of calls that are under way when links change hands.  A child of the test's own
 * makes the calls; it tells whether its return address is the one that it should have.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/xprobe.h"
#include "mechanism/trap/xprobe_state.h"
#include "own_functions.h"

static int to_child[2], to_parent[2];
static const void *volatile returns_to;

/* Tells that it runs, and returns when it is told to. */
static __attribute__((noinline, noclone, used)) int t_waits(void)
{
	char byte = 0;

	returns_to = __builtin_return_address(0);
	if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1)
		_exit(1);
	return byte;
}

static __attribute__((noinline, noclone, used)) int t_other(void)
{
	__asm__ volatile("" : : : "memory");
	return 1;
}

static void make_calls(void)
{
	extern const char __executable_start, etext;
	char own;

	for (;;) {
		t_other();
		t_waits();
		own = (const char *)returns_to >= &__executable_start &&
		      (const char *)returns_to < &etext;
		if (write(to_parent[1], &own, 1) != 1)
			_exit(1);
	}
}

static char hear(void)
{
	char byte;

	if (read(to_parent[0], &byte, 1) != 1)
		exit(1);
	return byte;
}

/* Lets the call end; returns whether it had its own return address, and is in the next one then. */
static bool end_call(void)
{
	bool own;

	if (write(to_child[1], "", 1) != 1)
		exit(1);
	own = hear();
	hear();
	return own;
}

/* Links go while the caller goes on: here until they are gone. */
static void settle(struct xprobe *xprobe)
{
	xprobe__settle(xprobe);
	for (int i = 0; i < 2; i++) {
		links__wait_closed(xprobe->closing[i]);
		xprobe->closing[i] = NULL;
	}
}

static struct xp_calls calls_of(struct xprobe *xprobe, uint64_t *timed)
{
	struct figures counts = xprobe__figures(xprobe);

	*timed = figures__timed(&counts, 0);
	return figures__calls(&counts, 0);
}

static void measure(struct xprobe *xprobe, pid_t child, const struct xprobe_function *functions)
{
	struct error error = { 0 };
	struct xp_calls calls;
	uint64_t timed;
	uint32_t version;

	if (xprobe__watch_code(xprobe, child, NULL, &error) ||
	    xprobe__attach(xprobe, child, functions, 2, &error))
		return check(false, error.message, 0);
	end_call();
	check(end_call(), "nothing is proven: the return address is left alone", 1);
	calls = calls_of(xprobe, &timed);
	check(!timed && calls.lost[XP_LOST_END_UNSEEN] == 2 && calls.calls == 2,
	      "nothing is proven: calls are told as lost", calls.calls);

	version = xprobe__code_to_prove(xprobe);
	check(version, "there is code to be proven", version);
	xprobe__prove_code(xprobe, version);
	check(!xprobe__code_to_prove(xprobe), "and none once it is", 0);
	end_call();
	check(!end_call(), "proven: the return address is replaced", 1);
	calls = calls_of(xprobe, &timed);
	check(timed == 1 && calls.calls == 4, "proven: calls are timed", timed);

	/* One is under way here, and the next time. */
	if (xprobe__drop(xprobe, child, functions + 1, 1, functions, 1, &error))
		return check(false, error.message, 0);
	end_call();
	calls = calls_of(xprobe, &timed);
	check(timed == 2, "another's probes come off: a call that ends soon is timed", timed);
	settle(xprobe);
	end_call();
	calls = calls_of(xprobe, &timed);
	check(timed == 3, "and those that come then", timed);

	if (xprobe__drop(xprobe, child, NULL, 0, functions, 1, &error))
		return check(false, error.message, 0);
	settle(xprobe);
	end_call();
	end_call();
	calls = calls_of(xprobe, &timed);
	check(timed == 4 && calls.lost[XP_LOST_PROBES_OFF] == 1 && !calls.abandoned,
	      "a call that lasts longer is told as lost", calls.lost[XP_LOST_PROBES_OFF]);
	xprobe__detach(xprobe);
	calls = calls_of(xprobe, &timed);
	check(calls.calls == timed + calls.abandoned + calls.unfinished +
			     calls.lost[XP_LOST_PROBES_OFF] + calls.lost[XP_LOST_END_UNSEEN],
	      "every call has one fate", calls.calls);
}

int main(void)
{
	struct fn_function described[] = { { .name = "t_waits" }, { .name = "t_other" } };
	const char *starts[] = { (const char *)t_waits, (const char *)t_other };
	struct xprobe_opts opts = { .nr_functions = 2 };
	struct xprobe_function functions[2];
	struct error error = { 0 };
	struct xprobe *xprobe;
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (links__best_kind() != LINKS_WHOLE) {
		puts("skipped: this kernel does not ask at each entry");
		return 0;
	}
	own_functions__describe(functions, described, starts, 2);
	if (pipe(to_child) || pipe(to_parent))
		return 1;
	child = fork();
	if (!child)
		make_calls();
	hear();
	xprobe = xprobe__new(&opts, &error);
	if (xprobe)
		measure(xprobe, child, functions);
	else
		check(false, error.message, 0);
	xprobe__free(xprobe);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return failed;
}
