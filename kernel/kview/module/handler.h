/* SPDX-License-Identifier: GPL-2.0 */
/* The hook. */
#ifndef KVIEW_MODULE_HANDLER_H
#define KVIEW_MODULE_HANDLER_H

#include <linux/linkage.h>
#include <linux/types.h>

struct bpf_insn;
struct pt_regs;

/* Where every thunk ends up: entry.S. */
extern char kview_entry[];

/* From there; what they return stands at kview_chain(). */
asmlinkage unsigned long kview_handler(u32 id, struct pt_regs *regs);
asmlinkage unsigned long kview_filter_handler(u32 id, struct pt_regs *regs);

unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn);
unsigned int kview_run_gated(const void *ctx, const struct bpf_insn *insn);

#endif
