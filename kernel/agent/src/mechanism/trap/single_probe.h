/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One probe through a perf event of its own, for kernels that can't set many at once.
 *
 * The event belongs to one thread, and so names the process whose copy of the code gets the
 * probe; an eBPF program that is linked to it runs for every thread of that process.  The event
 * itself is never enabled: it would cost its thread time at each context switch.
 */
#ifndef KVIEW_SINGLE_PROBE_H
#define KVIEW_SINGLE_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct single_probe {
	pid_t tid;		/* a thread of the process; with it the probe ends */
	const char *path;
	uint64_t offset;	/* in the file */
	uint64_t counter;	/* in the file: the kernel adds one while the probe is there; 0: there is none */
	uint64_t cookie;
	bool on_return;
	int event_fd, link_fd;	/* filled by attach */
};

/* 0 or -errno; -ENOENT: the kernel has no such events. */
int single_probe__attach(struct single_probe *probe, int program_fd);
/* Takes a tenth of a second: the kernel waits for everyone who may use it. */
void single_probe__detach(const struct single_probe *probe);

/* A thread of the process that is alive, the first one if possible; or -1. */
pid_t single_probe__thread_of(pid_t pid);

#endif
