/* SPDX-License-Identifier: GPL-2.0 */
/* What fork and exec do. */
#ifndef KVIEW_MODULE_POLICY_H
#define KVIEW_MODULE_POLICY_H

struct kview_attachment;
struct kview_view;
struct mm_struct;

int kview_policy_check(void);
int kview_policy_enable(struct kview_view *v);
void kview_policy_release(struct kview_view *v);
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm);

#endif
