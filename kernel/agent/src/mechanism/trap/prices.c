// SPDX-License-Identifier: GPL-2.0
/* What is known of probes of functions before any is set: what the kernel can do, and what they cost. */
#include <stdlib.h>
#include <sys/mman.h>

#include "mechanism/mechanism.h"
#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/trials.h"

struct calibration *calibration__new(void)
{
	return calloc(1, sizeof(struct calibration));
}

struct calibration *calibration__lend(void)
{
	void *lent = mmap(NULL, sizeof(struct calibration), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return lent == MAP_FAILED ? NULL : lent;
}

void calibration__take_back(struct calibration *calibration, struct calibration *lent, bool ended_well)
{
	if (ended_well)
		calibration__learn(calibration, lent);
	munmap(lent, sizeof(*lent));
}

static Kview__Wire__InstructionCost instruction_cost(bool is_stepped)
{
	return is_stepped ? KVIEW__WIRE__INSTRUCTION_COST__INSTRUCTION_SINGLE_STEPPED :
			    KVIEW__WIRE__INSTRUCTION_COST__INSTRUCTION_EMULATED;
}

void mechanism__prepare(struct fn_query *query)
{
	query->code_is_watched = links__best_kind() == LINKS_WHOLE;
	query->filters_pass = trial__filters_pass();
}

void mechanism__price(const struct calibration *calibration, const struct fn_function *function,
		      Kview__Wire__Function *body)
{
	enum xp_exit_class exit = xprobe__exit_class(function);
	uint32_t class = calibrate__dearest_of(function);

	if (exit != XP_EXIT_URETPROBE)
		body->exit_cost = instruction_cost(exit == XP_EXIT_STEPPED);
	if (calibration->measured & CALIBRATE_BIT(class))
		body->predicted_cost_ns = calibration->costs[class].call_ns;
}

static void describe(Kview__Wire__ProbeCost *row, enum xp_entry_class entry, enum xp_exit_class exit,
		     const struct xp_cost *cost)
{
	kview__wire__probe_cost__init(row);
	row->entry = instruction_cost(entry == XP_ENTRY_STEPPED);
	row->exit_kind = exit == XP_EXIT_URETPROBE ? KVIEW__WIRE__EXIT_KIND__EXIT_URETPROBE :
						     KVIEW__WIRE__EXIT_KIND__EXIT_RETURN_SITES;
	if (exit != XP_EXIT_URETPROBE)
		row->exit = instruction_cost(exit == XP_EXIT_STEPPED);
	row->inner_cost_ns = cost->inner_ns;
	row->call_cost_ns = cost->call_ns;
}

int mechanism__measure_prices(struct calibration *calibration, struct mechanism_prices *prices,
			      struct error *error)
{
	struct xprobe_opts opts = { .no_going_on = true };
	struct xprobe *xprobe = xprobe__new(&opts, error);
	int failed, i;

	failed = !xprobe || calibrate__probes(xprobe, CALIBRATE_ALL, calibration, error) ||
		 calibrate__switches(xprobe, &prices->switch_ns, error);
	xprobe__free(xprobe);
	prices->nr = 0;
	prices->note = calibration->note;
	for (i = 0; !failed && i < XP_COST_CALLS; i++)
		if (calibration->measured & CALIBRATE_BIT(i))
			describe(&prices->rows[prices->nr++], i / XP_EXIT_CLASSES, i % XP_EXIT_CLASSES,
				 &calibration->costs[i]);
	return failed ? -1 : 0;
}
