/* SPDX-License-Identifier: GPL-2.0 */
/* What sets of kernel views counted, as sums over their sites. */
#ifndef KVIEW_SET_COUNTS_H
#define KVIEW_SET_COUNTS_H

#include <stddef.h>
#include <sys/types.h>

#include "agent.pb-c.h"

/* A set, and who made it; 0: that one has ended or can't be seen from here. */
struct owned_set {
	Kview__Wire__ViewSet *set;
	pid_t owner;
};

/*
 * Gives each of these sets its counts, or a note why they can't be had.  To be freed as what protobuf-c unpacked.
 * Sorts the array.
 */
void set_counts__read(struct owned_set *sets, size_t nr);

#endif
