// SPDX-License-Identifier: GPL-2.0
/* What system calls pay, those that are not measured as well. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "mechanism/cost/call_cost.h"
#include "mechanism/shared_view.h"
#include "mechanism/syscall/state.h"

#define FILTER_NOTE "Filtered in the eBPF programs, which other processes pass: at each of their system calls%s, and at each of their context switches%s."
#define OWN_NOTE "Filtered in the eBPF programs, which other processes pass at each of their system calls%s. " OWN_SWITCHES_NOTE

static int cost__attach(void *context)
{
	struct syscalls *s = context;

	if (s->tracer.view ?
	    priced_view__enter(&s->priced, s->tracer.view->module, s->skel->obj, false, syscalls__hook, NULL) :
	    syscalls__link(s))
		return -1;
	tracer__set_active(&s->tracer, true);
	return 0;
}

static void cost__detach(void *context)
{
	struct syscalls *s = context;

	tracer__set_active(&s->tracer, false);
	priced_view__leave(&s->priced);
	tracer__unlink(&s->tracer);
}

/* Of the agent's own, as one of the traced process that is not measured: the least, as the budget may take points off for it. */
static void syscalls__price_others(struct syscalls *s)
{
	struct xp_cost cost;
	uint64_t made;

	if (call_cost__measure(&cost, &made, cost__attach, cost__detach, s))
		return;
	s->other_ns = cost.call_ns;
	s->skel->bss->most_other_ns = cost.inner_spread_ns;
}

/* What others pay, as the agent's own process is here; in a view that is nothing. */
static void syscalls__price_for_others(struct syscalls *s)
{
	char call[64] = "", of_switch[64] = "";
	struct xp_cost cost;
	uint64_t made, ns;

	*s->tracer.target_tgid = 0;
	if (s->tracer.view)
		return;
	if (!call_cost__measure(&cost, &made, cost__attach, cost__detach, s))
		snprintf(call, sizeof(call), ", which took %llu to %llu ns longer here",
			 cost.call_ns, cost.call_ns + cost.call_spread_ns);
	if (s->tracer.own_switches) {
		snprintf(s->filter_note, sizeof(s->filter_note), OWN_NOTE, call);
		return;
	}
	if (!tracer__price_others_switches(&s->tracer, &ns))
		snprintf(of_switch, sizeof(of_switch), ", %llu ns", (unsigned long long)ns);
	snprintf(s->filter_note, sizeof(s->filter_note), FILTER_NOTE, call, of_switch);
	own_switches__tell_why(s->tracer.why_host, s->filter_note, sizeof(s->filter_note));
}

void syscalls__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct syscalls *s = syscalls__of(mechanism);
	uint32_t *own = &s->skel->bss->points[SYS_getppid];
	struct bpf_map *states[] = { s->skel->maps.threads, s->skel->maps.open_calls };
	struct xp_cost cost = { 0 };
	uint64_t made;

	*s->tracer.target_tgid = getpid();
	tracer__price_switches(&s->tracer, XP_SWITCH_PLAIN);
	*own = SC_POINT(mechanism->nr);
	if (call_cost__measure(&cost, &made, cost__attach, cost__detach, s))
		snprintf(s->note, sizeof(s->note), "What measuring adds to a system call could not be measured: %s.",
			 strerror(errno));
	else if (figures__calls(&mechanism->figures, mechanism->nr).calls != made)
		snprintf(s->note, sizeof(s->note), "What measuring adds to a system call is not known: the agent's own calls were not seen.");
	else
		s->tracer.costs[0] = cost;
	if (*s->note)
		call_cost__assume(&s->tracer.costs[0], s->note, sizeof(s->note));
	s->skel->bss->most_ns = s->tracer.costs[0].inner_spread_ns;
	/* From its first measured call on, a thread has a state. */
	tracer__price_switches(&s->tracer, XP_SWITCH_FOLLOWED);
	*own = 0;
	syscalls__price_others(s);
	tracer__forget_agent(&s->tracer, states, 2);
	syscalls__price_for_others(s);
}

uint64_t syscalls__beside_ns(const struct mechanism *mechanism)
{
	const struct syscalls *s = syscalls__of(mechanism);
	const volatile struct sc_others *others = s->skel->bss->others;
	double ns = tracer__switches_ns(&s->tracer);
	int slot;

	for (slot = 0; slot < SC_SLOTS; slot++)
		ns += others[slot].nr * s->other_ns;
	return ns;
}
