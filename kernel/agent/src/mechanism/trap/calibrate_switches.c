// SPDX-License-Identifier: GPL-2.0
#include "mechanism/cost/switch_cost.h"
#include "mechanism/trap/calibrate.h"

struct scheduler_alone {
	struct xprobe *xprobe;
	struct error *error;
};

static int scheduler__attach(void *context)
{
	struct scheduler_alone *alone = context;

	return xprobe__attach_scheduler(alone->xprobe, alone->error);
}

static void scheduler__detach(void *context)
{
	struct scheduler_alone *alone = context;

	xprobe__detach(alone->xprobe);
}

int calibrate__switches(struct xprobe *xprobe, uint64_t *cost_ns, struct error *error)
{
	struct scheduler_alone alone = { xprobe, error };

	if (!switch_cost__measure(cost_ns, scheduler__attach, scheduler__detach, &alone))
		return 0;
	xprobe__detach(xprobe);
	return error__set(error, ERR_FAILED, "The cost of context switches could not be measured.");
}
