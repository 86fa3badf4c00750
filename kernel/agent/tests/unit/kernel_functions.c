// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of kernel functions by a child, from a request to the figures: as many as it made, and none of another
 * process that makes the same calls at the same time.  Where the kernel offers no probes on its own functions,
 * that is told, and nothing else is checked.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mechanism/mechanisms.h"
#include "mechanism/point_names.h"
#include "mechanism/trap/calibrate.h"

#include "check.h"

#define CALLS	500
#define SLEEPS	5

enum { KSYS_WRITE, VFS_WRITE, NANOSLEEP, FSYNC, POINTS };
static const char *const names[POINTS] = { "ksys_write", "vfs_write", "hrtimer_nanosleep", "vfs_fsync_range" };

static void call(int out)
{
	const struct timespec pause = { 0, 2000000 };
	int i;

	for (i = 0; i < CALLS; i++)
		if (write(out, "", 1) != 1)
			_exit(1);
	for (i = 0; i < SLEEPS; i++)
		nanosleep(&pause, NULL);
}

/* Makes its calls once it is told to, and ends when it is told again. */
static void run_child(int told, int tell)
{
	int out = open("/dev/null", O_WRONLY);
	char byte;

	if (out < 0 || read(told, &byte, 1) != 1)
		_exit(1);
	call(out);
	if (write(tell, "", 1) != 1 || read(told, &byte, 1) != 1)
		_exit(1);
	_exit(0);
}

static pid_t start_other(void)
{
	int out = open("/dev/null", O_WRONLY);
	pid_t pid = fork();

	while (!pid)
		call(out);
	close(out);
	return pid;
}

static struct mechanisms *start(pid_t pid, bool events, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	struct mechanism_load load = { .events = events, .ring_bytes = 1 << 20 };
	Kview__Wire__KernelFunction functions[POINTS];
	Kview__Wire__Probe probes[POINTS], *list[POINTS];
	struct calibration latest = { 0 };
	struct mechanisms *mechanisms;
	int i;

	for (i = 0; i < POINTS; i++) {
		kview__wire__kernel_function__init(&functions[i]);
		kview__wire__probe__init(&probes[i]);
		functions[i].name = (char *)names[i];
		probes[i].function_id = i;
		probes[i].point_case = KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION;
		probes[i].kernel_function = &functions[i];
		list[i] = &probes[i];
	}
	request.pid = pid;
	request.probes = list;
	request.n_probes = POINTS;
	mechanisms = mechanisms__find(&request, NULL, error);
	if (!mechanisms || mechanisms__load(mechanisms, &load, error))
		return NULL;
	mechanisms__calibrate(mechanisms, &latest);
	printf("# %s %s\n", mechanisms__filter_note(mechanisms), mechanisms__note(mechanisms));
	return mechanisms__attach(mechanisms, error) ? NULL : mechanisms;
}

/* Of a function with all its causes: wall-clock time is the sum of all else. */
static void check_times(const struct figures *figures, int point)
{
	uint64_t sum = 0;
	int metric;

	for (metric = XP_ON_CPU; metric < XP_METRICS; metric++)
		sum += figures__total(figures, point, metric).total_ns;
	check(sum == figures__total(figures, point, XP_WALL).total_ns, "times add up", sum);
}

static void check_figures(const struct mechanisms *mechanisms)
{
	const struct figures *figures = mechanisms->points[0].figures;
	struct xp_calls calls = figures__calls(figures, KSYS_WRITE);
	uint64_t asleep = figures__total(figures, NANOSLEEP, XP_SLEEP).total_ns;
	int i;

	check(calls.calls == CALLS + 1, "calls that were made are counted, and none of others", calls.calls);
	check(figures__calls(figures, VFS_WRITE).calls == CALLS + 1, "those within them, too",
	      figures__calls(figures, VFS_WRITE).calls);
	check(calls.inner_ns >= figures__total(figures, VFS_WRITE, XP_WALL).total_ns, "they nest", calls.inner_ns);
	check(figures__calls(figures, NANOSLEEP).calls == SLEEPS, "sleeps", figures__calls(figures, NANOSLEEP).calls);
	/* Of 2 ms each; who loses the CPU between setting the timer and giving the CPU up is asleep for less. */
	check(asleep >= SLEEPS * 1000000ULL, "and that they slept", asleep);
	check(!figures__calls(figures, FSYNC).calls, "what is not called has no calls", 0);
	for (i = 0; i < POINTS; i++) {
		check(figures__timed(figures, i) == figures__calls(figures, i).calls, "all are timed",
		      figures__timed(figures, i));
		check_times(figures, i);
	}
}

static void record(bool events)
{
	struct mechanisms *mechanisms;
	struct error error = { 0 };
	int down[2], up[2];
	pid_t pid, other;
	char byte;

	if (pipe(down) || pipe(up))
		return;
	pid = fork();
	if (!pid)
		run_child(down[0], up[1]);
	other = start_other();
	mechanisms = start(pid, events, &error);
	check(mechanisms != NULL, "kernel functions are measured", error.code);
	if (!mechanisms)
		printf("# %s\n", error.message);
	if (write(down[1], "", 1) == 1 && read(up[0], &byte, 1) == 1 && mechanisms) {
		mechanisms__detach(mechanisms);
		check_figures(mechanisms);
	}
	mechanisms__free(mechanisms);
	kill(other, SIGKILL);
	if (write(down[1], "", 1) != 1)
		kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	waitpid(other, NULL, 0);
}

static int find(const char *pattern, struct point_names *found, struct error *error)
{
	Kview__Wire__FindPointsRequest request = KVIEW__WIRE__FIND_POINTS_REQUEST__INIT;

	request.kind_case = KVIEW__WIRE__FIND_POINTS_REQUEST__KIND_KERNEL_FUNCTIONS;
	request.kernel_functions = (char *)pattern;
	return mechanism__find_points(&request, found, error);
}

int main(void)
{
	struct error error = { 0 };
	struct point_names found;

	if (find("vfs_write", &found, &error) && error.code == ERR_UNSUPPORTED) {
		check(strstr(error.message, "no probes on its own functions") != NULL, "this kernel has none, which is told", 0);
		point_names__free(&found);
		return failed;
	}
	check(found.nr == 1 && !strcmp(found.names[0], "vfs_write"), "a name is found", found.nr);
	point_names__free(&found);
	check(find("vfs_wrote", &found, &error) && error.code == ERR_NO_SUCH_FUNCTION, "one that is none is not", error.code);
	point_names__free(&found);
	error__free(&error);
	check(!find("vfs_*", &found, &error) && found.nr > 10, "a glob finds many", found.nr);
	point_names__free(&found);
	record(false);
	record(true);
	return failed;
}
