// SPDX-License-Identifier: GPL-2.0
/* What is written down of a call's waits, also where there is no room for them, or one of their ends was not seen. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include <stdlib.h>
#include <string.h>

#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#undef bpf_core_field_exists
#undef BPF_CORE_READ
#undef BPF_CORE_READ_BITFIELD
#undef bpf_core_enum_value_exists
#undef bpf_core_cast
#define bpf_core_field_exists(field)		1
#define BPF_CORE_READ(of, ...)			0
#define BPF_CORE_READ_BITFIELD(of, field)	((of)->field)
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_core_cast(pointer, type)		((type *)(pointer))
#define bpf_probe_read_kernel(to, bytes, from)	((void)(to), (void)(from))
#define bpf_ktime_get_ns()			5000
#define bpf_task_pt_regs(task)			((long)&registers)

static struct pt_regs registers;

#include "flow/bpf/flow.h"
#include "flow/steps.h"
#include "bpf/base.bpf.h"
#include "bpf/causes.bpf.h"
#include "flow/bpf/steps.bpf.h"

#include "check.h"

#define WAIT_NS	50000000ULL

static struct flow_open open_call;
static struct flow_buffer buffer;
static struct task_struct task;

static void begin(void)
{
	memset(&open_call, 0, sizeof(open_call));
	open_call.begin_ns = open_call.last_ns = 1000;
	step(&open_call, &buffer, FLOW_KIND_ENTER, 1, 10, 1000);
}

static void end(u64 now)
{
	step(&open_call, &buffer, FLOW_KIND_LEAVE, 1, 10, now);
}

/* The sum of the waits that the steps tell. */
static uint64_t told_ns(uint64_t *queue_ns)
{
	struct flow_steps steps;
	uint64_t sum = 0;
	size_t i;

	*queue_ns = 0;
	if (flow_steps__read(&steps, buffer.words, open_call.nr, open_call.cut))
		abort();
	for (i = 0; i < steps.nr; i++) {
		if (steps.all[i].kind != FLOW_KIND_IN)
			continue;
		sum += steps.all[i].after_ns;
		*queue_ns += steps.all[i].queue_ns;
	}
	flow_steps__free(&steps);
	return sum;
}

static void whole(void)
{
	uint64_t queue_ns;

	begin();
	open__leaves_cpu(&open_call, &buffer, &task, XP_NETWORK, 2000);
	open__gets_cpu(&open_call, &buffer, 300, 2000 + WAIT_NS);
	end(3000 + WAIT_NS);
	check(open_call.off_ns == WAIT_NS && told_ns(&queue_ns) == WAIT_NS && queue_ns == 300,
	      "a wait is as long as it was", open_call.off_ns);
	begin();
	open__leaves_cpu(&open_call, &buffer, &task, XP_PREEMPTED, 2000);
	open__gets_cpu(&open_call, &buffer, WAIT_NS, 2000 + WAIT_NS);
	check(told_ns(&queue_ns) == WAIT_NS && queue_ns == 0, "who is preempted waited for nothing else", queue_ns);
	begin();
	open__leaves_cpu(&open_call, &buffer, &task, XP_SLEEP, 2000);
	open__gets_cpu(&open_call, &buffer, 10, 2000 + 600 * 1000000000ULL);
	check(told_ns(&queue_ns) == 600 * 1000000000ULL, "a wait of minutes", open_call.off_ns);
}

static void without_room(void)
{
	uint64_t queue_ns, steps = 0, cut;

	begin();
	while (!open_call.cut) {
		step(&open_call, &buffer, FLOW_KIND_ENTER, 2, 20, 1000 + ++steps);
		step(&open_call, &buffer, FLOW_KIND_LEAVE, 2, 20, 1000 + ++steps);
	}
	check(steps >= 8192, "so many steps find room", steps);
	cut = open_call.cut;
	open__leaves_cpu(&open_call, &buffer, &task, XP_NETWORK, 100000);
	open__gets_cpu(&open_call, &buffer, 300, 100000 + WAIT_NS);
	end(200000 + WAIT_NS);
	check(open_call.off_ns == WAIT_NS, "a wait for which there is no room is no time on the CPU", open_call.off_ns);
	check(open_call.cut == cut + 3, "all that found no room are counted", open_call.cut - cut);
	check(!told_ns(&queue_ns), "and it is not among the steps", open_call.nr);
}

static void waits_alone(void)
{
	uint64_t now = 1000, waits = 0;

	begin();
	while (!open_call.cut) {
		open__leaves_cpu(&open_call, &buffer, &task, XP_LOCK, now += 10);
		open__gets_cpu(&open_call, &buffer, 5, now += 10);
		waits++;
	}
	check(2 * waits >= 8192, "so many find room where all are waits", 2 * waits);
	check(open_call.off_ns == 10 * waits, "and their times are whole", open_call.off_ns);
}

static void unseen_ends(void)
{
	uint64_t queue_ns;

	begin();
	step(&open_call, &buffer, FLOW_KIND_ENTER, 2, 20, 2000);
	open__heal_out(&open_call, &buffer, &task);
	open__gets_cpu(&open_call, &buffer, 0, 2000 + WAIT_NS);
	end(3000 + WAIT_NS);
	check(open_call.off_ns == WAIT_NS && told_ns(&queue_ns) == WAIT_NS && open_call.unseen == 1 && open_call.switches == 1,
	      "nobody saw it leave: it was after its last step", open_call.off_ns);
	begin();
	open__leaves_cpu(&open_call, &buffer, &task, XP_NETWORK, 2000);
	open__heal_in(&open_call, &buffer, 2000 + WAIT_NS);
	check(open_call.off_ns == WAIT_NS && open_call.unseen == 1 && !open_call.out_ns,
	      "nobody saw it come back: it was by then", open_call.off_ns);
}

/* At __switch_to_xtra(), say: there the thread is the new one already, and no switch has ended. */
static void between_two_threads(void)
{
	uint64_t queue_ns;

	begin();
	open__leaves_cpu(&open_call, &buffer, &task, XP_NETWORK, 2000);
	check(open__is_out(&open_call, &buffer, 0), "a function with interrupts off proves no return", open_call.unseen);
	open__gets_cpu(&open_call, &buffer, 300, 2000 + WAIT_NS);
	end(3000 + WAIT_NS);
	check(open_call.off_ns == WAIT_NS && told_ns(&queue_ns) == WAIT_NS && queue_ns == 300 && !open_call.unseen,
	      "and the wait goes on to where it ends", open_call.off_ns);
	check(!open__is_out(&open_call, &buffer, 0), "who came back is there", open_call.unseen);
	open__leaves_cpu(&open_call, &buffer, &task, XP_NETWORK, 4000 + WAIT_NS);
	check(!open__is_out(&open_call, &buffer, TAKES_INTERRUPTS) && open_call.unseen == 1,
	      "one with interrupts on does", open_call.unseen);
}

int main(void)
{
	whole();
	without_room();
	waits_alone();
	unseen_ends();
	between_two_threads();
	return failed;
}
