// SPDX-License-Identifier: GPL-2.0
/* What system calls pay, those that are not measured as well. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mechanism/syscall/cost.h"
#include "mechanism/syscall/state.h"

#define FILTER_NOTE "Filtered in the eBPF programs, two of which other processes pass at each of their system calls%s."

static int cost__attach(void *context)
{
	struct syscalls *s = context;

	if (syscalls__link(s))
		return -1;
	syscalls__set_active(s, true);
	return 0;
}

static void cost__detach(void *context)
{
	struct syscalls *s = context;

	syscalls__set_active(s, false);
	syscalls__unlink(s);
}

/* Of the agent's own, as one of the traced process that is not measured: the least, as the budget may end the recording for it. */
static void syscalls__price_others(struct syscalls *s)
{
	struct xp_cost cost;

	if (syscall_cost__measure(&cost, cost__attach, cost__detach, s))
		return;
	s->other_ns = cost.call_ns;
	s->skel->bss->most_other_ns = cost.inner_spread_ns;
}

/* What a call pays of another process, as the agent's own is here. */
static void syscalls__price_for_others(struct syscalls *s)
{
	struct xp_cost cost;
	char price[64] = "";

	s->skel->bss->target_tgid = 0;
	if (!syscall_cost__measure(&cost, cost__attach, cost__detach, s))
		snprintf(price, sizeof(price), ", which took %llu to %llu ns longer here",
			 cost.call_ns, cost.call_ns + cost.call_spread_ns);
	snprintf(s->filter_note, sizeof(s->filter_note), FILTER_NOTE, price);
}

void syscalls__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct syscalls *s = syscalls__of(mechanism);
	uint32_t *own = &s->skel->bss->points[SYS_getppid];

	s->skel->bss->target_tgid = getpid();
	*own = SC_POINT(mechanism->nr);
	if (syscall_cost__measure(&s->costs[0], cost__attach, cost__detach, s))
		snprintf(s->note, sizeof(s->note), "What measuring adds to a system call could not be measured: %s.",
			 strerror(errno));
	else if (figures__calls(&mechanism->figures, mechanism->nr).calls != SYSCALL_COST_MADE) {
		memset(&s->costs[0], 0, sizeof(s->costs[0]));
		snprintf(s->note, sizeof(s->note), "What measuring adds to a system call is not known: the agent's own calls were not seen.");
	}
	*own = 0;
	s->skel->bss->most_ns = s->costs[0].inner_spread_ns;
	syscalls__price_others(s);
	syscalls__price_for_others(s);
}

uint64_t syscalls__beside_ns(const struct mechanism *mechanism)
{
	const struct syscalls *s = syscalls__of(mechanism);
	const volatile struct sc_others *others = s->skel->bss->others;
	uint64_t nr = 0;
	int slot;

	for (slot = 0; slot < SC_SLOTS; slot++)
		nr += others[slot].nr;
	return nr * s->other_ns;
}
