// SPDX-License-Identifier: GPL-2.0
/* What probes cost where many threads meet them at once: measured by as many, and in the bound of such a process. */
#include <math.h>

#include "check.h"
#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/calibrate_crowd.h"

#define MS	1000000ULL

static void bounds(void)
{
	const struct calibration dearer = { .range = COST_RANGE_NONE, .range_until_check = COST_RANGE_NONE,
					    .crowd = { 3, 1 } };
	const struct calibration same = { .range = COST_RANGE_NONE, .range_until_check = COST_RANGE_NONE,
					  .crowd = COST_RANGE_NONE };
	const struct calibration neighbour = { .range = { 2, 1 }, .range_until_check = { 2, 1 }, .crowd = { 3, 1 } };

	check(calibration__uncertain_ns(&dearer, 100 * MS, 25 * MS, false) == 25 * MS, "one thread", 25);
	check(calibration__uncertain_ns(&dearer, 100 * MS, 25 * MS, true) == 275 * MS,
	      "many: all may have cost three times as much", 275);
	check(calibration__uncertain_ns(&same, 100 * MS, 25 * MS, true) == 25 * MS,
	      "where it costs many no more", 25);
	check(calibration__uncertain_ns(&neighbour, 100 * MS, 100 * MS, true) == 500 * MS,
	      "a neighbour, which the bound has, and many threads", 500);
}

/* Not how dear it is, which is up to the machine; that it is measured. */
static void measured(void)
{
	struct xprobe_opts opts = { 0 };
	struct calibration calibration;
	struct error error = { 0 };
	struct xprobe *xprobe = xprobe__new(&opts, &error);
	uint64_t likely_ns;
	uint8_t class = XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED);

	check(xprobe, xprobe ? "loaded" : error.message, 0);
	if (!xprobe)
		return;
	check(!calibrate__probes(xprobe, CALIBRATE_ALL, &calibration, &error), error.code ? error.message : "calibrated", 0);
	printf("# beside %u threads up to %.2f times as dear\n", crowd__size(), calibration.crowd.highest);
	check(calibration.crowd.highest >= 1 && calibration.crowd.highest <= 1.5 * crowd__size() && calibration.crowd.lowest == 1,
	      "what many threads pay, in percent", calibration.crowd.highest * 100);
	check(xprobe__counters(xprobe).threads >= crowd__size(), "threads took part", xprobe__counters(xprobe).threads);
	check(calibration.crowd_threads >= 1 && calibration.crowd_threads <= crowd__size(), "so many at once at least once",
	      calibration.crowd_threads);
	printf("# a switch: %.0f ns, %.0f ns of a thread that made a call, whose state takes %.0f ns\n",
	       calibration.switch_ns[XP_SWITCH_PLAIN], calibration.switch_ns[XP_SWITCH_FOLLOWED], calibration.thread_ns);
	likely_ns = calibration.costs[class].likely_ns;
	calibration.crowd.highest = 3;
	calibration__charge_crowd(&calibration, xprobe);
	check(calibration.costs[class].likely_ns == 2 * likely_ns, "a process with threads is charged the middle", likely_ns);
	xprobe__free(xprobe);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	bounds();
	measured();
	return failed;
}
