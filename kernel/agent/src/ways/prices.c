// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/mechanisms.h"
#include "ways/begin.h"
#include "ways/prices.h"

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

static void way__measure(struct ways *ways, size_t i, struct calibration *calibration)
{
	Kview__Wire__AttachedProbe probe = KVIEW__WIRE__ATTACHED_PROBE__INIT;
	struct error error = { 0 };
	struct mechanisms *mechanisms = way__begin(getpid(), kinds[i].point, kinds[i].filter, &error);
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
