/* SPDX-License-Identifier: GPL-2.0 */
/* The programs of a site. */
#ifndef KVIEW_MODULE_RUN_H
#define KVIEW_MODULE_RUN_H

#include <linux/types.h>

struct kview_site;
struct kview_space;
struct kview_view;
struct mm_struct;
struct pt_regs;

struct kview_space *kview_space_find(struct mm_struct *mm);
bool kview_in_view(struct mm_struct *mm, const struct kview_view *v);
void kview_run_programs(const struct kview_site *site, struct pt_regs *regs);

#endif
