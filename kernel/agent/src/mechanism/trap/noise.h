/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What falls into the probes' own time by chance, as interrupts do: how much of it there may be in a
 * sum, from how much there was in batches of probed calls.
 *
 * Each is short beside the time between two, and they come at random.  So mean and variance of what
 * they take both grow with the time that they can fall into: a sum of many calls is uncertain by a
 * small share, that of a few calls by one whole interrupt.
 */
#ifndef KVIEW_NOISE_H
#define KVIEW_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* Of shorter ones the last of these is taken for their length. */
#define NOISE_LONGEST	128

struct noise {
	double ns;		/* looked at */
	double excess_ns;	/* of it beyond what the same took otherwise */
	double squares;		/* the sum of each excess squared */
	double longest[NOISE_LONGEST];	/* excesses, the longest first */
	size_t nr;		/* of excesses, those that are not among them as well */
};

/*
 * Batches that do the same, in which the thread kept its CPU; it sorts them.  What is beyond the middle
 * one was disturbed.  Of less than three nothing is learnt.
 */
void noise__see(struct noise *noise, double *batches_ns, size_t nr);

/*
 * How much more so much time of probes may have taken by chance, of 100 times in all but one: the mean
 * and three standard deviations, in whole disturbances; and where those are few, the longest one that
 * has a chance of one in a hundred.
 */
uint64_t noise__most_ns(const struct noise *noise, uint64_t ns);

/*
 * To be added to the uncertain_ns that has other causes.  Both make a figure too long, so they are
 * added directly, not as squares: in a program whose caches are always cold all of uncertain_ns is
 * used, and this comes on top.
 */
uint64_t noise__beside(const struct noise *noise, uint64_t ns, uint64_t uncertain_ns);

#endif
