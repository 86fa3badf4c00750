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
#include <libkview.h>

#include "mechanism/capabilities.h"
#include "mechanism/kernel_types.h"
#include "mechanism/kernel_way.h"
#include "mechanism/kview_module.h"
#include "mechanism/measure/measures.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/trials.h"

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

static const char *why(int error)
{
	return error == -EPERM || error == -EACCES ? "the kernel forbids it" : strerror(-error);
}

/* Everything else is moot without it. */
static bool find_basics(struct probe *probe)
{
	int error;

	probe->btf = btf__load_vmlinux_btf();
	if (!report(probe, "btf", true, probe->btf, probe->btf ?
		    "The kernel describes its types." :
		    "The kernel has no /sys/kernel/btf/vmlinux: it must be built with CONFIG_DEBUG_INFO_BTF."))
		probe->btf = NULL;
	error = trial__load();
	if (error == -ENOSYS)
		report(probe, "bpf", true, false,
		       "The kernel has no eBPF: it must be built with CONFIG_BPF_SYSCALL.");
	else
		report(probe, "bpf", true, !error, error ?
		       "User %u may not load eBPF programs: it takes root, or an agent with CAP_BPF and CAP_PERFMON." :
		       "User %u may load eBPF programs.", geteuid());
	return !error;
}

bool capabilities__sees_host_pids(void)
{
	struct stat pids;

	/* The number that the kernel gives to the first namespace (PROC_PID_INIT_INO). */
	return !stat("/proc/self/ns/pid", &pids) && pids.st_ino == 0xEFFFFFFCU;
}

static void find_uprobes(struct probe *probe)
{
	int multi = trial__uprobe_multi(false);
	/* Where it is not needed it only costs time, a tenth of a second. */
	int single = multi ? trial__uprobe_single(false) : 0;
	int on_return;

	report(probe, "uprobe_multi", false, !multi, multi ?
	       "Many functions can't be probed by one request to the kernel (%s; Linux 6.6 and newer can)." :
	       "Many functions are probed by one request to the kernel%s.", multi ? why(multi) : "");
	if (multi && single)
		report(probe, "uprobe_single", false, false,
		       "Functions can't be probed one by one either: %s.", why(single));
	else if (multi)
		report(probe, "uprobe_single", false, true,
		       "Functions are probed one by one, %d places at most: attaching takes a while, detaching several times that, and the probes end with the process's first thread.",
		       LINKS_SINGLE_MAX);
	report(probe, "uprobe", true, !multi || !single, !multi || !single ?
	       "Functions of processes can be probed." :
	       "Functions of processes can't be probed: the kernel must be built with CONFIG_UPROBE_EVENTS.");
	on_return = multi ? trial__uprobe_single(true) : trial__uprobe_multi(true);
	report(probe, "uretprobe", false, !on_return, on_return ?
	       "Returns are seen at each return instruction alone: %s." :
	       "Returns of C functions can be seen through the return address%s.",
	       on_return ? why(on_return) : trial__filters_pass() ? "" :
	       ", but not in processes whose system calls are filtered (seccomp): a filter would end them");
}

static void find_required(struct probe *probe)
{
	int error;
	bool has;

	has = capabilities__sees_host_pids();
	report(probe, "host_pids", true, has, has ? "Process ids are those of the kernel." :
	       "The agent runs in a container with process ids of its own: run it on the host itself, or with the host's (--pid=host).");
	error = trial__tracepoint(probe->btf, "sched_switch");
	report(probe, "tp_btf", true, !error, error ?
	       "The scheduler's tracepoints can't be used: %s." : "The scheduler's tracepoints can be used%s.",
	       error ? why(error) : "");
	find_uprobes(probe);
	has = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1;
	report(probe, "task_storage", true, has, has ? "State can be kept for each thread." :
	       "State can't be kept for each thread: Linux 5.11 or newer is needed.");
	has = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL) == 1;
	report(probe, "ringbuf", true, has, has ? "Events pass through a ring buffer." :
	       "There is no ring buffer for events: Linux 5.8 or newer is needed.");
}

static void find_kprobes(struct probe *probe)
{
	int multi = kernel_way__try(KERNEL_WAY_MULTI), single = multi ? kernel_way__try(KERNEL_WAY_SINGLE) : 0;

	report(probe, "kprobe_multi", false, !multi, multi ?
	       "Many kernel functions can't be probed by one request: %s." :
	       "Many kernel functions are probed by one request%s.", multi ? why(-multi) : "");
	if (multi && single)
		report(probe, "kprobe", false, false, "Kernel functions can't be probed through kprobes: %s.", why(-single));
	else if (multi)
		report(probe, "kprobe", false, true, "Kernel functions are probed through kprobes one by one, %d at most.",
		       KERNEL_SINGLE_MOST);
	else
		report(probe, "kprobe", false, true, "Kernel functions can be probed through kprobes.");
}

static void find_kview(struct probe *probe)
{
	char why[200];
	struct kview *module = kview_module__open(why, sizeof(why));

	if (module)
		report(probe, "kview", false, true,
		       "The kview module is loaded: what is measured is in the process's own view of the kernel, which others don't run.");
	else
		report(probe, "kview", false, false, "%s", why);
	kview__free(module);
}

static void find_measures(struct probe *probe)
{
	size_t i;

	for (i = 0; i < XP_MEASURES; i++) {
		const struct measure *measure = measures_known[i];
		const char *missing = measure->missing ? measure->missing() : NULL;

		report(probe, measure->capability, false, !missing, "%s", missing ?: measure->does);
	}
}

static void find_optional(struct probe *probe)
{
	bool has = kernel_types__has_member(probe->btf, "rq", "prev_steal_time_rq") &&
		   kernel_types__has_member(probe->btf, "sched_entity", "cfs_rq");
	int error;

	report(probe, "steal_time", false, has, has ? "Time taken by a hypervisor is told apart." :
	       "Time taken by a hypervisor counts as on-CPU: the kernel does not account it.");
	find_kprobes(probe);
	error = trial__fentry(probe->btf, "vfs_read");
	report(probe, "fentry", false, !error, error ? "Kernel functions can't be probed through trampolines: %s." :
	       "Kernel functions can be probed through trampolines%s.", error ? why(error) : "");
	has = trial__fast_nop();
	report(probe, "fast_nop_uprobe", false, has, has ?
	       "Probes on five-byte nops need no trap but a system call, which the program may see: the agent places none there." :
	       "Every probe is a trap.");
	report(probe, "conditions", false, true,
	       "Conditions on arguments, results and threads choose which calls of a program's functions, and which system calls, are measured.");
	report(probe, "cgroup", false, true, "All processes of a cgroup (version 2) are measured in one recording.");
	report(probe, "process-tree", false, true,
	       "Functions of programs, system calls, functions of the kernel and tracepoints are measured of a process together with its children.");
	report(probe, "splits", false, true,
	       "The figures of functions of programs, and of system calls, are split by an argument, a result or the thread.");
	find_measures(probe);
	find_kview(probe);
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
