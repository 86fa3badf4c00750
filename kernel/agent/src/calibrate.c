// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate.h"
#include "calibrate_child.h"
#include "calibration_code.h"
#include "estimate.h"
#include "loop.h"

#define BATCHES		5	/* a round; its result is their median */
#define PLAIN_BATCHES	15
#define CHECK_ROUNDS	4
/* Between rounds, since a neighbour that comes for a moment would disturb all of them. */
#define PAUSE_US	15000
#define BUDGET_NS	500000000ULL
/* Several times what the figures of a machine at rest wander by within minutes. */
#define CHANGED		0.25
#define CHANGED_NS	100

/* The child with probes on it. */
struct bench {
	struct xprobe *xprobe;
	struct calibrate_child child;
	uint32_t classes, first_function;
	double plain_ns[CALIBRATE_CLASSES];
};

struct estimates {
	struct estimate inner[CALIBRATE_CLASSES], call[CALIBRATE_CLASSES];
};

/* On-CPU time, as that of the child: what takes the CPU away is no cost of the probes. */
static struct xp_total on_cpu_of(const struct xprobe *xprobe, uint32_t function)
{
	struct xprobe_counts counts = xprobe__counts(xprobe);
	struct xp_total sum = { 0 };
	uint32_t slot;

	for (slot = 0; slot < counts.slots; slot++) {
		size_t index = ((size_t)slot * counts.functions + function) * XP_METRICS + XP_ON_CPU;

		sum.count += counts.totals[index].count;
		sum.total_ns += counts.totals[index].total_ns;
	}
	return sum;
}

static void describe(struct fn_function *function, struct fn_site *site, uint8_t class)
{
	const struct calibration_code *code = calibrate_child__code(class);
	int entry = class / XP_EXIT_CLASSES, exit = class % XP_EXIT_CLASSES;

	memset(function, 0, sizeof(*function));
	memset(site, 0, sizeof(*site));
	site->file_offset = calibration_code__offset(code->exit);
	site->kind = exit == XP_EXIT_EMULATED ? FN_SITE_JUMP : FN_SITE_RET;
	site->cost = exit == XP_EXIT_EMULATED ? FN_INSN_EMULATED : FN_INSN_SINGLE_STEPPED;
	function->file_offset = calibration_code__offset(code->start);
	function->entry_offset = function->file_offset;
	function->name = "calibration";
	function->entry_cost = entry == XP_ENTRY_EMULATED ? FN_INSN_EMULATED :
			       FN_INSN_SINGLE_STEPPED;
	function->exit_kind = exit == XP_EXIT_URETPROBE ? FN_EXIT_URETPROBE : FN_EXIT_SITES;
	if (exit != XP_EXIT_URETPROBE) {
		function->sites = site;
		function->nr_sites = 1;
	}
}

static int bench__plain(struct bench *bench, uint8_t class)
{
	struct estimate calls = { .nr = 0 };
	double call_ns;
	int i;

	for (i = 0; i < PLAIN_BATCHES; i++) {
		if (calibrate_child__batch(&bench->child, class, &call_ns))
			return -1;
		estimate__add(&calls, call_ns);
	}
	bench->plain_ns[class] = estimate__lowest(&calls);
	return 0;
}

static int unseen(struct fn_error *error)
{
	return error__set(error, ERR_FAILED,
			  "Calibration failed: the probes did not see the calls of the agent's own child.");
}

static void bench__close(struct bench *bench)
{
	calibrate_child__end(&bench->child);
	xprobe__detach(bench->xprobe);
}

/* 0, or -1 with error filled and everything closed. */
static int bench__open(struct bench *bench, struct xprobe *xprobe, uint32_t classes,
		       struct fn_error *error)
{
	struct xprobe_function functions[CALIBRATE_CLASSES];
	struct fn_function described[CALIBRATE_CLASSES];
	struct fn_site sites[CALIBRATE_CLASSES];
	double first_ns;
	size_t nr = 0;
	uint8_t class;

	*bench = (struct bench){ .xprobe = xprobe };
	bench->first_function = xprobe__counts(xprobe).functions - CALIBRATE_CLASSES;
	if (calibrate_child__start(&bench->child))
		return error__set(error, ERR_FAILED,
				  "The child for calibration could not be started.");
	for (class = 0; class < CALIBRATE_CLASSES; class++) {
		if (!(classes & 1U << class) || !calibrate_child__code(class)->start)
			continue;
		bench->classes |= 1U << class;
		describe(&described[nr], &sites[nr], class);
		functions[nr] = (struct xprobe_function){
			bench->first_function + class, "/proc/self/exe", &described[nr] };
		nr++;
		if (bench__plain(bench, class))
			goto fail;
	}
	if (xprobe__attach(xprobe, bench->child.pid, functions, nr, error)) {
		bench__close(bench);
		return -1;
	}
	/* The first batch maps what the kernel needs for single-stepping. */
	for (class = 0; class < CALIBRATE_CLASSES; class++)
		if (bench->classes & 1U << class &&
		    calibrate_child__batch(&bench->child, class, &first_ns))
			goto fail;
	return 0;
fail:
	bench__close(bench);
	return unseen(error);
}

static int bench__measure(const struct bench *bench, uint8_t class, struct estimate *inner,
			  struct estimate *call)
{
	uint32_t function = bench->first_function + class;
	double inner_ns[BATCHES], call_ns[BATCHES], plain_ns = bench->plain_ns[class];
	struct xp_total before, after;
	int i;

	for (i = 0; i < BATCHES; i++) {
		before = on_cpu_of(bench->xprobe, function);
		if (calibrate_child__batch(&bench->child, class, &call_ns[i]))
			return -1;
		after = on_cpu_of(bench->xprobe, function);
		if (after.count - before.count != calibrate_child__calls(class))
			return -1;
		inner_ns[i] = (double)(after.total_ns - before.total_ns) / calibrate_child__calls(class);
	}
	estimate__add(inner, median(inner_ns, BATCHES) - plain_ns);
	estimate__add(call, median(call_ns, BATCHES) - plain_ns);
	return 0;
}

static int bench__round(const struct bench *bench, struct estimates *estimates)
{
	uint8_t class;

	usleep(PAUSE_US);
	for (class = 0; class < CALIBRATE_CLASSES; class++)
		if (bench->classes & 1U << class &&
		    bench__measure(bench, class, &estimates->inner[class],
				   &estimates->call[class]))
			return -1;
	return 0;
}

/* The classes whose costs are sure by now. */
static uint32_t estimates__settled(const struct estimates *estimates, uint32_t classes)
{
	uint32_t settled = 0;
	uint8_t class;

	for (class = 0; class < CALIBRATE_CLASSES; class++)
		if (classes & 1U << class && estimate__settled(&estimates->inner[class]) &&
		    estimate__settled(&estimates->call[class]))
			settled |= 1U << class;
	return settled;
}

static struct xp_cost estimates__cost(const struct estimates *estimates, uint8_t class)
{
	double inner_ns = estimate__value(&estimates->inner[class]);
	double call_ns = estimate__value(&estimates->call[class]);

	/* Next to nothing on some machine, and still: not known is another thing. */
	if (inner_ns < 1)
		inner_ns = 1;
	return (struct xp_cost){ inner_ns, call_ns > inner_ns ? call_ns : inner_ns };
}

static void calibration__explain(struct calibration *calibration,
				 const struct estimates *estimates, uint32_t unsettled)
{
	const struct estimate *worst = NULL;
	uint8_t class;

	for (class = 0; class < CALIBRATE_CLASSES; class++) {
		const struct estimate *e = &estimates->call[class];

		if (unsettled & 1U << class &&
		    (!worst || estimate__highest(e) * estimate__lowest(worst) >
			       estimate__highest(worst) * estimate__lowest(e)))
			worst = e;
	}
	if (worst)
		snprintf(calibration->note, sizeof(calibration->note),
			 "What the probes cost did not settle: between %.2f and %.2f µs a call in %zu rounds, as other work disturbs this host; figures of functions that take only some µs are rough.",
			 estimate__lowest(worst) / 1e3, estimate__highest(worst) / 1e3, worst->nr);
}

static void calibration__apply(const struct calibration *calibration, struct xprobe *xprobe)
{
	int entry, exit;

	for (entry = 0; entry < XP_ENTRY_CLASSES; entry++)
		for (exit = 0; exit < XP_EXIT_CLASSES; exit++)
			xprobe__set_cost(xprobe, entry, exit, calibration->costs[entry][exit]);
}

int calibrate__probes(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration,
		      struct fn_error *error)
{
	struct estimates estimates = { 0 };
	uint64_t start_ns = clock__now_ns();
	struct bench bench;
	uint8_t class;

	memset(calibration, 0, sizeof(*calibration));
	calibration__apply(calibration, xprobe);
	if (bench__open(&bench, xprobe, classes, error))
		return -1;
	do {
		if (bench__round(&bench, &estimates)) {
			bench__close(&bench);
			return unseen(error);
		}
		calibration->settled = estimates__settled(&estimates, bench.classes);
	} while (calibration->settled != bench.classes &&
		 clock__now_ns() - start_ns < BUDGET_NS);
	bench__close(&bench);

	calibration->measured = bench.classes;
	for (class = 0; class < CALIBRATE_CLASSES; class++)
		if (bench.classes & 1U << class)
			calibration->costs[class / XP_EXIT_CLASSES][class % XP_EXIT_CLASSES] =
				estimates__cost(&estimates, class);
	calibration__explain(calibration, &estimates, bench.classes & ~calibration->settled);
	calibration__apply(calibration, xprobe);
	return 0;
}

void calibration__learn(struct calibration *calibration, const struct calibration *other)
{
	int entry, exit;

	for (entry = 0; entry < XP_ENTRY_CLASSES; entry++)
		for (exit = 0; exit < XP_EXIT_CLASSES; exit++)
			if (other->measured & CALIBRATE_BIT(entry, exit))
				calibration->costs[entry][exit] = other->costs[entry][exit];
	calibration->measured |= other->measured;
	calibration->settled = (calibration->settled & ~other->measured) | other->settled;
}

static bool is_changed(double ns, double before_ns)
{
	double change = ns > before_ns ? ns - before_ns : before_ns - ns;

	return change > CHANGED * before_ns + CHANGED_NS;
}

void calibrate__check(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration)
{
	const struct calibration nothing = { 0 };
	struct estimates estimates = { 0 };
	struct fn_error ignored = { 0 };
	struct bench bench;
	uint8_t class;
	int i;

	classes &= calibration->settled;
	calibration__apply(&nothing, xprobe);
	if (!classes || bench__open(&bench, xprobe, classes, &ignored))
		return;
	for (i = 0; i < CHECK_ROUNDS; i++)
		if (bench__round(&bench, &estimates))
			break;
	bench__close(&bench);
	for (class = 0; class < CALIBRATE_CLASSES && i == CHECK_ROUNDS; class++) {
		const struct xp_cost *cost =
			&calibration->costs[class / XP_EXIT_CLASSES][class % XP_EXIT_CLASSES];
		double call_ns = estimate__lowest(&estimates.call[class]);

		if (!(classes & 1U << class) ||
		    (!is_changed(call_ns, cost->call_ns) &&
		     !is_changed(estimate__lowest(&estimates.inner[class]), cost->inner_ns)))
			continue;
		calibration->settled &= ~(1U << class);
		snprintf(calibration->note, sizeof(calibration->note),
			 "What the probes cost changed during the recording, from %.2f to %.2f µs a call: figures of functions that take only some µs, or that make many probed calls, are rough.",
			 cost->call_ns / 1e3, call_ns / 1e3);
	}
}
