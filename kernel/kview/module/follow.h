/* SPDX-License-Identifier: GPL-2.0 */
/* What fork and exec do. */
#ifndef KVIEW_MODULE_FOLLOW_H
#define KVIEW_MODULE_FOLLOW_H

struct kview_attachment;
struct kview_space;
struct mm_struct;
struct pt_regs;

/*
 * What kview_policy_init() is given.  Called in the hook, at one of policy.c's three places; queues
 * work for the task that it is about.  Without memory for that a process that should follow is
 * counted in @join_failed; for one that leaves the address space has some, or the log tells.
 */
void kview_follow_hook(struct kview_space *space, struct pt_regs *regs);

/*
 * For an address space that has just entered the attachment's view: those who are in the middle of
 * an execve follow when they are through.  The caller holds the attachment.  Does not sleep.
 */
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm);

#endif
