/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What lengthens the probes' own time by chance, such as interrupts.  How much of it a sum may contain
 * is estimated from how much there was in batches of probed calls.
 *
 * Each such disturbance is short compared with the time between two, and they come at random.  So mean and variance of what
 * they take both grow with the time that they can fall into: a sum of many calls is uncertain by a
 * small share, that of a few calls by one whole interrupt.
 */
#ifndef KVIEW_NOISE_H
#define KVIEW_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* The lengths of so many disturbances are kept.  All shorter ones count as long as the last of these. */
#define NOISE_LONGEST	128

struct noise {
	double ns;		/* looked at */
	double excess_ns;	/* of it beyond what the same took otherwise */
	double squares;		/* the sum of each excess squared */
	double longest[NOISE_LONGEST];	/* excesses, the longest first */
	size_t nr;		/* of excesses, those that are not among them as well */
};

/*
 * Learns from batches that did the same, in which the thread kept its CPU; sorts them.  Those that took
 * longer than the median were disturbed.  Nothing is learnt from less than three.
 */
void noise__see(struct noise *noise, double *batches_ns, size_t nr);

/*
 * How much longer so much time of probes may have become by chance, at most, in 99 of 100 cases: the
 * mean and three standard deviations, in whole disturbances; and where these are few, the longest one
 * that has a chance of one in a hundred.
 */
uint64_t noise__most_ns(const struct noise *noise, uint64_t ns);

/*
 * To be added to the uncertain_ns that has other causes.  Both make a figure too long, so they are
 * added directly, not as squares: in a program whose caches are always cold all of uncertain_ns is
 * used, and this comes on top.
 */
uint64_t noise__beside(const struct noise *noise, uint64_t ns, uint64_t uncertain_ns);

#endif
