/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks in the base, behind a filter: KVIEW_SET_FILTER. */
#ifndef KVIEW_MODULE_FILTER_H
#define KVIEW_MODULE_FILTER_H

struct kview_set;
struct kview_space;

/* What the base calls. */
extern char kview_filter[];

int kview_filter_start(struct kview_set *set);
void kview_filter_stop(struct kview_set *set);
void kview_filter_enter(struct kview_space *s);
void kview_filter_leave(struct kview_space *s);

#endif
