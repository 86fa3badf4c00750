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

struct noise {
	double ns;		/* looked at */
	double excess_ns;	/* of it beyond what the same took otherwise */
	double squares;		/* the sum of each excess squared */
};

/* Batches that do the same, sorted; what is beyond the middle one was disturbed. */
void noise__see(struct noise *noise, const double *batches_ns, size_t nr);

/*
 * How much more so much time of probes may have taken by chance: the mean, and three standard deviations.
 * Few and long disturbances are beyond two of them often.
 */
uint64_t noise__most_ns(const struct noise *noise, uint64_t ns);

/* Beside uncertain_ns of other reasons, of which it is independent: errors add up by their squares. */
uint64_t noise__beside(const struct noise *noise, uint64_t ns, uint64_t uncertain_ns);

#endif
