// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel whose types have struct task_struct twice: this one's own types are made so.  libbpf refuses the eBPF
 * programs then, and takes them with what kernel_types.c makes of such types.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "check.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "mechanism/trap/xprobe_state.h"

/* Returns 0, or what libbpf says. */
static int load_with(const char *types)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = types);
	struct xprobe_bpf *skel = xprobe_bpf__open_opts(&opts);
	struct bpf_program *program;
	int refused;

	if (!skel)
		return -1;
	/* One that reads the task is enough: for each of them the verifier takes its time. */
	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, program == skel->progs.sched_switch);
	refused = xprobe_bpf__load(skel);
	xprobe_bpf__destroy(skel);
	return refused;
}

static int write_types(const struct btf *types, const char *path)
{
	__u32 size;
	const void *raw = btf__raw_data(types, &size);
	FILE *file = raw ? fopen(path, "w") : NULL;

	return !file || fwrite(raw, size, 1, file) != 1 || fclose(file) ? -1 : 0;
}

static bool is_memory_short;

/* By it libbpf takes the memory for all types at once. */
void *calloc(size_t nr, size_t size)
{
	extern void *__libc_calloc(size_t nr, size_t size);

	return is_memory_short && nr == 1 && size > 1 << 20 ? NULL : __libc_calloc(nr, size);
}

/* The kernel's types, and once more that struct, which may be longer. */
static struct btf *types_with_twin(__u32 longer)
{
	struct btf *own = btf__load_vmlinux_btf(), *types;
	int id = own ? btf__find_by_name_kind(own, "task_struct", BTF_KIND_STRUCT) : -1;
	const void *raw;
	__u32 size;

	if (id <= 0)
		return NULL;
	raw = btf__raw_data(own, &size);
	types = btf__new(raw, size);
	id = btf__add_type(types, own, btf__type_by_id(own, id));
	if (id > 0)
		((struct btf_type *)btf__type_by_id(types, id))->size += longer;
	btf__free(own);
	return id > 0 ? types : NULL;
}

int main(void)
{
	struct btf *twins, *own = btf__load_vmlinux_btf(), *others;
	char path[] = "/tmp/kview-types-XXXXXX", single[32];
	struct error error;
	int fd = mkstemp(path), refused;

	twins = types_with_twin(0);
	others = types_with_twin(8);
	if (fd < 0 || bpf_access__prepare(&error) || !own || !twins || !others || write_types(twins, path)) {
		check(false, "the kernel's types can be read", 0);
		unlink(path);
		return failed;
	}
	close(fd);
	refused = load_with(path);
	check(refused, "a struct is there twice: libbpf refuses the programs", -refused);
	unlink(path);
	fd = kernel_types__without_twins(twins);
	snprintf(single, sizeof(single), "/proc/self/fd/%d", fd);
	refused = fd < 0 ? -1 : load_with(single);
	check(!refused, "with another name for the second one it takes them", -refused);
	check(kernel_types__without_twins(own) < 0, "where it is there once nothing is done", 0);
	check(kernel_types__without_twins(others) < 0, "nor where the two differ", 0);
	is_memory_short = true;
	check(kernel_types__without_twins(twins) < 0, "nor is an empty file handed on where memory is short", 0);
	is_memory_short = false;
	btf__free(twins);
	btf__free(others);
	btf__free(own);
	return failed;
}
