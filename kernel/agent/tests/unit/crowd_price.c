// SPDX-License-Identifier: GPL-2.0
/*
 * What many threads pay is charged once a second one met probes, whatever threads there are: of a child of the
 * test's own that has two.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/mechanisms.h"
#include "mechanism/trap/calibrate.h"

#define CALLS	10

static int down[2], up[2];
static volatile int sink;

void probed_here(int x);
__attribute__((noinline)) void probed_here(int x)
{
	sink += x;
	__asm__ volatile("" ::: "memory");
}

/* Whenever it is told to. */
static void *call(void *unused)
{
	char byte;
	int i;

	while (read(down[0], &byte, 1) == 1) {
		for (i = 0; i < CALLS; i++)
			probed_here(i);
		if (write(up[1], &byte, 1) != 1)
			break;
		/* The other one is to read next. */
		if (byte)
			pause();
	}
	return NULL;
}

static void run(void)
{
	pthread_t other;

	pthread_create(&other, NULL, call, NULL);
	call(NULL);
	_exit(1);
}

static void let_call(char last)
{
	if (write(down[1], &last, 1) != 1 || read(up[0], &last, 1) != 1)
		check(false, "the child calls", 0);
}

static struct mechanisms *start(pid_t pid, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	Kview__Wire__Probe probe = KVIEW__WIRE__PROBE__INIT, *list = &probe;
	struct fn_query query = { .pid = pid, .pattern = "probed_here", .limit = 1 };
	struct mechanism_load load = { 0 };
	struct calibration latest = { 0 };
	struct mechanisms *mechanisms;
	struct fn_list found;

	if (fn_list__find(&found, &query, error))
		return NULL;
	probe.binary = found.binary;
	probe.symbol = found.functions[0].symbol;
	probe.file_offset = found.functions[0].file_offset;
	request.pid = pid;
	request.probes = &list;
	request.n_probes = 1;
	mechanisms = mechanisms__find(&request, NULL, error);
	fn_list__free(&found);
	if (!mechanisms || mechanisms__load(mechanisms, &load, error))
		return NULL;
	mechanisms__calibrate(mechanisms, &latest);
	return mechanisms__attach(mechanisms, error) ? NULL : mechanisms;
}

static void charged(struct mechanisms *mechanisms)
{
	const struct figures *figures = mechanisms->points[0].figures;
	const struct xp_cost *costs = figures->costs;
	struct xp_cost before[XP_COST_CLASSES];
	bool is_less = false;
	int class;

	memcpy(before, costs, sizeof(before));
	check(!mechanisms__reprice(mechanisms), "none has met a probe yet", 0);
	let_call(true);
	check(figures__calls(figures, 0).calls == CALLS, "one thread calls", CALLS);
	check(!mechanisms__reprice(mechanisms) && !memcmp(before, costs, sizeof(before)),
	      "one thread's costs are charged, though there are two", 0);
	let_call(false);
	check(mechanisms__reprice(mechanisms), "the second thread changes that", 0);
	check(!mechanisms__reprice(mechanisms), "once", 0);
	for (class = 0; class < XP_COST_CLASSES; class++)
		is_less |= costs[class].likely_ns < before[class].likely_ns ||
			   costs[class].call_ns != before[class].call_ns;
	check(!is_less, "what is subtracted stays, and nothing is cheaper", 0);
}

int main(void)
{
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	pid_t pid;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pipe(down) || pipe(up))
		return 1;
	pid = fork();
	if (!pid)
		run();
	mechanisms = start(pid, &error);
	check(mechanisms, mechanisms ? "attached" : error.message, 0);
	if (mechanisms) {
		charged(mechanisms);
		mechanisms__detach(mechanisms);
		mechanisms__free(mechanisms);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return failed;
}
