// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/proc_text.h"

size_t proc_text__read(int process, const char *name, char *text, size_t size)
{
	int fd = openat(process, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int failure = fd < 0 ? errno : 0;
	size_t length = 0;
	ssize_t got;

	while (fd >= 0 && length < size - 1) {
		got = read(fd, text + length, size - 1 - length);
		if (got < 0 && errno == EINTR)
			continue;
		failure = got < 0 ? errno : 0;
		if (got <= 0)
			break;
		length += got;
	}
	text[length] = 0;
	if (fd >= 0)
		close(fd);
	errno = failure;
	return length;
}
