/* SPDX-License-Identifier: GPL-2.0 */
/* The sites that tell of fork and exec. */
#ifndef KVIEW_MODULE_POLICY_H
#define KVIEW_MODULE_POLICY_H

#include "set.h"

int kview_policy_init(kview_callback_t hook);
int kview_policy_enable(struct kview_view *v);
void kview_policy_release(struct kview_view *v);
struct kview_set *kview_policy_set_create(struct kview_view *v, u32 kind, u32 flags, u32 returns,
					  const struct kview_place *place, u32 n, u32 *bad);

#endif
