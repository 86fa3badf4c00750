/* SPDX-License-Identifier: GPL-2.0 */
/* Empties the caches of what was used last, as a program does that needs them for something else. */
#ifndef KVIEW_CACHE_WALK_H
#define KVIEW_CACHE_WALK_H

#include <stddef.h>

/* How many times the second-level cache a walk goes over. */
#define CACHE_WALKS	4

struct cache_walk {
	volatile char *memory;
	size_t bytes;
};

/* 0, or -1 without memory. */
int cache_walk__init(struct cache_walk *walk);
void cache_walk__free(struct cache_walk *walk);
/* Over several times the second-level cache: whatever it replaces first, nothing of what was in it is left. */
void cache_walk__go(const struct cache_walk *walk);

#endif
