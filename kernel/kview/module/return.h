/* SPDX-License-Identifier: GPL-2.0 */
/* Function returns. */
#ifndef KVIEW_MODULE_RETURN_H
#define KVIEW_MODULE_RETURN_H

struct kview_set;
struct kview_site;
struct pt_regs;

#define KVIEW_RETURNS	2048		/* calls at a time, unless another number is chosen */

int kview_returns_create(struct kview_set *set);
u64 kview_returns_memory(const struct kview_set *set);
void kview_returns_stop(struct kview_set *set);
void kview_watch_return(const struct kview_site *site, struct pt_regs *regs);

#endif
