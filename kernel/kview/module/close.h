/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a view. */
#ifndef KVIEW_MODULE_CLOSE_H
#define KVIEW_MODULE_CLOSE_H

struct kview_view;

void kview_view_close(struct kview_view *v);

#endif
