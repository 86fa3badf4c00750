/* SPDX-License-Identifier: GPL-2.0 */
/* What a kernel can do is found by trying it, never by its version.  Each: 0 or -errno. */
#ifndef KVIEW_TRIALS_H
#define KVIEW_TRIALS_H

#include <stdbool.h>

#include <bpf/btf.h>

/* Loads an eBPF program that does nothing. */
int trial__load(void);

/*
 * Attaches an eBPF program for a moment to a function or tracepoint that the kernel's BTF names.
 */
int trial__tracepoint(const struct btf *btf, const char *name);
int trial__fentry(const struct btf *btf, const char *function);

/* A probe on a function of the agent, one of many on a link, or one with a perf event. */
int trial__uprobe_multi(bool on_return);
int trial__uprobe_single(bool on_return);

/*
 * A probe whose eBPF program decides at each entry whether the return address is replaced, see
 * whole_link.h; tried once.
 */
int trial__whole_link(void);

/*
 * Whether a probe on a five-byte nop becomes a call, without a trap (x86, Linux 6.18): seen
 * by the first byte of a function that was called through a probe.
 */
bool trial__fast_nop(void);

/*
 * Whether a call that returns by a replaced address ends as ever where filters (seccomp) know
 * nothing of the system calls that the kernel makes for probes; tried once.
 * KVIEW_AGENT_FILTERS=judge in the environment has it as on kernels where they do not, to test it.
 */
bool trial__filters_pass(void);

#endif
