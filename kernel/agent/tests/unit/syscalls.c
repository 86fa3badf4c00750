// SPDX-License-Identifier: GPL-2.0
/*
 * System calls are counted and timed on this kernel: those of a child, from a request to the
 * figures, without anything that a recording does beyond it; and none once it has executed a program
 * that gives it rights, though nobody but the kernel's side has done anything by then.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mechanism/mechanisms.h"
#include "mechanism/trap/calibrate.h"
#include "permission/permission.h"

#include "check.h"
#include "raised.h"

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

/* From here on the agent works for a user behind sudo. */
static void be_restricted(void)
{
	struct error ignored = { 0 };

	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	must(!permission__init(&ignored) && permission__ends_at_raise(), "a caller with fewer rights");
}

/* Found as for root: what a policy allows is asked then. */
static struct mechanisms *start(pid_t pid, bool restricted, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	Kview__Wire__SystemCall names[] = { KVIEW__WIRE__SYSTEM_CALL__INIT, KVIEW__WIRE__SYSTEM_CALL__INIT };
	Kview__Wire__Probe probes[] = { KVIEW__WIRE__PROBE__INIT, KVIEW__WIRE__PROBE__INIT };
	Kview__Wire__Probe *list[] = { &probes[0], &probes[1] };
	struct mechanism_load load = { 0 };
	struct calibration latest = { 0 };
	struct mechanisms *mechanisms;
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
	mechanisms = mechanisms__find(&request, NULL, error);
	if (restricted)
		be_restricted();
	load.max_bytes = permission__memory();
	if (!mechanisms || mechanisms__load(mechanisms, &load, error))
		return NULL;
	mechanisms__calibrate(mechanisms, &latest);
	return mechanisms__attach(mechanisms, error) ? NULL : mechanisms;
}

static void ask(int times)
{
	while (times--)
		syscall(SYS_getppid);
}

static void raise_rights(const struct raised *raised, bool restricted, uint64_t expected, const char *name)
{
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	int told, tell, status = -1;
	pid_t pid = raised__start(raised, &told, &tell);

	mechanisms = start(pid, restricted, &error);
	if (!mechanisms || write(tell, "", 1) != 1) {
		printf("not ok %s: %s\n", name, error.message);
		failed = 1;
		return;
	}
	waitpid(pid, &status, 0);
	check(!status, "the program ended well", status);
	mechanisms__detach(mechanisms);
	check(figures__calls(mechanisms->points[0].figures, 0).calls == expected, name,
	      figures__calls(mechanisms->points[0].figures, 0).calls);
	mechanisms__free(mechanisms);
	close(told);
	close(tell);
}

int main(int argc, char **argv)
{
	struct raised raised;
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	struct xp_calls reads;
	int down[2], up[2];
	char byte;
	pid_t pid;

	if (argc > 1)
		return raised__run(argv, ask);
	if (pipe(down) || pipe(up))
		return 1;
	pid = fork();
	if (!pid)
		call(down[0], up[1]);
	mechanisms = start(pid, false, &error);
	if (!mechanisms) {
		printf("not ok system calls are measured: %s\n", error.message);
		kill(pid, SIGKILL);
		return 1;
	}
	if (write(down[1], "", 1) != 1 || read(up[0], &byte, 1) != 1)
		return 1;
	while (figures__calls(mechanisms->points[0].figures, 1).calls < 1)
		usleep(1000);
	mechanisms__detach(mechanisms);
	check(figures__calls(mechanisms->points[0].figures, 0).calls == CALLS, "calls that were made are counted",
	      figures__calls(mechanisms->points[0].figures, 0).calls);
	check(figures__timed(mechanisms->points[0].figures, 0) == CALLS, "and timed",
	      figures__timed(mechanisms->points[0].figures, 0));
	reads = figures__calls(mechanisms->points[0].figures, 1);
	check(reads.calls == 1 && reads.unfinished == 1, "one that waits at the end is unfinished", reads.unfinished);
	check(reads.returns == 1, "one that waited at the beginning returned", reads.returns);
	mechanisms__free(mechanisms);
	if (write(down[1], "", 1) != 1)
		return 1;
	waitpid(pid, NULL, 0);
	raised__install(&raised);
	raise_rights(&raised, false, BEFORE + AFTER, "for root those of a program that gives rights are counted as well");
	raise_rights(&raised, true, BEFORE, "for others those before it alone");
	raised__remove(&raised);
	return failed;
}
