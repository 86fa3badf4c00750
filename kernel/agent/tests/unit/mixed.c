// SPDX-License-Identifier: GPL-2.0
/*
 * A function and a system call that it makes, in one recording on this kernel: of a child, without anything
 * that a recording does beyond its mechanisms; and the function alone, once the system calls came off.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/trap/calibrate.h"

#define CALLS	100
#define MADE	10	/* system calls in each */

static volatile int sink;

void asks_here(void);
__attribute__((noinline)) void asks_here(void)
{
	int i;

	for (i = 0; i < MADE; i++)
		sink += syscall(SYS_getppid);
}

/* Calls whenever it is told to. */
static void call(int told, int tell)
{
	char byte;
	int i;

	while (read(told, &byte, 1) == 1) {
		for (i = 0; i < CALLS; i++)
			asks_here();
		if (write(tell, "", 1) != 1)
			break;
	}
	_exit(0);
}

/* The system call is the first point, the function the second, and the system call that the child waits in the third. */
static struct mechanisms *start(pid_t pid, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	Kview__Wire__SystemCall name = KVIEW__WIRE__SYSTEM_CALL__INIT, waits = KVIEW__WIRE__SYSTEM_CALL__INIT;
	Kview__Wire__Probe probes[] = { KVIEW__WIRE__PROBE__INIT, KVIEW__WIRE__PROBE__INIT, KVIEW__WIRE__PROBE__INIT };
	Kview__Wire__Probe *list[] = { &probes[0], &probes[1], &probes[2] };
	struct fn_query query = { .pid = pid, .pattern = "asks_here", .limit = 1 };
	struct mechanism_load load = { 0 };
	struct calibration latest = { 0 };
	struct mechanisms *mechanisms;
	struct fn_list found;

	if (fn_list__find(&found, &query, error))
		return NULL;
	name.name = "getppid";
	probes[0].point_case = KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
	probes[0].system_call = &name;
	probes[1].function_id = 1;
	probes[1].binary = found.binary;
	probes[1].symbol = found.functions[0].symbol;
	probes[1].file_offset = found.functions[0].file_offset;
	request.pid = pid;
	request.probes = list;
	waits.name = "read";
	probes[2].function_id = 2;
	probes[2].point_case = KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
	probes[2].system_call = &waits;
	request.n_probes = 3;
	mechanisms = mechanisms__find(&request, error);
	fn_list__free(&found);
	if (!mechanisms || mechanisms__load(mechanisms, &load, error))
		return NULL;
	mechanisms__calibrate(mechanisms, &latest);
	return mechanisms__attach(mechanisms, error) ? NULL : mechanisms;
}

static struct xp_calls calls__of(const struct mechanisms *mechanisms, size_t point)
{
	return figures__calls(mechanisms->points[point].figures, mechanisms->points[point].function);
}

/* What the process pays at system calls that are not measured. */
static uint64_t others_ns(const struct mechanisms *mechanisms)
{
	const struct mechanism *system_calls = mechanisms->parts[mechanisms->places[0].part].mechanism;

	return system_calls->ops->beside_ns(system_calls);
}

/* Once no system call is measured none is paid for any more, and the function is measured on. */
static void alone(struct mechanisms *mechanisms, int tell, int told)
{
	const uint32_t dropped[] = { 0, 2 }, kept[] = { 1 };
	struct error error = { 0 };
	uint64_t before_ns;
	char byte = 0;

	while (calls__of(mechanisms, 2).calls < 1)
		usleep(1000);
	check(!mechanisms__drop(mechanisms, dropped, 2, kept, 1, &error), "the system calls come off", 0);
	check(calls__of(mechanisms, 2).lost[XP_LOST_PROBES_OFF] == 1, "one that is under way is told as lost",
	      calls__of(mechanisms, 2).lost[XP_LOST_PROBES_OFF]);
	before_ns = others_ns(mechanisms);
	if (write(tell, &byte, 1) != 1 || read(told, &byte, 1) != 1)
		return;
	check(others_ns(mechanisms) == before_ns, "no system call is paid for from then on",
	      others_ns(mechanisms) - before_ns);
}

/* Once no function is measured, the process's context switches cost nothing more. */
static void none(struct mechanisms *mechanisms, int tell, int told)
{
	const struct mechanism *functions = mechanisms->parts[mechanisms->places[1].part].mechanism;
	const uint32_t dropped[] = { 1 };
	struct error error = { 0 };
	uint64_t before_ns;
	char byte = 0;

	check(!mechanisms__drop(mechanisms, dropped, 1, NULL, 0, &error), "the function comes off", 0);
	before_ns = functions->ops->beside_ns(functions);
	if (write(tell, &byte, 1) != 1 || read(told, &byte, 1) != 1)
		return;
	check(before_ns && functions->ops->beside_ns(functions) == before_ns, "no context switch is paid for from then on",
	      functions->ops->beside_ns(functions) - before_ns);
}

static void together(struct mechanisms *mechanisms)
{
	struct xp_calls asked = calls__of(mechanisms, 0), function = calls__of(mechanisms, 1);
	Kview__Wire__AttachedProbe probe = KVIEW__WIRE__ATTACHED_PROBE__INIT;
	struct xp_total outer, inner;

	mechanisms__describe(mechanisms, 0, &probe);
	inner = figures__total(mechanisms->points[0].figures, mechanisms->points[0].function, XP_WALL);
	outer = figures__total(mechanisms->points[1].figures, mechanisms->points[1].function, XP_WALL);
	check(asked.calls == CALLS * MADE && inner.count == CALLS * MADE, "system calls are counted and timed", asked.calls);
	check(function.calls == 2 * CALLS && outer.count == 2 * CALLS, "and the function that makes them, also without them", function.calls);
	check(outer.total_ns + function.uncertain_ns >= inner.total_ns, "which takes no less", outer.total_ns);
	check(function.uncertain_ns >= CALLS * MADE * probe.call_cost_ns,
	      "its error contains what measuring the system calls took", function.uncertain_ns);
}

int main(void)
{
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	int down[2], up[2];
	char byte = 0;
	pid_t pid;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pipe(down) || pipe(up))
		return 1;
	pid = fork();
	if (!pid)
		call(down[0], up[1]);
	mechanisms = start(pid, &error);
	check(mechanisms, mechanisms ? "attached" : error.message, 0);
	if (mechanisms && write(down[1], &byte, 1) == 1 && read(up[0], &byte, 1) == 1) {
		alone(mechanisms, down[1], up[0]);
		none(mechanisms, down[1], up[0]);
		mechanisms__detach(mechanisms);
		together(mechanisms);
		mechanisms__free(mechanisms);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return failed;
}
