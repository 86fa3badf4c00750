/* SPDX-License-Identifier: GPL-2.0 */
/* Switching sets on and off. */
#ifndef KVIEW_MODULE_SWITCH_H
#define KVIEW_MODULE_SWITCH_H

#include <linux/types.h>

struct kview_set;
struct kview_view;

void kview_set_gate(struct kview_set *set);
void kview_set_start(struct kview_set *set);
int kview_sets_switch(struct kview_view *v, struct kview_set **set, u32 n, bool on);

#endif
