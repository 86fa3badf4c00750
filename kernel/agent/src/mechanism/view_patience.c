// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>

#include "base/loop.h"
#include "mechanism/view_patience.h"

bool view_patience__await(int fd)
{
	uint64_t now_ns = clock__now_ns(), end_ns = now_ns + VIEW_PATIENCE_S * 1000000000ULL;
	struct pollfd answer = { .fd = fd, .events = POLLIN };
	int nr;

	do {
		nr = poll(&answer, 1, (end_ns - now_ns) / 1000000);
		now_ns = clock__now_ns();
	} while (nr < 0 && errno == EINTR && now_ns < end_ns);
	return nr > 0;
}
