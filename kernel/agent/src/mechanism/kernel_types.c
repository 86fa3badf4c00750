// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "mechanism/kernel_types.h"

/* The only one that is named by a program itself and can be there twice: others are of one source file. */
#define NAME	"task_struct"

static char path[32];
static struct bpf_object_open_opts opts = { .sz = sizeof(opts) };

const struct bpf_object_open_opts *kernel_types__opts(void)
{
	opts.btf_custom_path = *path ? path : NULL;
	return &opts;
}

static bool types__are_alike(const struct btf_type *one, const struct btf_type *other)
{
	const struct btf_member *of_one = btf_members(one), *of_other = btf_members(other);
	int i;

	if (one->size != other->size || one->info != other->info)
		return false;
	for (i = 0; i < btf_vlen(one); i++)
		if (of_one[i].name_off != of_other[i].name_off || of_one[i].offset != of_other[i].offset)
			return false;
	return true;
}

/* How many others there are, which get that name if there is one; -1: one of them is not alike. */
static int twins__rename(struct btf *types, __u32 first, int name)
{
	const struct btf_type *one = btf__type_by_id(types, first);
	__u32 id, nr = btf__type_cnt(types);
	int twins = 0;

	for (id = first + 1; id < nr; id++) {
		struct btf_type *other = (struct btf_type *)btf__type_by_id(types, id);

		if (other->name_off != one->name_off || !btf_is_struct(other))
			continue;
		if (!types__are_alike(one, other))
			return -1;
		if (name)
			other->name_off = name;
		twins++;
	}
	return twins;
}

static int write_file(const struct btf *types)
{
	__u32 size;
	/* NULL: there is no memory for them, and an empty file would be taken for a kernel without types. */
	const char *raw = btf__raw_data(types, &size);
	int fd = raw ? memfd_create("types", MFD_CLOEXEC) : -1;
	ssize_t written;

	while (fd >= 0 && size) {
		written = write(fd, raw, size);
		if (written <= 0) {
			close(fd);
			return -1;
		}
		raw += written;
		size -= written;
	}
	return fd;
}

int kernel_types__without_twins(const struct btf *types)
{
	int first = btf__find_by_name_kind(types, NAME, BTF_KIND_STRUCT), name, fd = -1;
	const void *raw;
	struct btf *copy;
	__u32 size;

	if (first <= 0)
		return -1;
	raw = btf__raw_data(types, &size);
	copy = raw ? btf__new(raw, size) : NULL;
	if (!copy)
		return -1;
	if (twins__rename(copy, first, 0) > 0) {
		name = btf__add_str(copy, NAME "__twin");
		if (name > 0 && twins__rename(copy, first, name) > 0)
			fd = write_file(copy);
	}
	btf__free(copy);
	return fd;
}

bool kernel_types__join(void)
{
	static bool was_tried;
	struct btf *types;
	int fd = -1;

	if (was_tried)
		return false;
	was_tried = true;
	types = btf__load_vmlinux_btf();
	if (types)
		fd = kernel_types__without_twins(types);
	btf__free(types);
	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return true;
}

bool kernel_types__has_member(const struct btf *types, const char *name, const char *member)
{
	int id = types ? btf__find_by_name_kind(types, name, BTF_KIND_STRUCT) : -1, i;
	const struct btf_type *type;

	if (id < 0)
		return false;
	type = btf__type_by_id(types, id);
	for (i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(types, btf_members(type)[i].name_off), member))
			return true;
	return false;
}
