// SPDX-License-Identifier: GPL-2.0
/*
 * What is paid beside calls is counted: a thread's state as it is made, and context switches, by whether the
 * thread has one.  Threads of a child of the test's own make calls and sleep.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

#define THREADS		5
#define CALLS		3
#define SLEEPS		10
#define CLASS		XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED)

static void sleep_some(void)
{
	const struct timespec pause = { 0, 100000 };

	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&pause, NULL);
}

static void *call(void *unused)
{
	calibration_code__call(calibration_code[CLASS].start, CALLS);
	sleep_some();
	return NULL;
}

/* Tells how often its threads were switched since it began. */
static void run(int go, int ready)
{
	struct rusage usage = { 0 };
	pthread_t thread;
	long switches;
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, call, NULL) || pthread_join(thread, NULL))
			_exit(1);
	sleep_some();
	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		_exit(1);
	getrusage(RUSAGE_SELF, &usage);
	switches = usage.ru_nvcsw + usage.ru_nivcsw;
	if (write(ready, &switches, sizeof(switches)) != sizeof(switches))
		_exit(1);
	pause();
}

static void record(pid_t child, int go, int ready)
{
	const struct calibration_code *code = &calibration_code[CLASS];
	uint64_t begin = calibration_code__offset(code->start), end = calibration_code__offset(code->site);
	struct fn_site site = { .address = end, .file_offset = end, .kind = FN_SITE_JUMP,
				.cost = FN_INSN_EMULATED, .goes_on = -1 };
	struct fn_function described = { .name = (char *)"call", .address = begin, .file_offset = begin,
					 .entry_offset = begin, .entry_cost = FN_INSN_EMULATED,
					 .exit_kind = FN_EXIT_SITES, .sites = &site, .nr_sites = 1 };
	struct xprobe_function function = { .path = "/proc/self/exe", .function = &described };
	struct xprobe_opts opts = { .nr_functions = 1 };
	struct error error = { 0 };
	struct xprobe *xprobe = xprobe__new(&opts, &error);
	struct xp_switches switches;
	struct figures counts;
	struct xp_calls calls;
	char byte = 0;
	long all = 0;

	if (!xprobe || xprobe__attach(xprobe, child, &function, 1, &error)) {
		check(false, error.message, 0);
		return xprobe__free(xprobe);
	}
	if (write(go, &byte, 1) != 1 || read(ready, &byte, 1) != 1)
		check(false, "the child calls", 0);
	xprobe__detach(xprobe);
	if (write(go, &byte, 1) != 1 || read(ready, &all, sizeof(all)) != sizeof(all))
		check(false, "the child tells", 0);
	counts = xprobe__figures(xprobe);
	calls = figures__calls(&counts, 0);
	switches = xprobe__switches(xprobe);
	check(calls.calls == THREADS * CALLS, "calls", calls.calls);
	check(xprobe__counters(xprobe).threads == THREADS, "each thread's state is counted once", xprobe__counters(xprobe).threads);
	check(switches.nr[XP_SWITCH_FOLLOWED] >= THREADS * SLEEPS, "switches of threads that made calls",
	      switches.nr[XP_SWITCH_FOLLOWED]);
	check(switches.nr[XP_SWITCH_PLAIN] >= SLEEPS, "of one that made none", switches.nr[XP_SWITCH_PLAIN]);
	/* The kernel has summed up a thread when it is switched for the last time. */
	check(switches.nr[XP_SWITCH_PLAIN] + switches.nr[XP_SWITCH_FOLLOWED] <= (uint64_t)all + THREADS,
	      "and of no other process: all of the child's", all);
	xprobe__reset_counters(xprobe);
	switches = xprobe__switches(xprobe);
	check(!switches.nr[XP_SWITCH_PLAIN] && !switches.nr[XP_SWITCH_FOLLOWED], "what calibration counted is forgotten", 0);
	xprobe__free(xprobe);
}

int main(void)
{
	int go[2], ready[2];
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pipe(go) || pipe(ready))
		return 1;
	child = fork();
	if (!child)
		run(go[0], ready[1]);
	record(child, go[1], ready[0]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return failed;
}
