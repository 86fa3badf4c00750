/* SPDX-License-Identifier: GPL-2.0 */
/* What fork and exec do. */
#ifndef KVIEW_MODULE_FOLLOW_H
#define KVIEW_MODULE_FOLLOW_H

struct kview_attachment;
struct kview_space;
struct mm_struct;
struct pt_regs;

void kview_follow_hook(struct kview_space *space, struct pt_regs *regs);
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm);

#endif
