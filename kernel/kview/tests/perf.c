// SPDX-License-Identifier: GPL-2.0
/* Attaching eBPF programs to kprobes and trace events, by perf: what others do. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "harness.h"

/* -1 where there is no such function, or none that may be probed */
int bpf_kprobe_try_at(const char *func, unsigned int off, int prog)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config1 = (uintptr_t)func, .config2 = off,
	};
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	int fd;

	CHECK(f);
	CHECK(fscanf(f, "%u", &attr.type) == 1);
	fclose(f);
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -1;
	CHECK(!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog));
	CHECK(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	return fd;
}

int bpf_kprobe_try(const char *func, int prog)
{
	return bpf_kprobe_try_at(func, 0, prog);
}

int bpf_kprobe_attach(const char *func, int prog)
{
	int fd = bpf_kprobe_try(func, prog);

	CHECK(fd >= 0);
	return fd;
}

int bpf_event_attach(const char *event, int prog)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	char path[256];
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), TRACING "events/%s/id", event);
	f = fopen(path, "r");
	CHECK(f);
	CHECK(fscanf(f, "%llu", (unsigned long long *)&attr.config) == 1);
	fclose(f);
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog));
	CHECK(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	return fd;
}
