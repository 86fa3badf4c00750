/* SPDX-License-Identifier: GPL-2.0 */
/* The eBPF programs of a site.  For the hook: with preemption off, and no lock. */
#ifndef KVIEW_MODULE_RUN_H
#define KVIEW_MODULE_RUN_H

#include <linux/types.h>

struct kview_site;
struct kview_space;
struct kview_view;
struct mm_struct;
struct pt_regs;

/* By the mm, which is only compared; NULL: it is in no view.  Sound until preemption is on. */
struct kview_space *kview_space_find(struct mm_struct *mm);
/* The next one of the same address space, NULL: there is none; and the one in a view. */
struct kview_space *kview_space_next(const struct kview_space *s);
struct kview_space *kview_space_in(struct mm_struct *mm, const struct kview_view *v);

/*
 * Runs all eBPF programs of the site's set, one after the other; of the kind EVENT with one record.
 * @regs: as at the site, or at the return.  In task context, with bpf_prog_active held.
 */
void kview_run_programs(const struct kview_site *site, struct pt_regs *regs);

#endif
