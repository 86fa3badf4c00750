// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "mechanism/measure/counters.h"

#define NOT_HERE	"Cycles, instructions and cache misses are not counted here: "

static const struct quantity quantities[] = {
	{ XP_CYCLES, "cycles", "cycles", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_INSTRUCTIONS, "instructions", "instructions", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_CACHE_MISSES, "cache_misses", "cache misses", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_COUNTERS_UNREAD, "counters_unread", "counters not read", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
};

struct counter {
	__u32 type;
	__u64 config;
};

/* In the order of the quantities. */
static const struct counter processor[XP_COUNTERS] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
};

/* Of the same interface, by which tests try all that there is on hosts without the above. */
static const struct counter software[XP_COUNTERS] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
};

static const struct counter *counters__chosen(void)
{
	const char *wanted = getenv("KVIEW_AGENT_COUNTERS");

	return wanted && !strcmp(wanted, "software") ? software : processor;
}

static int counter__open(const struct counter *counter, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = counter->type, .config = counter->config,
		/* Of the program's own code alone: so no probe is counted, nor an interrupt, nor a part of a switch. */
		.exclude_kernel = 1, .exclude_hv = 1,
		/* All the time, or not at all: nothing is estimated. */
		.pinned = leader < 0,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static int refused(int cpu, char *why, size_t size)
{
	switch (errno) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		snprintf(why, size, NOT_HERE "the kernel has no such counters of CPU %d (a virtual machine has them where its host gives them to it).", cpu);
		break;
	case EACCES:
	case EPERM:
		snprintf(why, size, NOT_HERE "user %u may not read the processor's counters: it takes root, or an agent with CAP_PERFMON.", geteuid());
		break;
	default:
		snprintf(why, size, NOT_HERE "the kernel opened none for CPU %d (%s).", cpu, strerror(errno));
	}
	return -1;
}

static void counters__close(int *fds)
{
	int i;

	for (i = 0; i < XP_COUNTERS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Those of one CPU, which count together.  Returns 1; 0: it is not online; -1: why is filled. */
static int counters__open(int cpu, int *fds, char *why, size_t size)
{
	const struct counter *counters = counters__chosen();
	__u64 value;
	int i;

	for (i = 0; i < XP_COUNTERS; i++)
		fds[i] = -1;
	for (i = 0; i < XP_COUNTERS; i++) {
		fds[i] = counter__open(&counters[i], cpu, i ? fds[0] : -1);
		if (fds[i] < 0 && errno == ENODEV && !i && cpu)
			return 0;
		if (fds[i] < 0) {
			refused(cpu, why, size);
			goto fail;
		}
	}
	/* What can't count has an end of file. */
	if (read(fds[0], &value, sizeof(value)) != sizeof(value)) {
		snprintf(why, size, NOT_HERE "others use the counters of CPU %d, such as perf or the kernel's watchdog (kernel.nmi_watchdog): try again without these.", cpu);
		goto fail;
	}
	return 1;
fail:
	counters__close(fds);
	return -1;
}

static const char *counters__missing(void)
{
	static char why[250];
	int cpus = libbpf_num_possible_cpus(), fds[XP_COUNTERS], cpu, opened;

	for (cpu = 0; cpu < cpus; cpu++) {
		opened = counters__open(cpu, fds, why, sizeof(why));
		if (opened < 0)
			return why;
		if (opened)
			counters__close(fds);
	}
	return NULL;
}

static struct bpf_map *counters__map(struct bpf_object *object)
{
	return bpf_object__find_map_by_name(object, "cpu_counters");
}

static void counters__prepare(struct bpf_object *object)
{
	bpf_map__set_max_entries(counters__map(object), XP_COUNTERS * libbpf_num_possible_cpus());
}

/* The map keeps those that it is given, as long as it is there. */
static int counters__begin(struct bpf_object *object, struct error *error)
{
	int cpus = libbpf_num_possible_cpus(), map = bpf_map__fd(counters__map(object)), fds[XP_COUNTERS], cpu, opened, failed = 0;
	char why[250];
	__u32 key, i;

	for (cpu = 0; cpu < cpus && !failed; cpu++) {
		opened = counters__open(cpu, fds, why, sizeof(why));
		if (opened < 0)
			return error__set(error, ERR_UNSUPPORTED, "%s", why);
		for (i = 0; opened && i < XP_COUNTERS && !failed; i++) {
			key = cpu * XP_COUNTERS + i;
			if (bpf_map_update_elem(map, &key, &fds[i], BPF_ANY))
				failed = error__set(error, ERR_UNSUPPORTED, NOT_HERE "eBPF programs can't read those of CPU %d (%s).", cpu, strerror(errno));
		}
		if (opened)
			counters__close(fds);
	}
	return failed;
}

static const char *const programs[] = { "counters_switch", NULL };
static const char *const maps[] = { "cpu_counters", NULL };

const struct measure counters_measure = {
	.number = XP_MEASURE_COUNTERS, .name = "counters", .capability = "measure-counters",
	.does = "Cycles, instructions and cache misses of a program's own code are counted within calls of its functions.",
	.quantities = quantities, .nr = sizeof(quantities) / sizeof(*quantities), .programs = programs, .maps = maps,
	.others = "To count cycles and instructions within calls costs each context switch of this host, whoever's, some tenths of a µs, and takes three counters of each CPU from other tools.",
	.missing = counters__missing, .prepare = counters__prepare, .begin = counters__begin, .never_sleeps = true,
};
