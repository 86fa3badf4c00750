// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/filtered_child.h"
#include "mechanism/trap/single_probe.h"
#include "mechanism/trap/trials.h"
#include "mechanism/trap/whole_link.h"

/* r0 = 0; exit */
static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* The descriptor, or -errno. */
static int load_nothing(enum bpf_prog_type type, enum bpf_attach_type attach, int btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach,
		    .attach_btf_id = btf_id);

	return bpf_prog_load(type, "kview_try", "GPL", nothing,
			     sizeof(nothing) / sizeof(*nothing), &opts);
}

/* Closes what was opened; 0, or the -errno that it is. */
static int end_trial(int fd)
{
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int trial__load(void)
{
	return end_trial(load_nothing(BPF_PROG_TYPE_KPROBE, 0, 0));
}

static int try_tracing(int btf_id, enum bpf_attach_type attach)
{
	int program, link;

	if (btf_id < 0)
		return -ENOENT;
	program = load_nothing(BPF_PROG_TYPE_TRACING, attach, btf_id);
	if (program < 0)
		return program;
	link = bpf_raw_tracepoint_open(NULL, program);
	close(program);
	return end_trial(link);
}

int trial__tracepoint(const struct btf *btf, const char *name)
{
	char type[64];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf ? try_tracing(btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF),
				 BPF_TRACE_RAW_TP) : -ENOENT;
}

int trial__fentry(const struct btf *btf, const char *function)
{
	return btf ? try_tracing(btf__find_by_name_kind(btf, function, BTF_KIND_FUNC),
				 BPF_TRACE_FENTRY) : -ENOENT;
}

/* A link of an eBPF program that does nothing, or -errno. */
static int link_many(enum bpf_attach_type attach, const struct bpf_link_create_opts *opts)
{
	int program = load_nothing(BPF_PROG_TYPE_KPROBE, attach, 0), link;

	if (program < 0)
		return program;
	link = bpf_link_create(program, 0, attach, opts);
	close(program);
	return link;
}

static int link_own_function(const char *function, bool on_return)
{
	unsigned long offset = calibration_code__offset(function);
	LIBBPF_OPTS(bpf_link_create_opts, opts, .uprobe_multi = {
		.path = "/proc/self/exe", .offsets = &offset, .cnt = 1, .pid = getpid(),
		.flags = on_return ? BPF_F_UPROBE_MULTI_RETURN : 0 });

	return link_many(BPF_TRACE_UPROBE_MULTI, &opts);
}

struct entry_trial {
	bool done, fast_nop;
	int error;
};

/* Once, as removing a probe keeps the kernel waiting for all CPUs: 20 to 60 ms. */
static const struct entry_trial *try_entry(void)
{
	static struct entry_trial trial;
	int link;

	if (trial.done)
		return &trial;
	link = link_own_function(calibration_nop ? calibration_nop : calibration_code[0].start,
				 false);
	if (link >= 0 && calibration_nop) {
		calibration_code__call(calibration_nop, 4);
		trial.fast_nop = *(const volatile uint8_t *)calibration_nop ==
				 calibration_nop_replaced;
	}
	trial.error = end_trial(link);
	trial.done = !trial.error;
	return &trial;
}

int trial__uprobe_multi(bool on_return)
{
	if (!on_return)
		return try_entry()->error;
	return end_trial(link_own_function(calibration_code[0].start, true));
}

/* Fills probe. */
static int probe_own_function(struct single_probe *probe, bool on_return)
{
	int program = load_nothing(BPF_PROG_TYPE_KPROBE, 0, 0), error;

	if (program < 0)
		return program;
	*probe = (struct single_probe){
		.tid = getpid(), .path = "/proc/self/exe", .on_return = on_return,
		.offset = calibration_code__offset(calibration_code[0].start),
	};
	error = single_probe__attach(probe, program);
	close(program);
	return error;
}

int trial__uprobe_single(bool on_return)
{
	struct single_probe probe;
	int error = probe_own_function(&probe, on_return);

	if (!error)
		single_probe__detach(&probe);
	return error;
}

/* Its eBPF program asks the kernel which of the two ends it runs at: a function without arguments. */
static bool knows_ends(const struct btf *btf)
{
	int id = btf ? btf__find_by_name_kind(btf, "bpf_session_is_return", BTF_KIND_FUNC) : -1;
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, id);

	type = type ? btf__type_by_id(btf, type->type) : NULL;
	return type && !btf_vlen(type);
}

static int try_whole_link(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	unsigned long offset = calibration_code__offset(calibration_code[0].start);
	struct whole_link whole = { .pid = getpid(), .path = "/proc/self/exe",
				    .offsets = &offset, .nr = 1 };
	int error = knows_ends(btf) ? 0 : -EOPNOTSUPP;

	btf__free(btf);
	if (error)
		return error;
	whole.program_fd = load_nothing(BPF_PROG_TYPE_KPROBE, WHOLE_LINK_TYPE, 0);
	if (whole.program_fd < 0)
		return whole.program_fd;
	error = end_trial(whole_link__create(&whole));
	close(whole.program_fd);
	return error;
}

int trial__whole_link(void)
{
	static int error = 1;

	if (error > 0)
		error = try_whole_link();
	return error;
}

bool trial__fast_nop(void)
{
	return try_entry()->fast_nop;
}

/* In a child, whose end takes the probe away. */
static int probe_return(void)
{
	const volatile char *place = calibration_code[0].start;
	char before = *place;
	struct single_probe probe;

	if (link_own_function(calibration_code[0].start, true) < 0 && probe_own_function(&probe, true))
		return -1;
	return *place != before ? 0 : -1;
}

static void call_probed(void)
{
	calibration_code__call(calibration_code[0].start, 1);
}

static bool try_filters(void)
{
	const struct filtered_child child = {
		.denied = { NR_URETPROBE, NR_UPROBE }, .prepare = probe_return, .call = call_probed,
	};
	const char *wanted = getenv("KVIEW_AGENT_FILTERS");

	return !(wanted && !strcmp(wanted, "judge")) && filtered_child__goes_on(&child);
}

bool trial__filters_pass(void)
{
	static int passes = -1;

	if (passes < 0)
		passes = try_filters();
	return passes;
}
