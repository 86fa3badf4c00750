/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hook: what runs at a site.  It can be called in any context, NMI and the idle loop included:
 * whoever is not to be traced is counted and turned away.  It takes no lock, turns preemption off
 * itself, and holds bpf_prog_active of its CPU while eBPF programs run.
 */
#ifndef KVIEW_MODULE_HANDLER_H
#define KVIEW_MODULE_HANDLER_H

#include <linux/linkage.h>
#include <linux/types.h>

struct bpf_insn;
struct pt_regs;

/* Where every thunk ends up, by a jump, with the spot's number in r11d: entry.S. */
extern char kview_entry[];

/*
 * Called from kview_entry.  @regs: as at the site; never changed.  @id: the spot's; the second
 * finds it by regs->ip.  They return where to go on, another tracer's hook; 0: at the site.
 */
asmlinkage unsigned long kview_handler(u32 id, struct pt_regs *regs);
asmlinkage unsigned long kview_filter_handler(u32 id, struct pt_regs *regs);

/*
 * The possible values of a site's @run, apart from the short way (kview_site_simplify()).  @ctx:
 * struct pt_regs; @insn: the first struct kview_site at the place, whose hit is counted already.
 * Called by the hook.  They return 0.
 */
unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn);
unsigned int kview_run_gated(const void *ctx, const struct bpf_insn *insn);

#endif
