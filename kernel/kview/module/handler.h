/* SPDX-License-Identifier: GPL-2.0 */
/* The hook. */
#ifndef KVIEW_MODULE_HANDLER_H
#define KVIEW_MODULE_HANDLER_H

#include <linux/linkage.h>
#include <linux/types.h>

struct bpf_insn;
struct kview_site;
struct kview_view;
struct mm_struct;
struct pt_regs;

/* From entry.S; what they return stands at kview_chain(). */
asmlinkage unsigned long kview_handler(u32 id, struct pt_regs *regs);
asmlinkage unsigned long kview_filter_handler(u32 id, struct pt_regs *regs);

void kview_run_programs(const struct kview_site *site, struct pt_regs *regs);
bool kview_in_view(struct mm_struct *mm, const struct kview_view *v);
unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn);

#endif
