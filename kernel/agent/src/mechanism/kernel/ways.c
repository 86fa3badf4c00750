// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/types.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "mechanism/kernel/ways.h"

/* Every kernel has it. */
#define TRIED "vfs_read"

/* 0, or the errno by which it is refused. */
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

int kernel_probes__try(struct error *error)
{
	int failed = multi__try();

	if (!failed)
		return 0;
	return error__set(error, ERR_UNSUPPORTED,
			  "This kernel offers no probes on its own functions (%s: %s): measure system calls, or functions of programs.",
			  strerror(failed), failed == EOPNOTSUPP ? "it was built without CONFIG_FPROBE or kprobes" : "it was built without kprobes, or forbids them");
}
