/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How eBPF programs read the kernel's structures, for tests that include such programs and run them here: as plain C does.
 * What they read only by the kernel's help, texts among it, is not there.
 */
#ifndef PLAYED_READS_H
#define PLAYED_READS_H

#include <bpf/bpf_core_read.h>

#undef bpf_core_field_offset
#undef bpf_core_type_exists
#undef BPF_CORE_READ
#undef BPF_CORE_READ_STR_INTO
#define bpf_core_field_offset(...)		0
#define bpf_core_type_exists(type)		1
#define READ_1(of, a)				((of)->a)
#define READ_2(of, a, b)			((of)->a->b)
#define READ_3(of, a, b, c)			((of)->a->b->c)
#define READ_ANY(of, a, b, c, name, ...)	name
#define BPF_CORE_READ(...)			READ_ANY(__VA_ARGS__, READ_3, READ_2, READ_1)(__VA_ARGS__)
#define BPF_CORE_READ_STR_INTO(...)		((void)0)

#endif
