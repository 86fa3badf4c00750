/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the probes of a recording cost the traced process while they are on it, and what is
 * done when that is beyond the budget.
 */
#ifndef KVIEW_SPENDING_H
#define KVIEW_SPENDING_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "mechanism/mechanisms.h"
#include "recording/budget.h"

struct spending;

struct spending_opts {
	struct mechanisms *mechanisms;	/* attached */
	uint32_t budget_ppm;		/* of the process's CPU time; 0: no limit */
	/* Before probes of a function come off: it has to be in the next delta. */
	void (*comes_off)(void *context, uint32_t function);
	void *context;
};

/* From now on.  NULL: no memory. */
struct spending *spending__new(const struct spending_opts *opts);
void spending__free(struct spending *spending);

/*
 * To be called every BUDGET_INTERVAL_NS.  Takes off what is beyond the budget.  False: no
 * function is left, the recording has to end, and spending__message tells why.
 */
bool spending__look(struct spending *spending);
/*
 * To be called before spending__look.  True: the process's first thread has ended and others go on, so
 * that the kernel has removed probes, or would not let some be taken off while the others stay.  The
 * recording has to end, and spending__message tells why.
 */
bool spending__has_lost_probes(struct spending *spending);
const char *spending__message(const struct spending *spending);

/*
 * The process has other code: probes come off where the mechanism says so, if they are on yet.
 * False: they could not be taken off, the recording has to end.
 */
bool spending__code_changed(struct spending *spending, const struct mechanism_off *off);

/* The sums of HistogramDelta, and what became of a function's probes. */
void spending__tell(struct spending *spending, Kview__Wire__HistogramDelta *delta);
void spending__tell_function(const struct spending *spending,
			     Kview__Wire__FunctionDelta *function);

#endif
