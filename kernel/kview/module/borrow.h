/* SPDX-License-Identifier: GPL-2.0 */
/* Nobody runs a view on a borrowed address space. */
#ifndef KVIEW_MODULE_BORROW_H
#define KVIEW_MODULE_BORROW_H

struct kview_view;

int kview_borrow_check(void);
int kview_borrow_enable(struct kview_view *v);	/* under kview_lock */
void kview_borrow_release(struct kview_view *v);	/* under kview_lock */

#endif
