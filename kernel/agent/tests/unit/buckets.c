// SPDX-License-Identifier: GPL-2.0
/* The bucket that the eBPF programs count a value in is the one that agent.proto says. */
#include <stdint.h>
#include <stdio.h>

#include <linux/types.h>

#include "mechanism/trap/bpf/xprobe.h"

#include "mechanism/bpf/bucket.h"

static uint64_t said(uint64_t v)
{
	uint64_t r = 0, s, index;

	if (v < 16)
		return v;
	while (v >> r > 1)
		r++;
	s = r - 4;
	index = ((s + 1) << 4) + ((v >> s) & 15);
	return index < XP_BUCKETS ? index : XP_BUCKETS - 1;
}

static int wrong;

static void look(uint64_t v)
{
	if (bucket__of(v) == said(v))
		return;
	if (!wrong++)
		printf("# %llu is in %u, not in %llu\n", (unsigned long long)v, bucket__of(v),
		       (unsigned long long)said(v));
}

int main(void)
{
	uint64_t v, seen = 0;
	int bit, bits;

	for (v = 0; v < 1 << 20; v++, seen++)
		look(v);
	/* All values of 64 bits of which at most the top seven and the last one differ from 0, or from 1. */
	for (bit = 0; bit < 57; bit++)
		for (bits = 0; bits < 128; bits++, seen += 3) {
			v = (uint64_t)bits << bit;
			look(v);
			look(v | 1);
			look(v | ((1ULL << bit) - 1));
		}
	look(UINT64_MAX);
	look((1ULL << 43) - 1);
	look(1ULL << 43);
	printf("%s %llu values are in their buckets\n", wrong ? "not ok" : "ok", (unsigned long long)seen + 3);
	return wrong != 0;
}
