/* SPDX-License-Identifier: GPL-2.0 */
/* Which tables an address space runs on. */
#ifndef KVIEW_MODULE_SHOW_H
#define KVIEW_MODULE_SHOW_H

struct kview_space;
struct kview_view;
struct list_head;

/* All under kview_lock. */
void kview_space_show(struct kview_space *s);
void kview_spaces_hide(const struct list_head *list);
void kview_spaces_flush(const struct kview_view *v);

#endif
