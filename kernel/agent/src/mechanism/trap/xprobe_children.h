/* SPDX-License-Identifier: GPL-2.0 */
/* The part of an xprobe that frees forked children; for xprobe*.c alone. */
#ifndef KVIEW_XPROBE_CHILDREN_H
#define KVIEW_XPROBE_CHILDREN_H

struct xprobe;

/* From now on the xprobe hears of children.  Returns 0, or -1 with errno. */
int xprobe__hear(struct xprobe *xprobe);
void xprobe__hear_no_more(struct xprobe *xprobe);
/* Waits until the sweeps that are freeing children now have ended. */
void xprobe__end_sweeps(struct xprobe *xprobe);
/* To be called while all probes are being removed, which frees the children that are left. */
void xprobe__end_children(struct xprobe *xprobe);

#endif
