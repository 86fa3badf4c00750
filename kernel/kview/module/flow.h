/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of one receive queue. */
#ifndef KVIEW_MODULE_FLOW_H
#define KVIEW_MODULE_FLOW_H

struct kview_attach_flow;
struct kview_attachment;
struct kview_view;
struct mm_struct;

/*
 * Lets the thread that polls a queue run in a view.  @out: an attachment of the caller's, for
 * kview_flow_detach() or kview_flow_undo().  @busy is set with -EBUSY alone: what the thread runs
 * on, not held, only to be compared.  By current, whose network namespace counts and who holds the
 * view's file; no lock held; stops all CPUs for a moment.  -EPERM: no CAP_NET_ADMIN there; -ENXIO:
 * no such queue; -EOPNOTSUPP: no thread polls it; -ESRCH: that has ended; -ENOMEM; errors of
 * kview_attach().  Then nothing is attached.
 */
int kview_flow_attach(struct kview_view *v, const struct kview_attach_flow *arg,
		      struct kview_attachment **out, struct mm_struct **busy);

/*
 * kview_detach() and kview_attach_undo() of an attachment with @flow: the thread has left when they
 * return.  No lock held; they stop all CPUs for a moment.
 */
void kview_flow_detach(struct kview_attachment *att);
void kview_flow_undo(struct kview_attachment *att);

/*
 * All threads in a view that is closed give back their address spaces; attachments stay until
 * their files are closed.  No lock held; stops all CPUs once for each.
 */
void kview_flows_stop(struct kview_view *v);

#endif
