// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "mechanism/mechanisms.h"
#include "mechanism/shared_view.h"
#include "permission/permission.h"
#include "ways/begin.h"

struct mechanisms *way__begin(pid_t pid, Kview__Wire__Probe__PointCase point, Kview__Wire__Filter filter, struct error *error)
{
	const struct mechanism_load load = { .max_bytes = permission__memory() };
	Kview__Wire__SystemCall call = KVIEW__WIRE__SYSTEM_CALL__INIT;
	Kview__Wire__KernelFunction function = KVIEW__WIRE__KERNEL_FUNCTION__INIT;
	Kview__Wire__Tracepoint tracepoint = KVIEW__WIRE__TRACEPOINT__INIT;
	Kview__Wire__Probe probe = KVIEW__WIRE__PROBE__INIT, *probes[] = { &probe };
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	struct mechanisms *mechanisms;
	char *advice;

	call.name = WAY_SYSTEM_CALL;
	function.name = WAY_KERNEL_FUNCTION;
	tracepoint.category = "sched";
	tracepoint.name = "sched_process_fork";
	probe.point_case = point;
	if (point == KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL)
		probe.system_call = &call;
	else if (point == KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION)
		probe.kernel_function = &function;
	else
		probe.tracepoint = &tracepoint;
	request.pid = pid;
	request.filter = filter;
	request.n_probes = 1;
	request.probes = probes;
	mechanisms = mechanisms__find(&request, NULL, error);
	if (mechanisms && mechanisms__load(mechanisms, &load, error)) {
		mechanisms__free(mechanisms);
		mechanisms = NULL;
	}
	/* Nobody wants to record: why this way can't be had is all. */
	advice = mechanisms ? NULL : strstr(error->message, SHARED_VIEW_ADVICE);
	if (advice)
		*advice = 0;
	return mechanisms;
}
