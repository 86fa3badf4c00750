/* SPDX-License-Identifier: GPL-2.0 */
/* What has to hold before any mechanism loads eBPF programs, and what all of them ask of theirs. */
#ifndef KVIEW_BPF_ACCESS_H
#define KVIEW_BPF_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_map;
struct bpf_object;
struct bpf_program;

/*
 * eBPF programs see the host's process ids.  In a container with its own process ids they
 * would measure another process.  Returns 0, or -1 with error filled.
 */
int bpf_access__prepare(struct error *error);
/* Before load: map is another mechanism's, which has fd; -1: there is none.  Returns 0, or -1 with error filled. */
int bpf_access__share(struct bpf_map *map, int fd, struct error *error);
/* Before each point is attached by itself, which takes two descriptors: more than many a default limit for all. */
void bpf_access__allow_descriptors(void);
/*
 * How often, since load, the kernel did not run one of these eBPF programs because it was already
 * running on that CPU.
 */
uint64_t bpf_access__missed_runs(struct bpf_object *object);
/* Runs an iterator's program for each thread of the host. */
void bpf_access__visit_tasks(struct bpf_program *program);
/*
 * Likewise, again and again while the program sets unseen: some thread's state could not be had, see bpf/busy.bpf.h.
 * What it has counted it must not count again.  False: that did not end.
 */
bool bpf_access__visit_all_tasks(struct bpf_program *program, bool *unseen);

#endif
