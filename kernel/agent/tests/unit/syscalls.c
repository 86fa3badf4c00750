// SPDX-License-Identifier: GPL-2.0
/*
 * System calls are counted and timed on this kernel: those of a child, from a request to the
 * figures, without anything that a recording does beyond it.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mechanism/mechanism.h"
#include "mechanism/trap/calibrate.h"

#include "check.h"

#define CALLS	1000

/* Calls once it is told to, ends when it is told again. */
static void call(int told, int tell)
{
	char byte;
	int i;

	if (read(told, &byte, 1) != 1)
		_exit(1);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	if (write(tell, "", 1) != 1 || read(told, &byte, 1) != 1)
		_exit(1);
	_exit(0);
}

static struct mechanism *start(pid_t pid, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	Kview__Wire__SystemCall names[] = { KVIEW__WIRE__SYSTEM_CALL__INIT, KVIEW__WIRE__SYSTEM_CALL__INIT };
	Kview__Wire__Probe probes[] = { KVIEW__WIRE__PROBE__INIT, KVIEW__WIRE__PROBE__INIT };
	Kview__Wire__Probe *list[] = { &probes[0], &probes[1] };
	struct mechanism_load load = { 0 };
	struct calibration latest = { 0 };
	struct mechanism *mechanism;
	int i;

	names[0].name = "getppid";
	names[1].name = "read";
	for (i = 0; i < 2; i++) {
		probes[i].function_id = i;
		probes[i].point_case = KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
		probes[i].system_call = &names[i];
	}
	request.pid = pid;
	request.probes = list;
	request.n_probes = 2;
	mechanism = mechanism__find(&request, error);
	if (!mechanism || mechanism->ops->load(mechanism, &load, error))
		return NULL;
	mechanism->ops->calibrate(mechanism, &latest);
	return mechanism->ops->attach(mechanism, error) ? NULL : mechanism;
}

int main(void)
{
	struct error error = { 0 };
	struct mechanism *mechanism;
	struct xp_calls reads;
	int down[2], up[2];
	char byte;
	pid_t pid;

	if (pipe(down) || pipe(up))
		return 1;
	pid = fork();
	if (!pid)
		call(down[0], up[1]);
	mechanism = start(pid, &error);
	if (!mechanism) {
		printf("not ok system calls are measured: %s\n", error.message);
		kill(pid, SIGKILL);
		return 1;
	}
	if (write(down[1], "", 1) != 1 || read(up[0], &byte, 1) != 1)
		return 1;
	while (figures__calls(&mechanism->figures, 1).calls < 1)
		usleep(1000);
	mechanism->ops->detach(mechanism);
	check(figures__calls(&mechanism->figures, 0).calls == CALLS, "calls that were made are counted",
	      figures__calls(&mechanism->figures, 0).calls);
	check(figures__timed(&mechanism->figures, 0) == CALLS, "and timed",
	      figures__timed(&mechanism->figures, 0));
	reads = figures__calls(&mechanism->figures, 1);
	check(reads.calls == 1 && reads.unfinished == 1, "one that waits at the end is unfinished", reads.unfinished);
	check(reads.returns == 1, "one that waited at the beginning returned", reads.returns);
	mechanism__free(mechanism);
	if (write(down[1], "", 1) != 1)
		return 1;
	waitpid(pid, NULL, 0);
	return failed;
}
