// SPDX-License-Identifier: GPL-2.0
/* What a kernel with kmemleak (and booted with kmemleak=on) finds to be lost. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "harness.h"

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"

static bool scan(void)
{
	return !try_write_file(KMEMLEAK, "scan");
}

void leaks_forget(void)
{
	if (scan())
		write_file(KMEMLEAK, "clear");
}

bool leaks_found(void)
{
	char text[4096];
	ssize_t n;
	int fd;

	if (!scan())
		return false;
	/* what is younger than five seconds is never reported; what is on the move, once */
	sleep(6);
	CHECK(scan() && scan());
	fd = open(KMEMLEAK, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	CHECK(n >= 0);
	if (!n) {
		result(true, "kmemleak", "nothing is lost");
		return false;
	}
	text[n] = 0;
	result(false, "kmemleak", "\n%s", text);
	return true;
}
