// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bystander/bystander.h"
#include "bystander/cpu.h"
#include "bystander/operations.h"
#include "recording/cost_to_others.h"

#define LOST_POINTS	"Points came off before the recording's end: the rounds during it are those while all points were on."

struct cost_to_others {
	struct bystander bystander;
	struct rounds rounds;		/* what is to be tried */
	bool has_lost_points;		/* before the recording's end */
	char note[400];
	/* Points of the recording, by operation: first those that it calls, then those that it stands for. */
	uint32_t *calls[ROUNDS_OPERATIONS], *stands_for[ROUNDS_OPERATIONS];
	size_t nr_calls[ROUNDS_OPERATIONS], nr_stands_for[ROUNDS_OPERATIONS];
	Kview__Wire__CostToOthers message;
	Kview__Wire__OperationRounds operations[ROUNDS_OPERATIONS], *list[ROUNDS_OPERATIONS];
};

static int operation__of(const Kview__Wire__Probe *probe)
{
	switch (probe->point_case) {
	case KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL:
		return operation__of_system_call(probe->system_call->name);
	case KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION:
		return operation__of_kernel_function(probe->kernel_function->name);
	case KVIEW__WIRE__PROBE__POINT_TRACEPOINT:
		return operation__of_tracepoint(probe->tracepoint->category, probe->tracepoint->name);
	default:
		return -1;
	}
}

/* Its place among those that are tried; -1: there is no room for it. */
static int cost__place(struct cost_to_others *cost, int operation)
{
	struct rounds *rounds = &cost->rounds;
	uint32_t i;

	for (i = 0; i < rounds->nr_operations; i++)
		if (rounds->operations[i] == operation)
			return i;
	if (i == ROUNDS_OPERATIONS)
		return -1;
	rounds->operations[rounds->nr_operations++] = operation;
	return i;
}

/*
 * All system calls run the same programs, and those of other processes leave them at the first test: what one of them pays,
 * all pay.  A function of the kernel that no operation comes to has none that stands for it.
 */
static void cost__choose(struct cost_to_others *cost, const Kview__Wire__Probe *probe)
{
	int operation = operation__of(probe), place = operation < 0 ? -1 : cost__place(cost, operation);

	if (place >= 0)
		cost->calls[place][cost->nr_calls[place]++] = probe->function_id;
	else if (probe->point_case == KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL)
		cost->stands_for[OPERATION_GENERAL][cost->nr_stands_for[OPERATION_GENERAL]++] = probe->function_id;
}

struct cost_to_others *cost_to_others__begin(const Kview__Wire__StartRecordingRequest *request)
{
	struct cost_to_others *cost = request->cost_to_others ? calloc(1, sizeof(*cost)) : NULL;
	enum cpu_use use;
	size_t i;
	int cpu;

	if (!cost)
		return NULL;
	cost->bystander = (struct bystander){ .pidfd = -1, .fd = -1 };
	for (i = 0; i < ROUNDS_OPERATIONS; i++) {
		cost->calls[i] = calloc(request->n_probes, sizeof(**cost->calls));
		cost->stands_for[i] = calloc(request->n_probes, sizeof(**cost->stands_for));
		if (!cost->calls[i] || !cost->stands_for[i]) {
			cost_to_others__free(cost);
			return NULL;
		}
	}
	cost__place(cost, OPERATION_SWITCH);
	cost__place(cost, OPERATION_GENERAL);
	for (i = 0; i < request->n_probes; i++)
		cost__choose(cost, request->probes[i]);
	use = cpu__choose(request->pid, &cpu);
	kview__wire__cost_to_others__init(&cost->message);
	cost->message.cpu = cpu < 0 ? 0 : cpu;
	cost->message.cpu_use = (Kview__Wire__CostToOthers__CpuUse)use;
	bystander__start(&cost->bystander, &cost->rounds, cpu);
	bystander__begin_before(&cost->bystander);
	return cost;
}

int cost_to_others__fd(const struct cost_to_others *cost)
{
	return cost ? cost->bystander.fd : -1;
}

void cost_to_others__end_before(struct cost_to_others *cost)
{
	if (cost)
		bystander__end_before(&cost->bystander);
}

void cost_to_others__during(struct cost_to_others *cost)
{
	if (cost)
		bystander__during(&cost->bystander);
}

void cost_to_others__point_comes_off(struct cost_to_others *cost)
{
	if (!cost)
		return;
	cost->has_lost_points = true;
	bystander__end_of_rounds(&cost->bystander);
}

static void points__remove(uint32_t *points, size_t *nr, uint32_t point)
{
	size_t i, kept = 0;

	for (i = 0; i < *nr; i++)
		if (points[i] != point)
			points[kept++] = points[i];
	*nr = kept;
}

void cost_to_others__point_was_never_on(struct cost_to_others *cost, uint32_t point)
{
	size_t i;

	for (i = 0; cost && i < ROUNDS_OPERATIONS; i++) {
		points__remove(cost->calls[i], &cost->nr_calls[i], point);
		points__remove(cost->stands_for[i], &cost->nr_stands_for[i], point);
	}
}

void cost_to_others__end_of_recording(struct cost_to_others *cost)
{
	if (cost)
		bystander__end_of_rounds(&cost->bystander);
}

static void operation__tell(struct cost_to_others *cost, uint32_t i)
{
	struct rounds *rounds = cost->bystander.rounds;
	Kview__Wire__OperationRounds *told = &cost->operations[cost->message.n_operations];
	struct rounds_series *phases = rounds->phases;

	kview__wire__operation_rounds__init(told);
	told->name = (char *)operation__name(rounds->operations[i]);
	told->calls = cost->calls[i];
	told->n_calls = cost->nr_calls[i];
	told->stands_for = cost->stands_for[i];
	told->n_stands_for = cost->nr_stands_for[i];
	told->operations = rounds->times[i];
	told->before_ns = phases[ROUNDS_BEFORE].ns[i];
	told->n_before_ns = phases[ROUNDS_BEFORE].nr;
	told->during_ns = phases[ROUNDS_DURING].ns[i];
	told->n_during_ns = phases[ROUNDS_DURING].nr;
	told->after_ns = phases[ROUNDS_AFTER].ns[i];
	told->n_after_ns = phases[ROUNDS_AFTER].nr;
	cost->list[cost->message.n_operations++] = told;
}

void cost_to_others__tell(struct cost_to_others *cost, Kview__Wire__RecordingEnded *ended)
{
	const struct rounds *rounds;
	uint32_t i;

	if (!cost)
		return;
	bystander__after(&cost->bystander);
	rounds = cost->bystander.rounds;
	/* Without any after the recording nobody knows what it would have been without one. */
	if (rounds && rounds->phases[ROUNDS_AFTER].nr) {
		for (i = 0; i < rounds->nr_operations; i++)
			if (rounds->times[i])
				operation__tell(cost, i);
		cost->message.cpu_ns = rounds->cpu_ns;
	}
	cost->message.operations = cost->list;
	snprintf(cost->note, sizeof(cost->note), "%s%s%s", cost->bystander.failure,
		 *cost->bystander.failure && cost->has_lost_points ? " " : "", cost->has_lost_points ? LOST_POINTS : "");
	cost->message.note = cost->note;
	ended->cost_to_others = &cost->message;
}

void cost_to_others__free(struct cost_to_others *cost)
{
	size_t i;

	if (!cost)
		return;
	bystander__free(&cost->bystander);
	for (i = 0; i < ROUNDS_OPERATIONS; i++) {
		free(cost->calls[i]);
		free(cost->stands_for[i]);
	}
	free(cost);
}
