// SPDX-License-Identifier: GPL-2.0
#include <linux/types.h>
#include <stdbool.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "mechanism/kernel/ways.h"

/* Every kernel has it. */
#define TRIED "vfs_read"

static bool multi__works(void)
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
		return false;
	link = bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &opts);
	close(program);
	if (link < 0)
		return false;
	close(link);
	return true;
}

int kernel_probes__try(struct error *error)
{
	return multi__works() ? 0 :
		error__set(error, ERR_UNSUPPORTED,
			   "This kernel offers no probes on its own functions (it was built without kprobes, or forbids them): measure system calls, or functions of programs.");
}
