// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/mechanisms.h"
#include "permission/permission.h"
#include "recording/ways.h"

#define SYSTEM_CALL	KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL
#define KERNEL_FUNCTION	KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION
#define TRACEPOINT	KVIEW__WIRE__PROBE__POINT_TRACEPOINT

static const struct way_kind {
	const char *name;
	Kview__Wire__Probe__PointCase point;
	Kview__Wire__Filter filter;
} kinds[] = {
	{ "system calls, in a view", SYSTEM_CALL, KVIEW__WIRE__FILTER__FILTER_VIEW },
	{ "system calls, filtered in eBPF", SYSTEM_CALL, KVIEW__WIRE__FILTER__FILTER_IN },
	{ "functions of the kernel, in a view", KERNEL_FUNCTION, KVIEW__WIRE__FILTER__FILTER_VIEW },
	{ "functions of the kernel, filtered in eBPF", KERNEL_FUNCTION, KVIEW__WIRE__FILTER__FILTER_IN },
	{ "tracepoints, in a view", TRACEPOINT, KVIEW__WIRE__FILTER__FILTER_VIEW },
	{ "tracepoints, filtered in eBPF", TRACEPOINT, KVIEW__WIRE__FILTER__FILTER_IN },
};

#define NR_WAYS	(sizeof(kinds) / sizeof(*kinds))

struct ways {
	Kview__Wire__WayCost costs[NR_WAYS], *list[NR_WAYS];
	char others[NR_WAYS][2048], missing[NR_WAYS][512];
};

/* As a recording of the agent itself would begin. */
static struct mechanisms *way__begin(const struct way_kind *kind, struct error *error)
{
	const struct mechanism_load load = { .max_bytes = permission__memory() };
	Kview__Wire__SystemCall call = KVIEW__WIRE__SYSTEM_CALL__INIT;
	Kview__Wire__KernelFunction function = KVIEW__WIRE__KERNEL_FUNCTION__INIT;
	Kview__Wire__Tracepoint tracepoint = KVIEW__WIRE__TRACEPOINT__INIT;
	Kview__Wire__Probe probe = KVIEW__WIRE__PROBE__INIT, *probes[] = { &probe };
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	struct mechanisms *mechanisms;

	/* What it costs depends on the way alone, not on the point: these are there in each kernel. */
	call.name = "getppid";
	function.name = "vfs_read";
	tracepoint.category = "sched";
	tracepoint.name = "sched_process_fork";
	probe.point_case = kind->point;
	if (kind->point == SYSTEM_CALL)
		probe.system_call = &call;
	else if (kind->point == KERNEL_FUNCTION)
		probe.kernel_function = &function;
	else
		probe.tracepoint = &tracepoint;
	request.pid = getpid();
	request.filter = kind->filter;
	request.n_probes = 1;
	request.probes = probes;
	mechanisms = mechanisms__find(&request, error);
	if (mechanisms && mechanisms__load(mechanisms, &load, error)) {
		mechanisms__free(mechanisms);
		mechanisms = NULL;
	}
	return mechanisms;
}

static void way__measure(struct ways *ways, size_t i, struct calibration *calibration)
{
	Kview__Wire__AttachedProbe probe = KVIEW__WIRE__ATTACHED_PROBE__INIT;
	struct error error = { 0 };
	struct mechanisms *mechanisms = way__begin(&kinds[i], &error);
	Kview__Wire__WayCost *cost = &ways->costs[i];

	kview__wire__way_cost__init(cost);
	cost->name = (char *)kinds[i].name;
	cost->others = ways->others[i];
	cost->missing = ways->missing[i];
	if (mechanisms) {
		mechanisms__calibrate(mechanisms, calibration);
		mechanisms__describe(mechanisms, 0, &probe);
		cost->call_cost_ns = probe.call_cost_ns;
		snprintf(ways->others[i], sizeof(ways->others[i]), "%s", mechanisms__filter_note(mechanisms));
		free(probe.goes_on_to);
	} else {
		snprintf(ways->missing[i], sizeof(ways->missing[i]), "%s", error.message);
	}
	mechanisms__free(mechanisms);
	error__free(&error);
}

struct ways *ways__measure(struct calibration *calibration)
{
	struct ways *ways = calloc(1, sizeof(*ways));
	size_t i;

	for (i = 0; ways && i < NR_WAYS; i++)
		way__measure(ways, i, calibration);
	return ways;
}

void ways__tell(struct ways *ways, Kview__Wire__CalibrateReply *reply)
{
	size_t i;

	for (i = 0; i < NR_WAYS; i++)
		ways->list[i] = &ways->costs[i];
	reply->n_ways = NR_WAYS;
	reply->ways = ways->list;
}

void ways__free(struct ways *ways)
{
	free(ways);
}
