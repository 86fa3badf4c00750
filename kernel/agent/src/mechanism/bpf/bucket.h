/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buckets of histograms, see MetricDelta in agent.proto: 16 for each power of two.
 *
 * No branch depends on the value.  Values differ from call to call, so branches would often be
 * predicted wrongly, and that costs more time than this computation.
 */
#ifndef KVIEW_BUCKET_H
#define KVIEW_BUCKET_H

/*
 * Where the top bit of 2^n - 1 is, by the de Bruijn sequence 0x07c4acdd.  Not static: of a static one
 * libbpf does not find the place.
 */
volatile const __u8 top_bit_of_hash[32] = {
	0, 9, 1, 10, 13, 21, 2, 29, 11, 14, 16, 18, 22, 25, 3, 30,
	8, 12, 20, 28, 15, 17, 24, 7, 19, 27, 23, 6, 26, 5, 4, 31,
};

static inline __attribute__((always_inline)) __u32 top_bit(__u32 value)
{
	value |= value >> 1;
	value |= value >> 2;
	value |= value >> 4;
	value |= value >> 8;
	value |= value >> 16;
	return top_bit_of_hash[value * 0x07c4acddU >> 27];
}

static inline __attribute__((always_inline)) __u32 bucket__of(__u64 value)
{
	__u32 high = value >> 32, shift, bucket;

	/* Hardly ever: 4 s. */
	shift = high ? top_bit(high) + 28 : top_bit(value | 16) - 4;
	bucket = (shift << 4) + (__u32)(value >> shift);
	return bucket < XP_BUCKETS ? bucket : XP_BUCKETS - 1;
}

#endif
