// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/calibrate_bench.h"
#include "mechanism/trap/calibrate_crowd.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/estimate.h"

#define BATCHES		5	/* their median is the result */
#define PLAIN_BATCHES	15
#define CROWD_TRIES	4

static const int batches_of[CACHES] = { [CACHES_WARM] = BATCHES, [CACHES_COLD] = 3, [CACHES_RESTED] = 1 };

static const struct {
	enum xp_entry_class entry;
	enum xp_exit_class exit;
	bool pass;
} classes_of_calls[XP_COST_CLASSES] = {
#define CALL(entry, exit)	[XP_COST_CALL(entry, exit)] = { entry, exit, false }
	CALL(XP_ENTRY_EMULATED, XP_EXIT_URETPROBE),
	CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED),
	CALL(XP_ENTRY_EMULATED, XP_EXIT_STEPPED),
	CALL(XP_ENTRY_STEPPED, XP_EXIT_URETPROBE),
	CALL(XP_ENTRY_STEPPED, XP_EXIT_EMULATED),
	CALL(XP_ENTRY_STEPPED, XP_EXIT_STEPPED),
#undef CALL
	[XP_COST_PASS(XP_EXIT_EMULATED)] = { XP_ENTRY_EMULATED, XP_EXIT_EMULATED, true },
	[XP_COST_PASS(XP_EXIT_STEPPED)] = { XP_ENTRY_EMULATED, XP_EXIT_STEPPED, true },
};

/* What the probes have seen of a class. */
struct seen {
	uint64_t count;		/* calls that ended, or sites passed */
	uint64_t inner_ns;
};

/* On-CPU time, as that of the child: what takes the CPU away is no cost of the probes. */
static struct seen bench__seen(const struct bench *bench, uint8_t class)
{
	struct figures counts = xprobe__figures(bench->xprobe);
	size_t function = bench->first_function + class;
	struct xp_total total = figures__total(&counts, function, XP_ON_CPU);
	struct xp_calls calls = figures__calls(&counts, function);

	if (bench->unmatched)
		return (struct seen){ .count = calls.unmatched + calls.lost[XP_LOST_UNMATCHED] };
	return (struct seen){
		.count = classes_of_calls[class].pass ?
			 calls.passed : total.count,
		.inner_ns = total.total_ns,
	};
}

static enum fn_site_kind site_kind(uint8_t class)
{
	bool emulated = classes_of_calls[class].exit == XP_EXIT_EMULATED;

	if (classes_of_calls[class].pass)
		return emulated ? FN_SITE_JUMP_COND : FN_SITE_JUMP_REG;
	return emulated ? FN_SITE_JUMP : FN_SITE_RET;
}

/* A function of a class; site and range are its own. */
static void describe(struct fn_function *function, struct fn_site *site, struct fn_range *range,
		     uint8_t class)
{
	const struct calibration_code *code = &calibration_code[class];
	const char *entry = code->unreached ? code->unreached : code->start;

	*range = (struct fn_range){ (uintptr_t)code->start, (uintptr_t)entry };
	*site = (struct fn_site){
		.address = (uintptr_t)code->site,
		.file_offset = calibration_code__offset(code->site),
		.kind = site_kind(class),
		.condition = calibration_condition,
		.reg = calibration_register,
		.cost = classes_of_calls[class].exit == XP_EXIT_EMULATED ? FN_INSN_EMULATED :
			FN_INSN_SINGLE_STEPPED,
		.goes_on = -1,
	};
	*function = (struct fn_function){
		.name = (char *)"calibration",
		.address = (uintptr_t)code->start,
		.file_offset = calibration_code__offset(entry),
		.entry_offset = calibration_code__offset(entry),
		.entry_cost = classes_of_calls[class].entry == XP_ENTRY_EMULATED ?
			      FN_INSN_EMULATED : FN_INSN_SINGLE_STEPPED,
		.exit_kind = FN_EXIT_URETPROBE,
		.ranges = range,
		.nr_ranges = 1,
	};
	if (classes_of_calls[class].exit != XP_EXIT_URETPROBE) {
		function->exit_kind = FN_EXIT_SITES;
		function->sites = site;
		function->nr_sites = 1;
	}
}

static int bench__plain(struct bench *bench, uint8_t class, enum calibrate_caches caches)
{
	struct estimate calls = { .nr = 0 };
	struct calibrate_batch batch;
	int i;

	for (i = 0; i < PLAIN_BATCHES; i++) {
		if (calibrate_child__batch(&bench->child, class, caches, &batch))
			return -1;
		estimate__add(&calls, batch.call_ns);
	}
	bench->plain_ns[class][caches] = caches == CACHES_COLD ? estimate__value(&calls) :
					 estimate__lowest(&calls);
	/* What a call without probes takes more after a sleep is not worth the time. */
	bench->plain_ns[class][CACHES_RESTED] = bench->plain_ns[class][CACHES_COLD];
	return 0;
}

int bench__unseen(struct error *error)
{
	return error__set(error, ERR_FAILED,
			  "Calibration failed: the probes did not see the calls of the agent's own child.");
}

void bench__close(struct bench *bench)
{
	calibrate_child__end(&bench->child);
	xprobe__detach(bench->xprobe);
	xprobe__force_returns(bench->xprobe, false);
}

/* Calls of it need no page for steps. */
#define CLASS_WITHOUT_PAGE	XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED)

/* The first class whose calls step, or have their return address replaced; XP_COST_CLASSES: none. */
static uint8_t class_with_page(uint32_t classes)
{
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++)
		if (classes & CALIBRATE_BIT(class) &&
		    (classes_of_calls[class].entry == XP_ENTRY_STEPPED ||
		     classes_of_calls[class].exit != XP_EXIT_EMULATED))
			break;
	return class;
}

/*
 * With the first call that needs it the kernel makes the child's page for steps.  What the first
 * probe of a thread costs comes before that, and before any call that is measured.
 */
static int bench__first(struct bench *bench)
{
	struct seen before = bench__seen(bench, CLASS_WITHOUT_PAGE), after;
	double ignored_ns;

	bench->first_class = class_with_page(bench->classes);
	if (calibrate_child__once(&bench->child, CLASS_WITHOUT_PAGE, &ignored_ns))
		return -1;
	after = bench__seen(bench, CLASS_WITHOUT_PAGE);
	bench->first_inner_ns = after.inner_ns - before.inner_ns;
	return bench->first_class == XP_COST_CLASSES ? 0 :
	       calibrate_child__once(&bench->child, bench->first_class, &bench->first_ns);
}

/* The first call of each other class, then a batch that is not looked at. */
static int bench__warm_up(struct bench *bench)
{
	struct calibrate_batch ignored;
	double ns;
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		if (!(bench->classes & CALIBRATE_BIT(class)))
			continue;
		if (calibrate_child__once(&bench->child, class, &ns))
			return -1;
		/* Those two were called before. */
		if (class != bench->first_class && class != CLASS_WITHOUT_PAGE)
			bench->once_ns[class] = ns;
		if (calibrate_child__batch(&bench->child, class, CACHES_WARM, &ignored))
			return -1;
	}
	return 0;
}

#define BARE_ROUNDS	3

/* The lowest of all that were measured: at another moment a neighbour may be gone. */
static int bench__beside(const struct bench *bench, enum calibrate_beside what, double *lowest_ns)
{
	double ns;

	if (calibrate_child__beside(&bench->child, CLASS_WITHOUT_PAGE, what, &ns))
		return -1;
	if (!*lowest_ns || ns < *lowest_ns)
		*lowest_ns = ns;
	return 0;
}

static int bench__beside_bare(struct bench *bench)
{
	return bench__beside(bench, BESIDE_SWITCH, &bench->bare_switch_ns) ||
	       bench__beside(bench, BESIDE_THREAD, &bench->bare_thread_ns) ? -1 : 0;
}

int bench__beside_calls(struct bench *bench)
{
	return bench__beside(bench, BESIDE_SWITCH, &bench->switch_ns) ||
	       bench__beside(bench, BESIDE_SWITCH_AFTER_CALL, &bench->followed_switch_ns) ||
	       bench__beside(bench, BESIDE_THREAD, &bench->thread_ns) ||
	       bench__beside(bench, BESIDE_THREAD_OF_CALLS, &bench->calling_thread_ns) ? -1 : 0;
}

void bench__beside_again(struct bench *bench)
{
	double switch_ns = 0, thread_ns = 0;
	int i;

	xprobe__detach(bench->xprobe);
	for (i = 0; i < BARE_ROUNDS; i++)
		if (bench__beside(bench, BESIDE_SWITCH, &switch_ns) ||
		    bench__beside(bench, BESIDE_THREAD, &thread_ns))
			return;
	if (switch_ns > bench->bare_switch_ns)
		bench->bare_switch_ns = switch_ns;
	if (thread_ns > bench->bare_thread_ns)
		bench->bare_thread_ns = thread_ns;
}

int bench__open(struct bench *bench, struct xprobe *xprobe, uint32_t classes, bool beside,
		struct error *error)
{
	struct xprobe_function functions[XP_COST_CLASSES];
	struct fn_function described[XP_COST_CLASSES];
	struct fn_range ranges[XP_COST_CLASSES];
	struct fn_site sites[XP_COST_CLASSES];
	uint32_t attached;
	size_t nr = 0;
	uint8_t class;

	*bench = (struct bench){ .xprobe = xprobe };
	bench->first_function = xprobe__first_spare(xprobe);
	if (calibrate_child__start(&bench->child))
		return error__set(error, ERR_FAILED,
				  "The child for calibration could not be started.");
	attached = classes | CALIBRATE_BIT(CLASS_WITHOUT_PAGE);
	for (class = 0; class < XP_COST_CLASSES; class++) {
		if (!(attached & CALIBRATE_BIT(class)) || !calibration_code[class].start)
			continue;
		describe(&described[nr], &sites[nr], &ranges[nr], class);
		functions[nr] = (struct xprobe_function){
			.id = bench->first_function + class, .path = "/proc/self/exe",
			.function = &described[nr] };
		nr++;
		if (!(classes & CALIBRATE_BIT(class)))
			continue;
		bench->classes |= CALIBRATE_BIT(class);
		if (beside && bench__beside_bare(bench))
			goto fail;
		if (bench__plain(bench, class, CACHES_WARM) ||
		    bench__plain(bench, class, CACHES_COLD))
			goto fail;
	}
	if (beside && bench__beside_bare(bench))
		goto fail;
	xprobe__force_returns(xprobe, true);
	if (xprobe__attach(xprobe, bench->child.pid, functions, nr, error)) {
		bench__close(bench);
		return -1;
	}
	if (bench__first(bench) || bench__warm_up(bench))
		goto fail;
	return 0;
fail:
	bench__close(bench);
	return bench__unseen(error);
}

int bench__measure(const struct bench *bench, uint8_t class, enum calibrate_caches caches,
		   struct bench_cost *cost, struct noise *noise)
{
	unsigned int calls = calibrate_child__calls(class, caches);
	int batches = batches_of[caches], high = batches > 1 ? batches - 2 : 0, i;
	double plain_ns = bench->plain_ns[class][caches];
	/* What a call takes without probes is taken off warm; cold that is not worth the noise. */
	double plain_inner_ns = bench->plain_ns[class][CACHES_WARM];
	double inner[BATCHES], call[BATCHES], wall[BATCHES];
	struct calibrate_batch batch;
	struct seen before, after;
	size_t undisturbed = 0;

	for (i = 0; i < batches; i++) {
		before = bench__seen(bench, class);
		if (calibrate_child__batch(&bench->child, class, caches, &batch))
			return -1;
		after = bench__seen(bench, class);
		if (after.count - before.count != calls)
			return -1;
		call[i] = batch.call_ns;
		if (batch.wall_ns)
			wall[undisturbed++] = batch.wall_ns;
		inner[i] = (double)(after.inner_ns - before.inner_ns) / calls;
	}
	cost->inner_ns = median(inner, batches) - plain_inner_ns;
	cost->call_ns = median(call, batches) - plain_ns;
	/* They are sorted now. */
	cost->inner_high_ns = inner[high] - plain_inner_ns;
	cost->call_high_ns = call[high] - plain_ns;
	noise__see(noise, wall, undisturbed);
	if (classes_of_calls[class].pass)
		cost->inner_ns = cost->inner_high_ns = 0;
	return 0;
}

/* One batch, and what its calls measured themselves. */
struct measured {
	struct calibrate_batch batch;
	double inner_ns;
};

static int bench__batch(const struct bench *bench, uint8_t class, bool is_crowded, struct measured *measured)
{
	struct seen before = bench__seen(bench, class), after;

	if (is_crowded ? calibrate_child__crowded(&bench->child, class, &measured->batch) :
			 calibrate_child__batch(&bench->child, class, CACHES_WARM, &measured->batch))
		return -1;
	after = bench__seen(bench, class);
	if (after.count == before.count)
		return -1;
	measured->inner_ns = (double)(after.inner_ns - before.inner_ns) / (after.count - before.count);
	return 0;
}

/* The middle ones of those that so many threads took part in. */
static struct bench_cost cost_by(const struct measured *batches, unsigned int threads, double plain_ns)
{
	double call[BATCHES], inner[BATCHES];
	size_t nr = 0, i;

	for (i = 0; i < BATCHES; i++) {
		if (batches[i].batch.threads != threads)
			continue;
		call[nr] = batches[i].batch.call_ns;
		inner[nr++] = batches[i].inner_ns;
	}
	return (struct bench_cost){ .inner_ns = median(inner, nr) - plain_ns,
				    .call_ns = median(call, nr) - plain_ns };
}

int bench__crowded(const struct bench *bench, uint8_t class, struct bench_cost *alone,
		   struct bench_cost *crowded, unsigned int *threads)
{
	double plain_ns = bench->plain_ns[class][CACHES_WARM];
	struct measured batches[2][BATCHES];
	int tries, i, is_crowded;

	/* On a busy machine others may not have been on a CPU in any of them. */
	for (tries = 0, *threads = 1; tries < CROWD_TRIES && *threads < crowd__size(); tries++)
		for (i = 0, *threads = 1; i < BATCHES; i++) {
			for (is_crowded = 0; is_crowded < 2; is_crowded++)
				if (bench__batch(bench, class, is_crowded, &batches[is_crowded][i]))
					return -1;
			if (batches[true][i].batch.threads > *threads)
				*threads = batches[true][i].batch.threads;
		}
	*alone = cost_by(batches[false], 1, plain_ns);
	*crowded = cost_by(batches[true], *threads, plain_ns);
	return 0;
}
