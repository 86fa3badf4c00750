// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "calibrate.h"
#include "capabilities.h"

/* r0 = 0; exit */
static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
	{ .code = BPF_JMP | BPF_EXIT },
};

struct probe {
	struct btf *btf;		/* of the kernel, NULL if none */
	struct capability *found;
	size_t nr, max;
};

__attribute__((format(printf, 5, 6)))
static bool report(struct probe *probe, const char *name, bool required, bool available,
		   const char *format, ...)
{
	struct capability *c = &probe->found[probe->nr];
	va_list args;

	if (probe->nr == probe->max)
		return available;
	probe->nr++;
	c->name = name;
	c->required = required;
	c->available = available;
	va_start(args, format);
	vsnprintf(c->detail, sizeof(c->detail), format, args);
	va_end(args);
	return available;
}

/* A program that does nothing: its descriptor, or -errno. */
static int load_nothing(enum bpf_prog_type type, enum bpf_attach_type attach, int btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach,
		    .attach_btf_id = btf_id > 0 ? btf_id : 0);

	return bpf_prog_load(type, "kview_try", "GPL", nothing,
			     sizeof(nothing) / sizeof(*nothing), &opts);
}

static int try_scheduler(const struct probe *probe)
{
	int id = btf__find_by_name_kind(probe->btf, "btf_trace_sched_switch", BTF_KIND_TYPEDEF);
	int prog, link;

	if (id < 0)
		return -ENOENT;
	prog = load_nothing(BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, id);
	if (prog < 0)
		return prog;
	link = bpf_raw_tracepoint_open(NULL, prog);
	close(prog);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

int capabilities__try_uprobe_multi(bool on_return)
{
	unsigned long offset = calibrate__any_offset();
	LIBBPF_OPTS(bpf_link_create_opts, opts, .uprobe_multi = {
		.path = "/proc/self/exe", .offsets = &offset, .cnt = 1, .pid = getpid(),
		.flags = on_return ? BPF_F_UPROBE_MULTI_RETURN : 0 });
	int prog = load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, 0), link;

	if (prog < 0)
		return prog;
	link = bpf_link_create(prog, 0, BPF_TRACE_UPROBE_MULTI, &opts);
	close(prog);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

static int try_kprobe_multi(void)
{
	const char *symbol = "vfs_read";
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi = { .syms = &symbol, .cnt = 1 });
	int prog = load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0), link;

	if (prog < 0)
		return prog;
	link = bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &opts);
	close(prog);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

static int try_fentry(const struct probe *probe)
{
	int id = btf__find_by_name_kind(probe->btf, "vfs_read", BTF_KIND_FUNC), prog, link;

	if (id < 0)
		return -ENOENT;
	prog = load_nothing(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, id);
	if (prog < 0)
		return prog;
	link = bpf_raw_tracepoint_open(NULL, prog);
	close(prog);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

static bool has_member(const struct btf *btf, const char *name, const char *member)
{
	int id = btf ? btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT) : -1, i;
	const struct btf_type *type;

	if (id < 0)
		return false;
	type = btf__type_by_id(btf, id);
	for (i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), member))
			return true;
	return false;
}

static const char *why(int error)
{
	return error == -EPERM || error == -EACCES ? "the kernel forbids it" : strerror(-error);
}

/* Everything else is moot without it. */
static bool find_basics(struct probe *probe)
{
	int fd;

	probe->btf = btf__load_vmlinux_btf();
	if (!report(probe, "btf", true, probe->btf, probe->btf ?
		    "The kernel describes its types." :
		    "The kernel has no /sys/kernel/btf/vmlinux: it must be built with CONFIG_DEBUG_INFO_BTF."))
		probe->btf = NULL;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kview_try", 4, 4, 1, NULL);
	if (fd >= 0)
		close(fd);
	if (fd >= 0)
		fd = load_nothing(BPF_PROG_TYPE_KPROBE, 0, 0);
	report(probe, "bpf", true, fd >= 0, fd >= 0 ? "User %u may load eBPF programs." :
	       "User %u may not load eBPF programs: run the agent as root, or give it CAP_BPF and CAP_PERFMON.",
	       geteuid());
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool capabilities__sees_host_pids(void)
{
	struct stat pids;

	/* The number that the kernel gives to the first namespace (PROC_PID_INIT_INO). */
	return !stat("/proc/self/ns/pid", &pids) && pids.st_ino == 0xEFFFFFFCU;
}

/*
 * Linux 6.18 and newer turn a probe on a five-byte nop into a call, without a trap: seen by
 * the first byte of a function that was called through a probe.
 */
static bool try_fast_nop(void)
{
	unsigned long offset = calibrate__nop_offset();
	LIBBPF_OPTS(bpf_link_create_opts, opts, .uprobe_multi = {
		.path = "/proc/self/exe", .offsets = &offset, .cnt = 1, .pid = getpid() });
	int prog = load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, 0), link;
	bool fast;

	if (prog < 0)
		return false;
	link = bpf_link_create(prog, 0, BPF_TRACE_UPROBE_MULTI, &opts);
	close(prog);
	if (link < 0)
		return false;
	fast = calibrate__call_nop() == 0xe8;
	close(link);
	return fast;
}

static void find_required(struct probe *probe)
{
	int error;
	bool has;

	has = capabilities__sees_host_pids();
	report(probe, "host_pids", true, has, has ? "Process ids are those of the kernel." :
	       "The agent runs in a container with process ids of its own: run it on the host itself, or with the host's (--pid=host).");
	error = probe->btf ? try_scheduler(probe) : -ENOENT;
	report(probe, "tp_btf", true, !error, error ?
	       "The scheduler's tracepoints can't be used: %s." : "The scheduler's tracepoints can be used%s.",
	       error ? why(error) : "");
	error = capabilities__try_uprobe_multi(false);
	report(probe, "uprobe_multi", true, !error, error ?
	       "Many functions can't be probed through one link (%s): Linux 6.6 or newer is needed." :
	       "Many functions are probed through one link%s.", error ? why(error) : "");
	error = capabilities__try_uprobe_multi(true);
	report(probe, "uretprobe", false, !error, error ?
	       "Returns are seen at each return instruction alone: %s." :
	       "Returns of C functions can be seen through the return address%s.",
	       error ? why(error) : "");
	has = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1;
	report(probe, "task_storage", true, has, has ? "State can be kept for each thread." :
	       "State can't be kept for each thread: Linux 5.11 or newer is needed.");
	has = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL) == 1;
	report(probe, "ringbuf", true, has, has ? "Events pass through a ring buffer." :
	       "There is no ring buffer for events: Linux 5.8 or newer is needed.");
}

static void find_optional(struct probe *probe)
{
	bool has = has_member(probe->btf, "rq", "prev_steal_time_rq") &&
		   has_member(probe->btf, "sched_entity", "cfs_rq");
	int error;

	report(probe, "steal_time", false, has, has ? "Time taken by a hypervisor is told apart." :
	       "Time taken by a hypervisor counts as on-CPU: the kernel does not account it.");
	error = try_kprobe_multi();
	report(probe, "kprobe_multi", false, !error, error ? "Kernel functions can't be probed through kprobes: %s." :
	       "Kernel functions can be probed through kprobes%s.", error ? why(error) : "");
	error = probe->btf ? try_fentry(probe) : -ENOENT;
	report(probe, "fentry", false, !error, error ? "Kernel functions can't be probed through trampolines: %s." :
	       "Kernel functions can be probed through trampolines%s.", error ? why(error) : "");
	has = try_fast_nop();
	report(probe, "fast_nop_uprobe", false, has, has ?
	       "Probes on five-byte nops need no trap; early kernels with this have a fault amid functions that use the red zone, where the agent places none." :
	       "Every probe is a trap.");
	has = !access("/dev/kview", F_OK);
	report(probe, "kview", false, has, has ? "The kview module is loaded." :
	       "The kview module is not loaded: processes are told apart in eBPF programs.");
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

size_t capabilities__find(struct capability *found, size_t max)
{
	struct probe probe = { .found = found, .max = max };

	libbpf_set_print(quiet);
	if (find_basics(&probe)) {
		find_required(&probe);
		find_optional(&probe);
	}
	btf__free(probe.btf);
	return probe.nr;
}
