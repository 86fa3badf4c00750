// SPDX-License-Identifier: GPL-2.0
#include "lookup/raising.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

bool file__gives_rights(int fd)
{
	char path[32];
	struct stat st;

	/* By its path in /proc, because attributes can't be read through an O_PATH descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fstat(fd, &st) || st.st_mode & (S_ISUID | S_ISGID))
		return true;
	return getxattr(path, "security.capability", NULL, 0) >= 0 ||
	       (errno != ENODATA && errno != EOPNOTSUPP);
}
