/* SPDX-License-Identifier: GPL-2.0 */
/* Nobody runs a view on a borrowed address space. */
#ifndef KVIEW_MODULE_BORROW_H
#define KVIEW_MODULE_BORROW_H

struct kview_view;

/* At loading.  -EOPNOTSUPP, and the log says why: this kernel has no place for the hook. */
int kview_borrow_check(void);
/*
 * Adds the sites to a view, as its @borrow, unless it has them.  Errors are kview_set_create()'s;
 * then nothing is changed.
 */
int kview_borrow_enable(struct kview_view *v);	/* under kview_lock */
/* Takes them out, of a view that is not closed; does nothing as long as it has an attachment. */
void kview_borrow_release(struct kview_view *v);	/* under kview_lock */

#endif
