// SPDX-License-Identifier: GPL-2.0
/*
 * A call takes over what probes of an inner mechanism, on functions of the kernel, have cost its thread within it, and
 * nothing of before.  This kernel may have no such probes, so what they tell is played; what takes it over is the real
 * thing, of functions and of system calls.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "check.h"
#include "mechanism/cost/bpf/thread-costs.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/trap/calibrate.h"

/* What was counted before the call; and by how much more it is once that is over. */
static const struct xp_thread_inner before = { .for_others = { 5000000, 7000000 } };
#define MORE_OVERHEAD_NS	1100
#define MORE_UNCERTAIN_NS	2300

void waits_here(int told, int tell);
__attribute__((noinline)) void waits_here(int told, int tell)
{
	char byte = 0;
	struct iovec room = { &byte, 1 };

	if (write(tell, &byte, 1) != 1 || readv(told, &room, 1) != 1)
		_exit(1);
}

static void call(int told, int tell)
{
	char byte;

	if (read(told, &byte, 1) != 1)
		_exit(1);
	waits_here(told, tell);
	pause();
	_exit(0);
}

/* A task storage, which the kernel wants to know the types of. */
static int inner__new(void)
{
	struct btf *btf = btf__new_empty();
	int key = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), number = btf__add_int(btf, "u64", 8, 0);
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC, .btf_key_type_id = key,
		    .btf_value_type_id = btf__add_array(btf, key, number, sizeof(before) / 8));
	int fd = -1;

	if (!btf__load_into_kernel(btf)) {
		opts.btf_fd = btf__fd(btf);
		fd = bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "inner", 4, sizeof(before), 0, &opts);
	}
	btf__free(btf);
	return fd;
}

/* The one point, attached by its mechanism, whose own probes are taken to cost nothing. */
static struct mechanisms *start(pid_t pid, Kview__Wire__Probe *probe, int inner, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	/* To a tracepoint the same state is also that of two mechanisms whose calls are around its hits. */
	int around = probe->point_case == KVIEW__WIRE__PROBE__POINT_TRACEPOINT ? inner : -1;
	struct mechanism_load load = { .threads_fd = around, .more_threads_fd = around, .inner_fd = inner, .marks_fd = -1 };
	struct mechanisms *mechanisms;
	struct mechanism *only;

	request.pid = pid;
	request.probes = &probe;
	request.n_probes = 1;
	mechanisms = mechanisms__find(&request, NULL, error);
	if (!mechanisms)
		return NULL;
	only = mechanisms->parts[0].mechanism;
	return only->ops->load(only, &load, error) || only->ops->attach(only, error) || only->ops->begin(only, error) ?
		NULL : mechanisms;
}

/* It has said that it will, and waits for nothing else. */
static bool is_waiting(pid_t pid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state == 'S';
}

static void check_hit(struct mechanism *only, int inner, int process)
{
	struct xp_thread_inner after;

	only->ops->end(only);
	only->ops->detach(only);
	check(figures__calls(&only->figures, 0).calls == 1, "the hit is counted", figures__calls(&only->figures, 0).calls);
	check(!bpf_map_lookup_elem(inner, &process, &after) && !after.in_program, "no program is left marked", after.in_program);
}

static void check_call(struct mechanism *only, int inner, int process)
{
	struct xp_thread_inner after;
	struct xp_calls calls;

	only->ops->end(only);
	only->ops->detach(only);
	calls = figures__calls(&only->figures, 0);
	check(calls.calls == 1 && figures__timed(&only->figures, 0) == 1, "the call is counted and timed", calls.calls);
	check(calls.removed_ns - calls.waited_ns == MORE_OVERHEAD_NS, "what it surely was longer by is removed, and nothing of before",
	      calls.removed_ns - calls.waited_ns);
	check(calls.uncertain_ns >= MORE_UNCERTAIN_NS, "what it may have been longer by is uncertain", calls.uncertain_ns);
	check(!bpf_map_lookup_elem(inner, &process, &after) && !after.in_program, "no program is left marked", after.in_program);
}

static void record(Kview__Wire__Probe *probe, pid_t pid, int tell, int told)
{
	int inner = inner__new(), process = syscall(SYS_pidfd_open, pid, 0);
	struct xp_thread_inner more = before;
	struct error error = { 0 };
	struct mechanisms *mechanisms;
	char byte = 0;

	more.for_others.overhead_ns += MORE_OVERHEAD_NS;
	more.for_others.uncertain_ns += MORE_UNCERTAIN_NS;
	if (bpf_map_update_elem(inner, &process, &before, BPF_ANY)) {
		check(false, "the inner mechanism is played", inner);
		return;
	}
	mechanisms = start(pid, probe, inner, &error);
	check(mechanisms, mechanisms ? "attached" : error.message, 0);
	if (mechanisms && write(tell, &byte, 1) == 1 && read(told, &byte, 1) == 1) {
		while (!is_waiting(pid))
			usleep(1000);
		bpf_map_update_elem(inner, &process, &more, BPF_ANY);
		if (write(tell, &byte, 1) == 1)
			while (!figures__timed(&mechanisms->parts[0].mechanism->figures, 0))
				usleep(1000);
		(probe->point_case == KVIEW__WIRE__PROBE__POINT_TRACEPOINT ? check_hit : check_call)
			(mechanisms->parts[0].mechanism, inner, process);
	}
	mechanisms__free(mechanisms);
	close(process);
	close(inner);
}

/* Of a child that makes the call. */
enum point { FUNCTION, SYSTEM_CALL, TRACEPOINT };

static void record_child(enum point point)
{
	Kview__Wire__Tracepoint tracepoint = KVIEW__WIRE__TRACEPOINT__INIT;
	Kview__Wire__Probe probe = KVIEW__WIRE__PROBE__INIT;
	Kview__Wire__SystemCall name = KVIEW__WIRE__SYSTEM_CALL__INIT;
	struct error error = { 0 };
	struct fn_list found = { 0 };
	int down[2], up[2];
	pid_t pid;

	if (pipe(down) || pipe(up))
		return;
	pid = fork();
	if (!pid)
		call(down[0], up[1]);
	if (point == FUNCTION) {
		struct fn_query query = { .pid = pid, .pattern = "waits_here", .limit = 1 };

		if (fn_list__find(&found, &query, &error)) {
			check(false, error.message, 0);
			goto out;
		}
		probe.binary = found.binary;
		probe.symbol = found.functions[0].symbol;
		probe.file_offset = found.functions[0].file_offset;
	} else if (point == TRACEPOINT) {
		tracepoint.category = "syscalls";
		tracepoint.name = "sys_enter_readv";
		probe.point_case = KVIEW__WIRE__PROBE__POINT_TRACEPOINT;
		probe.tracepoint = &tracepoint;
	} else {
		name.name = "readv";
		probe.point_case = KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
		probe.system_call = &name;
	}
	record(&probe, pid, down[1], up[0]);
	fn_list__free(&found);
out:
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	/* A child that does not do what it should is not waited for without end. */
	alarm(300);
	record_child(FUNCTION);
	record_child(SYSTEM_CALL);
	record_child(TRACEPOINT);
	return failed;
}
