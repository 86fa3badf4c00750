/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's types, by which libbpf fits eBPF programs to it.  The tool that writes them does not always see that two
 * are alike, and then they are there twice; where a program names such a type itself, libbpf refuses to choose.
 */
#ifndef KVIEW_KERNEL_TYPES_LOAD_H
#define KVIEW_KERNEL_TYPES_LOAD_H

#include <stdbool.h>

struct bpf_object_open_opts;
struct btf;

/* To open eBPF objects with. */
const struct bpf_object_open_opts *kernel_types__opts(void);
/* The programs of an object were refused: true where that may be the reason, and an object opened now has a choice less. */
bool kernel_types__join(void);
/*
 * Gives another name to each struct task_struct but the first, if all of them are alike.  Returns a file in memory with
 * all types, or -1: there is only one, or they differ.
 */
int kernel_types__without_twins(const struct btf *types);
/* Whether a struct of that name has a member of that one; types: NULL, they are not known, is false. */
bool kernel_types__has_member(const struct btf *types, const char *name, const char *member);

#endif
