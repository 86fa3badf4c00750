// SPDX-License-Identifier: GPL-2.0
/*
 * A function and a system call that it makes, in one recording on this kernel: of a child, without anything
 * that a recording does beyond its mechanisms; and the function alone, once the system calls came off.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/trap/calibrate.h"

#define CALLS	100
#define MADE	100	/* system calls in each */
#define ROUNDS	5

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
	mechanisms = mechanisms__find(&request, NULL, error);
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

/* Of the function, in one round of calls: the time on a CPU, and how much that may be wrong. */
struct took {
	uint64_t on_cpu_ns, uncertain_ns;
};

static struct took took__so_far(const struct mechanisms *mechanisms)
{
	const struct point_figures *point = &mechanisms->points[1];
	struct xp_calls calls = calls__of(mechanisms, 1);

	return (struct took){
		figures__total(point->figures, point->function, XP_ON_CPU).total_ns,
		mechanisms__uncertain_ns(mechanisms, 1, calls.removed_ns, calls.uncertain_ns),
	};
}

static int compare(const void *a, const void *b)
{
	const struct took *left = a, *right = b;

	return (left->on_cpu_ns > right->on_cpu_ns) - (left->on_cpu_ns < right->on_cpu_ns);
}

/* Some rounds, the fastest one first. */
static int call_rounds(const struct mechanisms *mechanisms, int tell, int told, struct took *rounds)
{
	char byte = 0;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct took before = took__so_far(mechanisms), after;

		if (write(tell, &byte, 1) != 1 || read(told, &byte, 1) != 1)
			return -1;
		after = took__so_far(mechanisms);
		rounds[i] = (struct took){ after.on_cpu_ns - before.on_cpu_ns, after.uncertain_ns - before.uncertain_ns };
	}
	qsort(rounds, ROUNDS, sizeof(*rounds), compare);
	return 0;
}

/* What the process pays at system calls that are not measured. */
static uint64_t others_ns(const struct mechanisms *mechanisms)
{
	const struct mechanism *system_calls = mechanisms->parts[mechanisms->places[0].part].mechanism;

	return system_calls->ops->beside_ns(system_calls);
}

/*
 * Once no system call is measured none is paid for any more, and the function is measured on.  It takes less then:
 * that was within its error.  What else runs only makes a round longer, so the fastest one is compared with a usual one.
 */
static void alone(struct mechanisms *mechanisms, int tell, int told, const struct took *together)
{
	const uint32_t dropped[] = { 0, 2 }, kept[] = { 1 };
	struct took rounds[ROUNDS];
	struct error error = { 0 };
	uint64_t before_ns;
	int64_t more_ns;

	while (calls__of(mechanisms, 2).calls < ROUNDS)
		usleep(1000);
	check(!mechanisms__drop(mechanisms, dropped, 2, kept, 1, &error), "the system calls come off", 0);
	check(calls__of(mechanisms, 2).lost[XP_LOST_PROBES_OFF] == 1, "one that is under way is told as lost",
	      calls__of(mechanisms, 2).lost[XP_LOST_PROBES_OFF]);
	before_ns = others_ns(mechanisms);
	if (call_rounds(mechanisms, tell, told, rounds))
		return;
	check(others_ns(mechanisms) == before_ns, "no system call is paid for from then on",
	      others_ns(mechanisms) - before_ns);
	more_ns = together->on_cpu_ns - rounds[ROUNDS / 2].on_cpu_ns;
	printf("# %lld ns more for %d system calls, of an error of %llu and %llu without them\n", (long long)more_ns,
	       CALLS * MADE, (unsigned long long)together->uncertain_ns, (unsigned long long)rounds[ROUNDS / 2].uncertain_ns);
	check(more_ns <= (int64_t)(together->uncertain_ns + rounds[ROUNDS / 2].uncertain_ns),
	      "what measuring the system calls took is within the function's error", more_ns);
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
	check(functions->ops->beside_ns(functions) == before_ns, "no context switch is paid for from then on",
	      functions->ops->beside_ns(functions) - before_ns);
}

static void together(struct mechanisms *mechanisms)
{
	struct xp_calls asked = calls__of(mechanisms, 0), function = calls__of(mechanisms, 1);
	struct xp_total outer, inner;

	inner = figures__total(mechanisms->points[0].figures, mechanisms->points[0].function, XP_WALL);
	outer = figures__total(mechanisms->points[1].figures, mechanisms->points[1].function, XP_WALL);
	check(asked.calls == ROUNDS * CALLS * MADE && inner.count == asked.calls, "system calls are counted and timed", asked.calls);
	check(function.calls == 2 * ROUNDS * CALLS && outer.count == function.calls, "and the function that makes them, also without them", function.calls);
	check(outer.total_ns + function.uncertain_ns >= inner.total_ns, "which takes no less", outer.total_ns);
}

int main(void)
{
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	struct took rounds[ROUNDS];
	int down[2], up[2];
	pid_t pid;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pipe(down) || pipe(up))
		return 1;
	pid = fork();
	if (!pid)
		call(down[0], up[1]);
	mechanisms = start(pid, &error);
	check(mechanisms, mechanisms ? "attached" : error.message, 0);
	if (mechanisms && !call_rounds(mechanisms, down[1], up[0], rounds)) {
		alone(mechanisms, down[1], up[0], &rounds[0]);
		none(mechanisms, down[1], up[0]);
		mechanisms__detach(mechanisms);
		together(mechanisms);
		mechanisms__free(mechanisms);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return failed;
}
