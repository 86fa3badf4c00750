// SPDX-License-Identifier: GPL-2.0
/*
 * wait_waker() tells by the address of its own stack whether it runs on a thread's or on an interrupt's. Newer kernels
 * give a program that has more than this a stack of its own, which is neither: then no waker would be known.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mechanism/bpf_access.h"
#include "mechanism/trap/xprobe_state.h"

/* The kernel's BPF_PRIV_STACK_MIN_SIZE. */
#define OWN_STACK_BYTES	64
/* Of the verifier's log: only its sums, BPF_LOG_STATS. */
#define LOG_SUMS	4

static char log_text[4096];

/* What the verifier says of it, or -1; inner: functions of the kernel are measured, too. */
static int stack_bytes(bool inner)
{
	struct xprobe_bpf *skel = xprobe_bpf__open();
	struct bpf_program *program;
	const char *told;
	int bytes = -1;

	if (!skel)
		return -1;
	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, program == skel->progs.wait_waker);
	bpf_program__set_log_level(skel->progs.wait_waker, LOG_SUMS);
	bpf_program__set_log_buf(skel->progs.wait_waker, log_text, sizeof(log_text));
	skel->rodata->has_inner = inner;
	told = xprobe_bpf__load(skel) ? NULL : strstr(log_text, "stack depth ");
	if (!told || sscanf(told, "stack depth %d", &bytes) != 1)
		bytes = -1;
	xprobe_bpf__destroy(skel);
	return bytes;
}

int main(void)
{
	struct error error;
	int bytes;

	if (bpf_access__prepare(&error)) {
		check(false, "eBPF programs can be loaded", 0);
		return failed;
	}
	bytes = stack_bytes(false);
	check(bytes >= 0 && bytes < OWN_STACK_BYTES, "who wakes is found on the thread's own stack", bytes);
	bytes = stack_bytes(true);
	check(bytes >= 0 && bytes < OWN_STACK_BYTES, "where functions of the kernel are measured as well", bytes);
	return failed;
}
