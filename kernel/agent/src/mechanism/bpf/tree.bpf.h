/* SPDX-License-Identifier: GPL-2.0 */
/* The processes of a tree: tree.bpf.c knows who belongs to it, and scope.bpf.h asks. */
#ifndef KVIEW_TREE_BPF_H
#define KVIEW_TREE_BPF_H

#include "mechanism/bpf/tree.h"

/* By their numbers.  Before load the map is replaced by another one, which all mechanisms share. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct tree_process);
} tree SEC(".maps");

#endif
