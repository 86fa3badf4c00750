// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "mechanism/kernel_way.h"

/* Every kernel has it. */
#define TRIED "vfs_read"

static int multi__try(void)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, load, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	const char *function = TRIED;
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi = { .syms = &function, .cnt = 1 });
	int program = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "kview_try", "GPL", nothing,
				    sizeof(nothing) / sizeof(*nothing), &load), link;

	if (program < 0)
		return -program;
	link = bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &opts);
	close(program);
	if (link < 0)
		return -link;
	close(link);
	return 0;
}

static int single__try(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config1 = (uintptr_t)TRIED };
	FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "re");
	int fd, read = file ? fscanf(file, "%u", &attr.type) : 0;

	if (file)
		fclose(file);
	if (read != 1)
		return EOPNOTSUPP;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

int kernel_way__try(enum kernel_way way)
{
	return way == KERNEL_WAY_MULTI ? multi__try() : single__try();
}

static enum kernel_way forced = KERNEL_WAY_VIEW;

void kernel_way__force(enum kernel_way way)
{
	forced = way;
}

static int forced__find(enum kernel_way *way, struct error *error)
{
	int failed = kernel_way__try(forced);

	*way = forced;
	if (!failed)
		return 0;
	return error__set(error, ERR_UNSUPPORTED, "This kernel offers no probes on its own functions %s (%s).",
			  forced == KERNEL_WAY_MULTI ? "that are set many at once, which takes Linux 5.18 with CONFIG_FPROBE" :
			  "that are set one by one, which takes CONFIG_KPROBES", strerror(failed));
}

int kernel_way__find(enum kernel_way *way, struct error *error)
{
	int multi, single;

	if (forced != KERNEL_WAY_VIEW)
		return forced__find(way, error);
	multi = multi__try();
	*way = KERNEL_WAY_MULTI;
	if (!multi)
		return 0;
	single = single__try();
	*way = KERNEL_WAY_SINGLE;
	if (!single)
		return 0;
	return error__set(error, ERR_UNSUPPORTED,
			  "This kernel offers no probes on its own functions, as it was built without them or forbids them (many at once: %s; one by one: %s): measure system calls, or functions of programs.",
			  strerror(multi), strerror(single));
}
