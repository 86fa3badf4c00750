// SPDX-License-Identifier: GPL-2.0
/*
 * In a view, of a thread for which there is no room among those that are off their CPUs, no wake-up can be told: that counts as
 * a lost event.  The program at switches is run for this thread, once there is room and then where there is none.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/causes.h"
#include "bpf/events.h"
#include "check.h"
#include "mechanism/bpf_access.h"
#include "mechanism/trap/xprobe_state.h"

#define RING_BYTES	(1 << 16)
/* Of the state that a thread leaves its CPU in, the kernel's number for sleeping. */
#define SLEEPING	1

static struct xprobe_bpf *skel;

/* With state of this thread. */
static int load(void)
{
	int process = syscall(SYS_pidfd_open, getpid(), 0), failure;
	struct bpf_program *program;
	void *state;

	skel = xprobe_bpf__open();
	if (!skel || process < 0)
		return -1;
	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, program == skel->progs.view_switch_out);
	bpf_map__set_max_entries(skel->maps.ring, RING_BYTES);
	skel->rodata->with_events = true;
	causes__fill(skel->rodata->cause_of_syscall);
	if (xprobe_bpf__load(skel))
		return -1;
	state = calloc(1, bpf_map__value_size(skel->maps.threads));
	failure = state ? bpf_map_update_elem(bpf_map__fd(skel->maps.threads), &process, state, BPF_ANY) : -1;
	free(state);
	close(process);
	return failure;
}

/* It leaves its CPU; returns what was counted as lost so far. */
static uint64_t leave(bool preempted)
{
	uint64_t arguments[4] = { preempted, 0, 0, SLEEPING }, lost = 0;
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = arguments, .ctx_size_in = sizeof(arguments));
	int cpu;

	if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.view_switch_out), &run))
		check(false, "the program runs", errno);
	for (cpu = 0; cpu < XP_MAX_CPUS; cpu++)
		lost += skel->bss->events_dropped[cpu];
	return lost;
}

int main(void)
{
	uint32_t this = getpid(), other = 1, found = 0;
	uint64_t lost;
	struct error error;
	uint8_t is_absent = 1;
	int absent;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (bpf_access__prepare(&error) || load()) {
		check(false, "eBPF programs can be loaded", errno);
		return failed;
	}
	absent = bpf_map__fd(skel->maps.absent);
	lost = leave(false);
	bpf_map_get_next_key(absent, NULL, &found);
	check(!lost && found == this, "with room for it nothing is lost", lost);
	bpf_map_delete_elem(absent, &this);
	check(!bpf_map_update_elem(absent, &other, &is_absent, BPF_ANY), "another thread takes the room", 1);
	check(!leave(true), "of one that is preempted nobody tells a wake-up", 0);
	check(leave(false) == 1, "that of one that waits is lost", 1);
	check(leave(false) == 2, "each time", 2);
	xprobe_bpf__destroy(skel);
	return failed;
}
