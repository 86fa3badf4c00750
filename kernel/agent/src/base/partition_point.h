/* SPDX-License-Identifier: GPL-2.0 */
/* Binary search. */
#ifndef KVIEW_PARTITION_POINT_H
#define KVIEW_PARTITION_POINT_H

#include <stddef.h>

/*
 * How many of @nr elements come before the place that is looked for, which is so the index of the first behind it. @before, an
 * expression with @index as the index of an element, tells whether that element does: so do the first ones, and none after them.
 */
#define partition_point(nr, index, before) ({ \
	size_t low_ = 0, high_ = (nr); \
\
	while (low_ < high_) { \
		size_t index = low_ + (high_ - low_) / 2; \
\
		if (before) \
			low_ = index + 1; \
		else \
			high_ = index; \
	} \
	low_; \
})

#endif
