// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/loop.h"
#include "bystander/bystander.h"
#include "bystander/cpu.h"
#include "bystander/operations.h"
#include "mechanism/kernel_way.h"
#include "mechanism/mechanisms.h"
#include "ways/begin.h"
#include "ways/post.h"
#include "ways/trial.h"

/* Of a phase; fewer where they take longer than all processes of the host should pay for, in any case so many. */
#define ROUNDS		12
#define LEAST_ROUNDS	3
#define PHASE_NS	300000000ull
/* Who gets no CPU for that long is given up. */
#define ROUND_NS	1000000000ull
/* What was told meanwhile is read as often. */
#define LOOK_MS		1
#define OPERATIONS	2

#define SYSTEM_CALL	KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL
#define KERNEL_FUNCTION	KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION
#define VIEW		KVIEW__WIRE__FILTER__FILTER_VIEW
#define IN		KVIEW__WIRE__FILTER__FILTER_IN

static const struct way_kind {
	Kview__Wire__Probe__PointCase point;
	Kview__Wire__Filter filter;
	enum kernel_way way;		/* KERNEL_WAY_VIEW: no matter */
} kinds[] = {
	[KVIEW__WIRE__WAY__WAY_CALL_VIEW] = { SYSTEM_CALL, VIEW, KERNEL_WAY_VIEW },
	[KVIEW__WIRE__WAY__WAY_CALL_IN] = { SYSTEM_CALL, IN, KERNEL_WAY_VIEW },
	[KVIEW__WIRE__WAY__WAY_CALL_POST] = { SYSTEM_CALL, KVIEW__WIRE__FILTER__FILTER_POST, KERNEL_WAY_VIEW },
	[KVIEW__WIRE__WAY__WAY_FUNCTION_VIEW] = { KERNEL_FUNCTION, VIEW, KERNEL_WAY_VIEW },
	[KVIEW__WIRE__WAY__WAY_FUNCTION_MULTI] = { KERNEL_FUNCTION, IN, KERNEL_WAY_MULTI },
	[KVIEW__WIRE__WAY__WAY_FUNCTION_SINGLE] = { KERNEL_FUNCTION, IN, KERNEL_WAY_SINGLE },
};

struct told_rounds {
	Kview__Wire__OperationRounds rounds[OPERATIONS], *list[OPERATIONS];
};

struct way_trial {
	const struct way_kind *kind;
	struct bystander traced, other;
	/* One of the two, once it is loaded. */
	struct mechanisms *mechanisms;
	struct post *post;
	struct told_rounds of_traced, of_other;
	char missing[512];
};

/* The call that is recorded comes first. */
static const struct rounds *trial__rounds(void)
{
	static struct rounds rounds = { .nr_operations = OPERATIONS };

	rounds.operations[0] = operation__of_system_call(WAY_SYSTEM_CALL);
	rounds.operations[1] = OPERATION_SWITCH;
	return &rounds;
}

static int trial__load(struct way_trial *trial, struct error *error)
{
	if (trial->kind->filter == KVIEW__WIRE__FILTER__FILTER_POST) {
		trial->post = post__load(trial->traced.pid, SYS_read, error);
		return trial->post ? 0 : -1;
	}
	kernel_way__force(trial->kind->way);
	trial->mechanisms = way__begin(trial->traced.pid, trial->kind->point, trial->kind->filter, error);
	kernel_way__force(KERNEL_WAY_VIEW);
	return trial->mechanisms ? 0 : -1;
}

static int process__does_round(struct way_trial *trial, struct bystander *process, enum rounds_phase phase, struct error *error)
{
	uint64_t begin_ns = clock__now_ns();

	bystander__ask_round(process, phase);
	while (!bystander__has_round(process, LOOK_MS)) {
		post__collect(trial->post);
		if (clock__now_ns() - begin_ns > ROUND_NS)
			return error__set(error, ERR_FAILED, "What ways of measuring cost was not measured: a process of the agent's own had no CPU for a second. Ask again when this host has less to do.");
	}
	post__collect(trial->post);
	if (!process->pid)
		return error__set(error, ERR_FAILED, "What ways of measuring cost was not measured: %s.", process->why);
	return 0;
}

static int trial__phase(struct way_trial *trial, enum rounds_phase phase, struct error *error)
{
	uint64_t begin_ns = clock__now_ns();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (i >= LEAST_ROUNDS && clock__now_ns() - begin_ns > PHASE_NS)
			break;
		if (process__does_round(trial, &trial->traced, phase, error) || process__does_round(trial, &trial->other, phase, error))
			return -1;
	}
	return 0;
}

/* Ends missing, whose message it takes. */
static void trial__misses(struct way_trial *trial, struct error *missing, Kview__Wire__MeasureWayReply *reply)
{
	snprintf(trial->missing, sizeof(trial->missing), "%s", missing->message);
	error__free(missing);
	reply->missing = trial->missing;
}

/*
 * What counts, counts from before the first round on until after the last.  What can't be attached here is missing, as is what can't
 * be loaded.
 */
static int trial__during(struct way_trial *trial, Kview__Wire__MeasureWayReply *reply, struct error *error)
{
	struct error missing = { 0 };
	struct mechanisms *ms = trial->mechanisms;
	uint64_t begin_ns = clock__now_ns();
	int failed;

	if (trial->post ? post__attach(trial->post, &missing) : mechanisms__attach(ms, &missing)) {
		trial__misses(trial, &missing, reply);
		return 0;
	}
	failed = trial__phase(trial, ROUNDS_DURING, error);
	if (ms)
		mechanisms__detach(ms);
	post__detach(trial->post);
	if (trial->post || mechanisms__filter(ms) != VIEW)
		reply->attached_ns = clock__now_ns() - begin_ns;
	return failed;
}

static void trial__count(const struct way_trial *trial, Kview__Wire__MeasureWayReply *reply)
{
	const struct rounds *rounds = trial->traced.rounds;
	struct post_counts counts;

	reply->calls_made = rounds__operations(rounds, 0) * rounds->phases[ROUNDS_DURING].nr;
	if (!trial->post) {
		mechanisms__refresh(trial->mechanisms);
		reply->calls_seen = figures__calls(trial->mechanisms->points[0].figures, trial->mechanisms->points[0].function).calls;
		return;
	}
	counts = post__counts(trial->post);
	reply->calls_seen = counts.seen;
	reply->told = counts.told;
	reply->not_told = counts.not_told;
}

static Kview__Wire__OperationRounds **rounds__tell(struct told_rounds *told, struct rounds *rounds, size_t *nr)
{
	struct rounds_series *phases = rounds->phases;
	Kview__Wire__OperationRounds *one;
	uint32_t i;

	for (i = 0; i < OPERATIONS; i++) {
		if (!rounds->times[i])
			continue;
		one = &told->rounds[i];
		kview__wire__operation_rounds__init(one);
		one->name = (char *)operation__name(rounds->operations[i]);
		one->operations = rounds->times[i];
		one->before_ns = phases[ROUNDS_BEFORE].ns[i];
		one->n_before_ns = phases[ROUNDS_BEFORE].nr;
		one->during_ns = phases[ROUNDS_DURING].ns[i];
		one->n_during_ns = phases[ROUNDS_DURING].nr;
		one->after_ns = phases[ROUNDS_AFTER].ns[i];
		one->n_after_ns = phases[ROUNDS_AFTER].nr;
		told->list[(*nr)++] = one;
	}
	return told->list;
}

static void trial__tell(struct way_trial *trial, Kview__Wire__MeasureWayReply *reply)
{
	trial__count(trial, reply);
	reply->traced = rounds__tell(&trial->of_traced, trial->traced.rounds, &reply->n_traced);
	reply->others = rounds__tell(&trial->of_other, trial->other.rounds, &reply->n_others);
}

/* Both on one CPU, and never at once: what they find in its caches is the same. */
static int trial__start(struct way_trial *trial, struct error *error)
{
	int cpu;

	cpu__choose(getpid(), &cpu);
	bystander__start(&trial->traced, trial__rounds(), cpu);
	bystander__start(&trial->other, trial__rounds(), cpu);
	if (!trial->traced.pid || !trial->other.pid)
		return error__set(error, ERR_FAILED, "What ways of measuring cost was not measured: %s.",
				  trial->traced.pid ? trial->other.why : trial->traced.why);
	return 0;
}

struct way_trial *way_trial__run(const Kview__Wire__MeasureWayRequest *request, Kview__Wire__MeasureWayReply *reply,
				 struct error *error)
{
	struct error missing = { 0 };
	struct way_trial *trial;

	if (!request->way || (size_t)request->way >= sizeof(kinds) / sizeof(*kinds)) {
		error__set(error, ERR_BAD_REQUEST, "There is no such way of measuring.");
		return NULL;
	}
	trial = calloc(1, sizeof(*trial));
	if (!trial) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	trial->kind = &kinds[request->way];
	trial->traced = trial->other = (struct bystander){ .pidfd = -1, .fd = -1 };
	/* Before anything is loaded, so that they have nothing of it. */
	if (trial__start(trial, error))
		goto fail;
	if (trial__load(trial, &missing)) {
		trial__misses(trial, &missing, reply);
		return trial;
	}
	if (trial__phase(trial, ROUNDS_BEFORE, error) || trial__during(trial, reply, error))
		goto fail;
	if (trial->missing[0])
		return trial;
	if (trial__phase(trial, ROUNDS_AFTER, error))
		goto fail;
	trial__tell(trial, reply);
	return trial;
fail:
	way_trial__free(trial);
	return NULL;
}

void way_trial__free(struct way_trial *trial)
{
	if (!trial)
		return;
	mechanisms__free(trial->mechanisms);
	post__free(trial->post);
	bystander__free(&trial->traced);
	bystander__free(&trial->other);
	free(trial);
}
