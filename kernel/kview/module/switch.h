/* SPDX-License-Identifier: GPL-2.0 */
/* Switching sets on and off. */
#ifndef KVIEW_MODULE_SWITCH_H
#define KVIEW_MODULE_SWITCH_H

#include <linux/types.h>

struct kview_set;
struct kview_view;

/*
 * Links a set that is off: hooks can meet it from now on, and look at its @turn.  Under kview_lock,
 * when there is room (kview_view_room()).
 */
void kview_set_gate(struct kview_set *set);

/*
 * Makes a new set active, at one instant, after kview_set_show(): under the same kview_lock or,
 * where two of its sites are at one place and hooks run, a grace period of RCU later.  Does nothing
 * for one with KVIEW_SET_OFF.
 */
void kview_set_start(struct kview_set *set);

/*
 * Switches @n sets of a view, none twice, at one instant; a set that already is in the wanted state
 * stays as it is.  The order of @set changes.  The caller holds the sets' files, and no lock; waits
 * for up to three grace periods of RCU, and for another caller that is switching sets of the view.
 * -ENODEV: the view is closed, and nothing is changed.
 */
int kview_sets_switch(struct kview_view *v, struct kview_set **set, u32 n, bool on);

#endif
