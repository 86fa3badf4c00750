/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of one receive queue. */
#ifndef KVIEW_MODULE_FLOW_H
#define KVIEW_MODULE_FLOW_H

struct kview_attach_flow;
struct kview_attachment;
struct kview_view;
struct mm_struct;

int kview_flow_attach(struct kview_view *v, const struct kview_attach_flow *arg,
		      struct kview_attachment **out, struct mm_struct **busy);
void kview_flow_detach(struct kview_attachment *att);
void kview_flow_undo(struct kview_attachment *att);
void kview_flows_stop(struct kview_view *v);

#endif
