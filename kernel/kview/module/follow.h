/* SPDX-License-Identifier: GPL-2.0 */
/* What fork and exec do. */
#ifndef KVIEW_MODULE_FOLLOW_H
#define KVIEW_MODULE_FOLLOW_H

struct kview_attachment;
struct kview_space;
struct mm_struct;
struct pt_regs;

/*
 * What kview_policy_init() is given.  Called by the hook at each of the three places in policy.c;
 * queues work for the task that forks, executes or exits.  If there is no memory for that work, a
 * process that should have joined the view is counted in @join_failed.  For a process that leaves,
 * the address space keeps some memory in reserve; if that is used already, the kernel log says so.
 */
void kview_follow_hook(struct kview_space *space, struct pt_regs *regs);

/*
 * For an address space that has just entered the attachment's view: tasks that are in the middle
 * of an execve join the view when it is complete, or leave it, by the attachment's flags, as if they
 * had begun it just now.  Before kview_syscalls_entered().  The caller holds the attachment.  Does
 * not sleep.
 */
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm);

#endif
