/* SPDX-License-Identifier: GPL-2.0 */
/* The part of an xprobe that frees forked children; for xprobe*.c alone. */
#ifndef KVIEW_XPROBE_CHILDREN_H
#define KVIEW_XPROBE_CHILDREN_H

struct xprobe;

/* From now on it is told of them.  Returns 0, or -1 with errno. */
int xprobe__hear(struct xprobe *xprobe);
void xprobe__hear_no_more(struct xprobe *xprobe);
/* Waits for what frees children now. */
void xprobe__end_sweeps(struct xprobe *xprobe);
/* Those that are left keep the probes until these come off, in a moment. */
void xprobe__end_children(struct xprobe *xprobe);

#endif
